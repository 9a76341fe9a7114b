/** A burst of notices, as at start-up, becomes one reading. */
const shortestDebounceMs = 100;

/** A backend that announces without end, and never changes, is still looked at now and then. */
const longestDebounceMs = 30_000;

/** Notices that never pause must not put a reading off for ever. */
const maxDelayMs = 1_000;

/** Silence after which earlier false alarms are forgiven: twice the longest debounce, so that it can be told from waiting. */
const quietMs = 60_000;

/**
 * When to read a listing again after notices of a change. Trailing debounce with a longest delay; the
 * debounce doubles with every reading that shows no change and falls back when one does or after a quiet
 * period. Pure: times come in and go out, in milliseconds of one clock.
 */
export class RefreshPace {
  #debounceMs = shortestDebounceMs;
  #firstNoticeMs: number | undefined;
  #lastNoticeMs: number | undefined;

  notice(nowMs: number): void {
    if (this.#lastNoticeMs !== undefined && nowMs - this.#lastNoticeMs >= quietMs) {
      this.#debounceMs = shortestDebounceMs;
    }
    this.#firstNoticeMs ??= nowMs;
    this.#lastNoticeMs = nowMs;
  }

  /** When the next reading is due; `undefined` while nothing is announced. */
  get dueMs(): number | undefined {
    if (this.#firstNoticeMs === undefined || this.#lastNoticeMs === undefined) return undefined;
    const latestMs = this.#firstNoticeMs + Math.max(maxDelayMs, this.#debounceMs);
    return Math.min(this.#lastNoticeMs + this.#debounceMs, latestMs);
  }

  /** A reading begins: notices from now on ask for another one. */
  begin(): void {
    this.#firstNoticeMs = undefined;
  }

  end(changed: boolean): void {
    this.#debounceMs = changed ? shortestDebounceMs : Math.min(longestDebounceMs, this.#debounceMs * 2);
  }
}
