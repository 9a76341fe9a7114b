/** A stream that was ended in good order is opened again soon, as its server may have asked for just that. */
const shortestDelayMs = 1_000;

/** A server that ends every stream at once is still asked now and then. */
const longestDelayMs = 30_000;

/** A stream that lived so long ended for another reason than the one before it. */
const stableMs = 60_000;

/**
 * When to open a stream again that ended. The delay doubles with every one that did not live long. Pure: times
 * come in and go out, in milliseconds of one clock.
 */
export class ReopenPace {
  #openedMs = Number.NEGATIVE_INFINITY;
  #delayMs = shortestDelayMs;

  opened(nowMs: number): void {
    this.#openedMs = nowMs;
  }

  /** The newest stream ended. @returns how long to wait */
  ended(nowMs: number): number {
    if (nowMs - this.#openedMs >= stableMs) this.#delayMs = shortestDelayMs;
    const delayMs = this.#delayMs;
    this.#delayMs = Math.min(longestDelayMs, delayMs * 2);
    return delayMs;
  }

  /** How long somebody has to wait who wants it open now. */
  earliestDelay(nowMs: number): number {
    return Math.max(0, this.#openedMs + shortestDelayMs - nowMs);
  }
}
