import type { Lane } from './lane.js';
import type { SessionRecord } from './session-record.js';

/** Ids kept for one session at one backend. The oldest is forgotten first: nobody can fill the memory, or push out another's. */
const maxIds = 256;
/** Longest id kept, in characters: a UUID has 36, and real ids are not much longer. */
const maxIdLength = 1_024;

/** What one session has under one id at one backend. */
export interface Owned<T> {
  readonly lane: Lane;
  readonly session: SessionRecord;
  readonly id: string;
  readonly value: T;
}

/** Things that peers gave an id, by the backend and the session between which the id means something. */
export class OwnedIds<T> {
  readonly #lanes = new Map<Lane, Map<SessionRecord, Map<string, Owned<T>>>>();

  set(lane: Lane, session: SessionRecord, id: string, value: T): void {
    if (id.length > maxIdLength) return;
    const sessions = this.#lanes.get(lane) ?? new Map<SessionRecord, Map<string, Owned<T>>>();
    const ids = sessions.get(session) ?? new Map<string, Owned<T>>();
    this.#lanes.set(lane, sessions);
    sessions.set(session, ids);
    ids.delete(id);
    ids.set(id, { lane, session, id, value });
    const [oldest] = ids.keys();
    if (ids.size > maxIds && oldest !== undefined) ids.delete(oldest);
  }

  get(lane: Lane, session: SessionRecord, id: string): T | undefined {
    return this.#lanes.get(lane)?.get(session)?.get(id)?.value;
  }

  delete(lane: Lane, session: SessionRecord, id: string): void {
    this.#lanes.get(lane)?.get(session)?.delete(id);
  }

  /** What sessions have under an id at a backend. */
  at(lane: Lane, id: string): Owned<T>[] {
    return [...(this.#lanes.get(lane)?.values() ?? [])].flatMap((ids) => ids.get(id) ?? []);
  }

  /** Everything that sessions have at a backend. */
  allAt(lane: Lane): Owned<T>[] {
    return [...(this.#lanes.get(lane)?.values() ?? [])].flatMap((ids) => [...ids.values()]);
  }

  /** Everything that a session has, at whichever backends. */
  allOf(session: SessionRecord): Owned<T>[] {
    return [...this.#lanes.values()].flatMap((sessions) => [...(sessions.get(session)?.values() ?? [])]);
  }

  /** What a session has under an id, at whichever backends. */
  of(session: SessionRecord, id: string): Owned<T>[] {
    return [...this.#lanes.values()].flatMap((sessions) => sessions.get(session)?.get(id) ?? []);
  }

  /** Forgets a session. @returns what it had */
  sessionEnded(session: SessionRecord): Owned<T>[] {
    const had: Owned<T>[] = [];
    for (const [lane, sessions] of this.#lanes) {
      had.push(...(sessions.get(session)?.values() ?? []));
      sessions.delete(session);
      if (sessions.size === 0) this.#lanes.delete(lane);
    }
    return had;
  }

  /** Forgets a backend's process. */
  laneExited(lane: Lane): void {
    this.#lanes.delete(lane);
  }

  get size(): number {
    return [...this.#lanes.keys()].reduce((sum, lane) => sum + this.allAt(lane).length, 0);
  }
}
