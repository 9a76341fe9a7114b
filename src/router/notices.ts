import { notificationToClient } from '../protocol/compose.js';
import type { ListKind } from '../protocol/listing.js';
import type { Clock, Timer } from '../shared/clock.js';
import type { SessionRecord } from './session-record.js';

/** How long changes are gathered over all backends, so that a client hears of a burst once. */
const windowMs = 100;

/** Resource templates have no notice of their own: they count as resources. [MCP 2025-11-25 resources] */
const noticeMethods: Record<ListKind, string> = {
  tools: 'notifications/tools/list_changed',
  prompts: 'notifications/prompts/list_changed',
  resources: 'notifications/resources/list_changed',
  resourceTemplates: 'notifications/resources/list_changed',
};

/**
 * Tells sessions that lists have changed: once per method and window, after the new list can be read. A session
 * that opens after a change has nothing to hear of it.
 */
export class ListNotices {
  readonly #clock: Clock;
  readonly #sessions: () => Iterable<SessionRecord>;
  /** Who is to be told what when the window ends. */
  #due = new Map<SessionRecord, Set<string>>();
  #timer: Timer | undefined;
  #open = false;

  constructor(clock: Clock, sessions: () => Iterable<SessionRecord>) {
    this.#clock = clock;
    this.#sessions = sessions;
  }

  /** From now on there are lists that somebody may have read; nothing before that was news. */
  open(): void {
    this.#open = true;
  }

  changed(kinds: readonly ListKind[]): void {
    if (!this.#open) return;
    if (kinds.length === 0) return;
    for (const session of this.#sessions()) {
      if (session.era.context === undefined) continue;
      const methods = this.#due.get(session) ?? new Set();
      for (const kind of kinds) methods.add(noticeMethods[kind]);
      this.#due.set(session, methods);
    }
    if (this.#due.size > 0) this.#timer ??= this.#clock.after(windowMs, () => this.#send());
  }

  stop(): void {
    this.#timer?.cancel();
  }

  #send(): void {
    this.#timer = undefined;
    const due = this.#due;
    this.#due = new Map();
    for (const session of this.#sessions()) {
      for (const method of due.get(session) ?? []) session.port.send(notificationToClient(method));
    }
  }
}
