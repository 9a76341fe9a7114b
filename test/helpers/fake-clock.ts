import type { Clock, Timer } from '../../src/shared/clock.js';

interface Entry {
  dueMs: number;
  readonly everyMs: number | undefined;
  readonly run: () => void;
}

/** A clock that stands still until the test moves it. */
export interface FakeClock extends Clock {
  /** Moves time on by `ms` milliseconds and runs what falls due, in order, each at its own moment. */
  advance(ms: number): void;
  /** Timers that are waiting. */
  readonly pending: number;
}

export function createFakeClock(): FakeClock {
  let nowMs = 0;
  const entries = new Set<Entry>();

  function add(entry: Entry): Timer {
    entries.add(entry);
    return { cancel: () => void entries.delete(entry) };
  }

  function nextDue(untilMs: number): Entry | undefined {
    let next: Entry | undefined;
    for (const entry of entries) {
      if (entry.dueMs <= untilMs && (next === undefined || entry.dueMs < next.dueMs)) next = entry;
    }
    return next;
  }

  return {
    now: () => nowMs,
    after: (ms, run) => add({ dueMs: nowMs + ms, everyMs: undefined, run }),
    every: (ms, run) => add({ dueMs: nowMs + ms, everyMs: ms, run }),
    advance(ms) {
      const untilMs = nowMs + ms;
      for (let entry = nextDue(untilMs); entry !== undefined; entry = nextDue(untilMs)) {
        nowMs = entry.dueMs;
        if (entry.everyMs === undefined) entries.delete(entry);
        else entry.dueMs += entry.everyMs;
        entry.run();
      }
      nowMs = untilMs;
    },
    get pending() {
      return entries.size;
    },
  };
}
