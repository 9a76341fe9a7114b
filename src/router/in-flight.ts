import type { GatewayId } from '../shared/ids.js';
import type { Call } from './lane.js';

/** All calls without an end, by the id that they have at their backends. */
export class InFlight {
  readonly #calls = new Map<number, Call>();

  get size(): number {
    return this.#calls.size;
  }

  add(call: Call): void {
    this.#calls.set(call.id, call);
  }

  get(id: number): Call | undefined {
    return this.#calls.get(id);
  }

  delete(id: GatewayId): void {
    this.#calls.delete(id);
  }

  /** The calls that fulfil `test`, as a list that stays valid while calls end. */
  filter(test: (call: Call) => boolean): Call[] {
    return [...this.#calls.values()].filter(test);
  }
}
