import { describe, expect, it } from 'vitest';
import { RefreshPace } from '../../../src/supervisor/refresh-pace.js';

/** Feeds a notice every `everyMs` from `fromMs` to `untilMs` and reads whenever due; returns when it read. */
function readings(
  pace: RefreshPace,
  fromMs: number,
  untilMs: number,
  everyMs: number,
  changed: boolean,
): number[] {
  const readAtMs: number[] = [];
  for (let nowMs = fromMs; nowMs <= untilMs; nowMs += everyMs) {
    if (pace.dueMs !== undefined && pace.dueMs <= nowMs) {
      readAtMs.push(nowMs);
      pace.begin();
      pace.end(changed);
    }
    pace.notice(nowMs);
  }
  return readAtMs;
}

describe('the pace of refreshes', () => {
  it('has nothing due before a notice', () => {
    expect(new RefreshPace().dueMs).toBeUndefined();
  });

  it('waits 100 ms after the last notice of a burst', () => {
    const pace = new RefreshPace();
    pace.notice(0);
    pace.notice(50);
    expect(pace.dueMs).toBe(150);
  });

  it('waits at most 1 s for a burst to end', () => {
    const pace = new RefreshPace();
    for (let nowMs = 0; nowMs <= 990; nowMs += 10) pace.notice(nowMs);
    expect(pace.dueMs).toBe(1_000);
  });

  it('reads every second while each reading shows a change', () => {
    expect(readings(new RefreshPace(), 0, 4_500, 10, true)).toEqual([1_000, 2_000, 3_000, 4_000]);
  });

  it('reads ever more rarely while none does, down to every 30 s', () => {
    const gaps = readings(new RefreshPace(), 0, 200_000, 50, false).map(
      (atMs, index, all) => atMs - (all[index - 1] ?? 0),
    );
    expect(gaps).toEqual([
      1_000, 1_000, 1_000, 1_000, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000, 30_000, 30_000,
    ]);
  });

  it('falls back to 100 ms after a change', () => {
    const pace = new RefreshPace();
    readings(pace, 0, 20_000, 100, false);
    pace.begin();
    pace.end(true);
    pace.notice(20_100);
    expect(pace.dueMs).toBe(20_200);
  });

  it('falls back to 100 ms after a quiet minute', () => {
    const pace = new RefreshPace();
    readings(pace, 0, 20_000, 100, false);
    pace.begin();
    pace.notice(80_000);
    expect(pace.dueMs).toBe(80_100);
  });
});
