import { notificationToClient } from '../protocol/compose.js';
import type { ListKind } from '../protocol/listing.js';
import type { Clock, Timer } from '../shared/clock.js';
import type { ToClient } from '../shared/ids.js';
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

/** Tells sessions that lists have changed: once per method and window, after the new list can be read. */
export class ListNotices {
  readonly #clock: Clock;
  readonly #sessions: () => Iterable<SessionRecord>;
  readonly #due = new Set<string>();
  #timer: Timer | undefined;

  constructor(clock: Clock, sessions: () => Iterable<SessionRecord>) {
    this.#clock = clock;
    this.#sessions = sessions;
  }

  changed(kinds: readonly ListKind[]): void {
    for (const kind of kinds) this.#due.add(noticeMethods[kind]);
    if (this.#due.size > 0) this.#timer ??= this.#clock.after(windowMs, () => this.#send());
  }

  stop(): void {
    this.#timer?.cancel();
  }

  #send(): void {
    this.#timer = undefined;
    const messages: ToClient[] = [...this.#due].map((method) => notificationToClient(method));
    this.#due.clear();
    for (const session of this.#sessions()) {
      if (session.era.context === undefined) continue;
      for (const message of messages) session.port.send(message);
    }
  }
}
