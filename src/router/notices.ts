import { isSameList } from '../catalog/diff.js';
import type { CatalogView } from '../catalog/merge.js';
import type { CatalogEntry } from '../catalog/source.js';
import { type ListKind, listKinds } from '../protocol/listing.js';
import type { Clock, Timer } from '../shared/clock.js';
import type { Lane } from './lane.js';
import type { Reach } from './reach.js';
import type { SessionRecord, Watcher } from './session-record.js';

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
 * Tells watchers that lists have changed: after the new list can be read, only where it differs from what the
 * watcher's session last read or it was last told of, and once per method and window.
 */
export class ListNotices {
  readonly #clock: Clock;
  readonly #reach: Reach;
  readonly #watchers = new Map<SessionRecord, readonly Watcher[]>();
  readonly #seen = new WeakMap<Watcher, Map<ListKind, Entries>>();
  /** What each watcher may have to be told of. One that came after a change reads the new lists anyway. */
  readonly #due = new Map<Watcher, Set<ListKind>>();
  #timer: Timer | undefined;
  #open = false;

  constructor(clock: Clock, reach: Reach) {
    this.#clock = clock;
    this.#reach = reach;
  }

  /** From now on somebody is to be told. */
  watch(watcher: Watcher): void {
    this.#watchers.set(watcher.session, [...this.#of(watcher.session), watcher]);
  }

  unwatch(watcher: Watcher): void {
    const others = this.#of(watcher.session).filter((other) => other !== watcher);
    if (others.length > 0) this.#watchers.set(watcher.session, others);
    else this.#watchers.delete(watcher.session);
    this.#due.delete(watcher);
  }

  /** From now on there are lists that somebody may have read; nothing before that was news. */
  open(): void {
    this.#open = true;
  }

  /** A session has read a list. */
  read(session: SessionRecord, kind: ListKind, view: CatalogView<Lane>): void {
    for (const watcher of this.#of(session)) this.#saw(watcher, kind, view);
  }

  /**
   * Lists of these kinds may read differently to somebody.
   * @param session the only one that can be, if there is one
   */
  changed(kinds: Iterable<ListKind>, session?: SessionRecord): void {
    const changed = [...kinds];
    if (!this.#open || changed.length === 0) return;
    const watchers = session === undefined ? [...this.#watchers.values()].flat() : this.#of(session);
    for (const watcher of watchers) {
      const wanted = changed.filter((kind) => watcher.wants(kind));
      if (wanted.length > 0) this.#due.set(watcher, new Set([...(this.#due.get(watcher) ?? []), ...wanted]));
    }
    if (this.#due.size > 0) this.#timer ??= this.#clock.after(windowMs, () => this.#send());
  }

  stop(): void {
    this.#timer?.cancel();
  }

  #of(session: SessionRecord): readonly Watcher[] {
    return this.#watchers.get(session) ?? [];
  }

  #send(): void {
    this.#timer = undefined;
    for (const [watcher, due] of this.#due) {
      const news = listKinds.filter((kind) => due.has(kind) && this.#isNews(watcher, kind));
      for (const method of new Set(news.map((kind) => noticeMethods[kind]))) watcher.tell(method);
    }
    this.#due.clear();
  }

  #isNews(watcher: Watcher, kind: ListKind): boolean {
    const { view } = this.#reach.catalogOf(watcher.session);
    const before = this.#seen.get(watcher)?.get(kind);
    if (before !== undefined && isSameList(before, view.entries(kind))) return false;
    this.#saw(watcher, kind, view);
    return true;
  }

  #saw(watcher: Watcher, kind: ListKind, view: CatalogView<Lane>): void {
    const seen = this.#seen.get(watcher) ?? new Map<ListKind, Entries>();
    this.#seen.set(watcher, seen);
    seen.set(kind, view.entries(kind));
  }
}
