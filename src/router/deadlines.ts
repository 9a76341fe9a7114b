import type { Clock, Timer } from '../shared/clock.js';
import type { InFlight } from './in-flight.js';
import type { Call } from './lane.js';

/** How often deadlines are looked at: an error is at most this late, and one sweep serves all calls. */
const sweepMs = 50;

/** Watches the deadlines of all calls with one timer, which runs only while there are calls. */
export class Deadlines {
  readonly #clock: Clock;
  readonly #inFlight: InFlight;
  readonly #expire: (call: Call) => void;
  #sweep: Timer | undefined;

  constructor(clock: Clock, inFlight: InFlight, expire: (call: Call) => void) {
    this.#clock = clock;
    this.#inFlight = inFlight;
    this.#expire = expire;
  }

  /** To be told of every new call. */
  started(): void {
    this.#sweep ??= this.#clock.every(sweepMs, () => this.#run());
  }

  stop(): void {
    this.#sweep?.cancel();
    this.#sweep = undefined;
  }

  #run(): void {
    const now = this.#clock.now();
    for (const call of this.#inFlight.filter((each) => each.deadlineMs <= now)) this.#expire(call);
    if (this.#inFlight.size === 0) this.stop();
  }
}
