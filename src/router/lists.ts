import type { CatalogView } from '../catalog/merge.js';
import { errorToClient } from '../protocol/compose.js';
import { stringAt } from '../protocol/envelope.js';
import { gatewayError } from '../protocol/errors.js';
import type { ListKind } from '../protocol/listing.js';
import type { Clock } from '../shared/clock.js';
import { availability } from './availability.js';
import type { AcceptedRequest } from './conversation.js';
import type { Lane } from './lane.js';
import type { OwnBackends } from './own-backends.js';
import type { Reach } from './reach.js';
import type { SessionRecord } from './session-record.js';
import { WaitingRoom } from './waiting-room.js';

export interface ListsOptions {
  readonly reach: Reach;
  readonly own: OwnBackends;
  /** How long a list waits for backends that are starting, in milliseconds. */
  readonly graceMs: number;
  readonly clock: Clock;
  /** Hears what a session has read. */
  readonly read: (session: SessionRecord, kind: ListKind, view: CatalogView<Lane>) => void;
}

/** Answers list requests from the catalog, at first only once it has had the chance to fill. */
export class Lists {
  readonly #options: ListsOptions;
  /** Requests that wait for the gateway's start-up. */
  readonly #early: WaitingRoom;
  /** Requests that wait for their session's own processes. */
  readonly #forOwn = new Map<SessionRecord, WaitingRoom>();
  #open = false;

  constructor(options: ListsOptions) {
    this.#options = options;
    this.#early = new WaitingRoom(options.clock);
  }

  /** Requests that wait, for checks. */
  get size(): number {
    return [this.#early, ...this.#forOwn.values()].reduce((sum, room) => sum + room.size, 0);
  }

  take(request: AcceptedRequest, kind: ListKind): void {
    const { own, graceMs, clock } = this.#options;
    for (const settings of own.configured) own.begin(request.session, settings, request.step.context);
    this.#answerWhenFilled(request, kind, clock.now() + graceMs);
  }

  /** The start-up is over: those who wait are answered, and from now on everybody at once. */
  open(): void {
    this.#open = true;
    this.#early.release();
  }

  /** A session's own process moved to another state. */
  ownMoved(session: SessionRecord): void {
    if (!this.#ownAreComing(session)) this.#forOwn.get(session)?.release();
  }

  ended(session: SessionRecord): void {
    this.#forOwn.delete(session);
  }

  #answerWhenFilled(request: AcceptedRequest, kind: ListKind, dueMs: number): void {
    const { session } = request;
    const room = this.#roomFor(session);
    if (room === undefined) {
      this.#answer(request, kind);
      return;
    }
    room.add(request, {
      timeoutMs: Math.max(0, dueMs - this.#options.clock.now()),
      proceed: () => this.#answerWhenFilled(request, kind, dueMs),
      late: () => this.#answer(request, kind),
    });
  }

  /** Where a session's requests wait, while there is something to wait for. */
  #roomFor(session: SessionRecord): WaitingRoom | undefined {
    if (!this.#open) return this.#early;
    if (!this.#ownAreComing(session)) return undefined;
    const room = this.#forOwn.get(session) ?? new WaitingRoom(this.#options.clock);
    this.#forOwn.set(session, room);
    return room;
  }

  #ownAreComing(session: SessionRecord): boolean {
    const { own, reach, clock } = this.#options;
    return own.lanes(session).some((lane) => {
      const { key, state } = lane.port;
      return !reach.isListed(lane) && availability(key, state, clock.now()).kind === 'wait';
    });
  }

  #answer({ session, step, idKey, idText }: AcceptedRequest, kind: ListKind): void {
    const { bytes, fields } = step.message;
    const { view, pages } = this.#options.reach.catalogOf(session);
    const cursor = fields.cursor === undefined ? undefined : (stringAt(bytes, fields.cursor) ?? null);
    const page = cursor === null ? undefined : pages.page(kind, cursor);
    if (page === undefined) {
      const message = `unknown cursor for "${step.message.method}"; use the nextCursor of this gateway's last page, or none`;
      session.end(idKey, errorToClient(idText, gatewayError('invalidParams', message)));
      return;
    }
    this.#options.read(session, kind, view);
    session.end(idKey, step.context.dialect.page(idText, page));
  }
}
