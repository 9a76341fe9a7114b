import type { Exit } from '../router/ports.js';
import type { Clock } from '../shared/clock.js';
import type { RestartSettings } from '../shared/settings.js';
import { decideRestart, noExits, recordExit, type Verdict, wakeDistanceMs } from './restart-policy.js';

/** Doublings of the start timeout: a start that was cut off is given more time, but a hung one not for ever. */
const maxTimeoutDoublings = 2;

/** How one backend gets up again: what has happened to it so far, asked through the restart policy. */
export class Recovery {
  readonly #settings: RestartSettings;
  readonly #clock: Clock;
  readonly #random: () => number;
  #history = noExits;
  #timeouts = 0;
  #lastExit: Exit | undefined;
  #lastExitMs = 0;

  constructor(settings: RestartSettings, clock: Clock, random: () => number) {
    this.#settings = settings;
    this.#clock = clock;
    this.#random = random;
  }

  get lastExit(): Exit | undefined {
    return this.#lastExit;
  }

  /**
   * Records the end of a process and says what comes next.
   *
   * @param healthyForMs how long it had served
   * @param hopeless another start would end the same way, so that it is not tried soon
   */
  fell(exit: Exit, healthyForMs: number, hopeless: boolean): Verdict {
    this.#lastExitMs = this.#clock.now();
    this.#lastExit = exit;
    this.#history = recordExit(this.#history, { atMs: this.#lastExitMs, healthyForMs }, this.#settings);
    const verdict: Verdict = hopeless
      ? { kind: 'failed', reason: exit.reason, delayMs: this.#settings.retryFailedMs }
      : decideRestart(this.#history, exit.reason, this.#settings, this.#random);
    if (verdict.kind === 'failed') this.#history = { ...this.#history, failed: true };
    return verdict;
  }

  /** Records an end that was asked for. */
  stopped(exit: Exit): void {
    this.#lastExit = exit;
  }

  /** @returns whether that start had the longest time there is, so that another one is not tried soon */
  startTimedOut(): boolean {
    this.#timeouts += 1;
    return this.#timeouts > maxTimeoutDoublings;
  }

  ready(): void {
    this.#timeouts = 0;
  }

  /** Time for the next start: twice that of one that was cut off, up to four times `timeoutMs`. */
  startTimeoutMs(timeoutMs: number): number {
    return timeoutMs * 2 ** Math.min(this.#timeouts, maxTimeoutDoublings);
  }

  /** When a start on demand may happen at the earliest. */
  earliestWakeMs(state: 'backing-off' | 'failed'): number {
    return this.#lastExitMs + wakeDistanceMs(state, this.#settings);
  }
}
