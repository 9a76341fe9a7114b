import type { WireError } from '../protocol/errors.js';
import type { Clock } from '../shared/clock.js';
import type { BackendSettings } from '../shared/settings.js';
import { availability } from './availability.js';
import type { AcceptedRequest } from './conversation.js';
import type { Lane } from './lane.js';
import type { OwnBackends } from './own-backends.js';
import type { Noun } from './owners.js';
import type { Reach } from './reach.js';
import { WaitingRoom } from './waiting-room.js';

export interface UnlistedOptions {
  readonly reach: Reach;
  readonly own: OwnBackends;
  readonly separator: string;
  readonly clock: Clock;
}

/** Backends whose offer is not known at the moment, and the requests that wait to learn of it. */
export class Unlisted {
  readonly #options: UnlistedOptions;
  readonly #rooms = new Map<Lane, WaitingRoom>();

  constructor(options: UnlistedOptions) {
    this.#options = options;
  }

  /** Backends that are waited for, for checks. */
  get size(): number {
    return this.#rooms.size;
  }

  /**
   * A backend without a listing that may turn out to own an unknown name: by its namespace, or for a URI any
   * that is about to start. Starts the session's own process of it if need be. Nothing is routed by this guess.
   * @returns an error when the process it would take cannot be had
   */
  candidate(
    { session, step }: AcceptedRequest,
    noun: Noun,
    name: string,
    waitedFor: ReadonlySet<Lane>,
  ): Lane | WireError | undefined {
    const { reach, own } = this.#options;
    const fits = (settings: BackendSettings) => noun === 'resource' || this.#couldName(settings, name);
    let refusal: WireError | undefined;
    for (const settings of own.configured.filter(fits)) {
      const begun = own.begin(session, settings, step.context);
      if (!('code' in begun)) continue;
      if (noun !== 'resource') return begun;
      // One that is off has no resources; one that could not be had may be the owner.
      if (settings.off === undefined) refusal ??= begun;
    }
    const candidate = reach.lanesOf(session).find((lane) => {
      if (reach.isListed(lane) || !fits(lane.port.settings)) return false;
      return noun !== 'resource' || (!waitedFor.has(lane) && this.#isComing(lane));
    });
    return candidate ?? refusal;
  }

  /** Lets a request wait for a backend's start. */
  wait(lane: Lane, request: AcceptedRequest, wait: Parameters<WaitingRoom['add']>[1]): void {
    const room = this.#rooms.get(lane) ?? new WaitingRoom(this.#options.clock);
    this.#rooms.set(lane, room);
    room.add(request, wait);
  }

  /** A backend's start has come to an end, good or bad: those who waited for it try again. */
  startEnded(lane: Lane): void {
    const room = this.#rooms.get(lane);
    this.#rooms.delete(lane);
    room?.release();
  }

  /** The process of a session that is over: nobody waits for it any more. */
  laneEnded(lane: Lane): void {
    this.#rooms.delete(lane);
  }

  #couldName({ namespace }: BackendSettings, name: string): boolean {
    return namespace === '' || name.startsWith(namespace + this.#options.separator);
  }

  #isComing({ port }: Lane): boolean {
    return availability(port.key, port.state, this.#options.clock.now()).kind === 'wait';
  }
}
