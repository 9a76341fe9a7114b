import type { Clock, Timer } from '../shared/clock.js';
import type { BackendPort } from './ports.js';

/**
 * Whether the catalog is still filling: from the start until every backend has had the outcome of its
 * first start, at the longest `graceMs`. Meanwhile lists wait, because clients cache an empty answer.
 */
export class StartUp {
  readonly #undecided: Set<BackendPort>;
  readonly #done: () => void;
  readonly #timer: Timer;
  #over = false;

  constructor(ports: readonly BackendPort[], graceMs: number, clock: Clock, done: () => void) {
    this.#undecided = new Set(ports.filter((port) => port.state.kind !== 'off'));
    this.#done = done;
    this.#timer = clock.after(graceMs, () => this.#end());
    if (this.#undecided.size === 0) this.#end();
  }

  /** To be told of every state that a backend moves to. */
  moved(port: BackendPort): void {
    if (port.state.kind === 'starting') return;
    this.#undecided.delete(port);
    if (this.#undecided.size === 0) this.#end();
  }

  stop(): void {
    this.#timer.cancel();
  }

  #end(): void {
    this.#timer.cancel();
    if (this.#over) return;
    this.#over = true;
    this.#done();
  }
}
