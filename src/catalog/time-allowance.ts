/** Time that may be spent at once, in milliseconds. */
const burstMs = 250;

/** Share of the clock's time that may be spent in the long run. */
const share = 0.1;

/**
 * How much time work for one stranger may take from everybody else: a burst now and then, and a tenth of the time in
 * the long run. All times are on one clock, in milliseconds.
 */
export class TimeAllowance {
  #spentMs = 0;
  #atMs = 0;

  /** Whether anything is left at `nowMs`. */
  lasts(nowMs: number): boolean {
    this.#spentMs = Math.max(0, this.#spentMs - (nowMs - this.#atMs) * share);
    this.#atMs = nowMs;
    return this.#spentMs < burstMs;
  }

  /** Takes what was spent from `fromMs` to `toMs`, be it more than was left. */
  spend(fromMs: number, toMs: number): void {
    this.#spentMs += toMs - fromMs;
  }
}
