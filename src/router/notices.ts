import { isSameList } from '../catalog/diff.js';
import type { CatalogView } from '../catalog/merge.js';
import type { CatalogEntry } from '../catalog/source.js';
import { notificationToClient } from '../protocol/compose.js';
import { type ListKind, listKinds } from '../protocol/listing.js';
import type { Clock, Timer } from '../shared/clock.js';
import type { Lane } from './lane.js';
import type { Reach } from './reach.js';
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

type Entries = readonly CatalogEntry<Lane>[];

/**
 * Tells sessions that lists have changed: after the new list can be read, only where it differs from what the
 * session last read or was last told of, and once per method and window.
 */
export class ListNotices {
  readonly #clock: Clock;
  readonly #reach: Reach;
  readonly #sessions: Iterable<SessionRecord>;
  readonly #seen = new WeakMap<SessionRecord, Map<ListKind, Entries>>();
  /** What each session may have to be told of. One that opened after a change reads the new lists anyway. */
  readonly #due = new Map<SessionRecord, Set<ListKind>>();
  #timer: Timer | undefined;
  #open = false;

  constructor(clock: Clock, reach: Reach, sessions: Iterable<SessionRecord>) {
    this.#clock = clock;
    this.#reach = reach;
    this.#sessions = sessions;
  }

  /** From now on there are lists that somebody may have read; nothing before that was news. */
  open(): void {
    this.#open = true;
  }

  /** A session has read a list. */
  read(session: SessionRecord, kind: ListKind, view: CatalogView<Lane>): void {
    const seen = this.#seen.get(session) ?? new Map<ListKind, Entries>();
    this.#seen.set(session, seen);
    seen.set(kind, view.entries(kind));
  }

  /** Lists of these kinds may read differently to somebody. */
  changed(kinds: Iterable<ListKind>): void {
    const changed = [...kinds];
    if (!this.#open || changed.length === 0) return;
    for (const session of this.#sessions) {
      if (session.era.context === undefined) continue;
      const due = this.#due.get(session) ?? new Set();
      for (const kind of changed) due.add(kind);
      this.#due.set(session, due);
    }
    if (this.#due.size > 0) this.#timer ??= this.#clock.after(windowMs, () => this.#send());
  }

  ended(session: SessionRecord): void {
    this.#due.delete(session);
  }

  stop(): void {
    this.#timer?.cancel();
  }

  #send(): void {
    this.#timer = undefined;
    for (const [session, due] of this.#due) {
      const news = listKinds.filter((kind) => due.has(kind) && this.#isNews(session, kind));
      for (const method of new Set(news.map((kind) => noticeMethods[kind]))) {
        session.port.send(notificationToClient(method));
      }
    }
    this.#due.clear();
  }

  #isNews(session: SessionRecord, kind: ListKind): boolean {
    const { view } = this.#reach.catalogOf(session);
    const before = this.#seen.get(session)?.get(kind);
    if (before !== undefined && isSameList(before, view.entries(kind))) return false;
    this.read(session, kind, view);
    return true;
  }
}
