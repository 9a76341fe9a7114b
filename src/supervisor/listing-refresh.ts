import type { ListKind } from '../protocol/listing.js';
import type { Clock, Timer } from '../shared/clock.js';
import { RefreshPace } from './refresh-pace.js';

/** Reads lists again; resolves to whether something was different. Never rejects. */
export type ReadAgain = (kinds: ReadonlySet<ListKind>) => Promise<boolean>;

/** Turns notices of changes into readings: one at a time, at most one waiting, at the pace of `RefreshPace`. */
export class ListingRefresh {
  readonly #clock: Clock;
  readonly #read: ReadAgain;
  readonly #pace = new RefreshPace();
  #announced = new Set<ListKind>();
  #phase: 'held' | 'idle' | 'reading' | 'ended' = 'held';
  #timer: Timer | undefined;

  constructor(clock: Clock, read: ReadAgain) {
    this.#clock = clock;
    this.#read = read;
  }

  /** The first listing is there; what was announced while it was read is due now. */
  begin(): void {
    if (this.#phase !== 'held') return;
    this.#phase = 'idle';
    this.#schedule();
  }

  announce(kinds: readonly ListKind[]): void {
    if (this.#phase === 'ended') return;
    for (const kind of kinds) this.#announced.add(kind);
    this.#pace.notice(this.#clock.now());
    this.#schedule();
  }

  /** Nothing is read any more. */
  end(): void {
    this.#phase = 'ended';
    this.#timer?.cancel();
  }

  /** A timer that is already running is not moved by each notice: when it fires, it looks again. */
  #schedule(): void {
    const { dueMs } = this.#pace;
    if (this.#phase !== 'idle' || this.#timer !== undefined || dueMs === undefined) return;
    this.#timer = this.#clock.after(Math.max(0, dueMs - this.#clock.now()), () => {
      this.#timer = undefined;
      if ((this.#pace.dueMs ?? 0) > this.#clock.now()) this.#schedule();
      else void this.#readNow();
    });
  }

  async #readNow(): Promise<void> {
    const kinds = this.#announced;
    this.#announced = new Set();
    this.#phase = 'reading';
    this.#pace.begin();
    this.#finish(await this.#read(kinds));
  }

  #finish(changed: boolean): void {
    if (this.#phase === 'ended') return;
    this.#phase = 'idle';
    this.#pace.end(changed);
    this.#schedule();
  }
}
