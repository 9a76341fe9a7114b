import type { RestartSettings } from '../shared/settings.js';

/** The exits of one backend that still count, oldest first. */
export interface ExitHistory {
  /** Exits since the last stable life; each doubles the delay. */
  readonly count: number;
  /** When the exits inside the window happened, in milliseconds of the clock. */
  readonly recentMs: readonly number[];
  /** It counted as failed and has not had a stable life since. */
  readonly failed: boolean;
}

export const noExits: ExitHistory = { count: 0, recentMs: [], failed: false };

export type Verdict =
  | { readonly kind: 'retry'; readonly delayMs: number }
  /** A person should look; tried again all the same, after a long delay. */
  | { readonly kind: 'failed'; readonly reason: string; readonly delayMs: number };

/** Adds one exit; a life of `stableAfterMs` before it makes everything earlier forgotten. */
export function recordExit(
  history: ExitHistory,
  exit: { readonly atMs: number; readonly healthyForMs: number },
  settings: RestartSettings,
): ExitHistory {
  const earlier = exit.healthyForMs >= settings.stableAfterMs ? noExits : history;
  const recentMs = earlier.recentMs.filter((atMs) => exit.atMs - atMs < settings.windowMs);
  return { ...earlier, count: earlier.count + 1, recentMs: [...recentMs, exit.atMs] };
}

/**
 * When to start again after the exits in `history`. The delay is drawn from the whole range up to
 * min(cap, base · 2ⁿ) (full jitter), so that backends which fell together do not rise together.
 *
 * @param random a number from 0 up to but not including 1
 */
export function decideRestart(
  history: ExitHistory,
  exitReason: string,
  settings: RestartSettings,
  random: () => number,
): Verdict {
  const { maxExits, windowMs, retryFailedMs } = settings;
  if (history.failed) {
    return { kind: 'failed', reason: `failed again (${exitReason})`, delayMs: retryFailedMs };
  }
  if (history.recentMs.length >= maxExits) {
    const reason = `exited ${history.recentMs.length} times in ${windowMs / 1000} s (last exit: ${exitReason})`;
    return { kind: 'failed', reason, delayMs: retryFailedMs };
  }
  const boundMs = Math.min(settings.capMs, settings.baseMs * 2 ** (history.count - 1));
  return { kind: 'retry', delayMs: Math.floor(random() * boundMs) };
}

/**
 * How soon after its last exit a backend may start because somebody asks for it. Without a distance, clients
 * that call in a loop would turn a crash loop into a storm: `baseMs` while backing off, where `maxExits`
 * limits it further, `capMs` when failed, where nothing else does.
 */
export function wakeDistanceMs(state: 'backing-off' | 'failed', settings: RestartSettings): number {
  return state === 'failed' ? settings.capMs : settings.baseMs;
}
