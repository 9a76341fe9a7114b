import { describe, expect, it } from 'vitest';
import { ReopenPace } from '../../../src/supervisor/reopen-pace.js';

describe('the pace of opening a stream again', () => {
  it('slows down from 1 s to 30 s for streams that end at once', () => {
    const pace = new ReopenPace();
    const delays = Array.from({ length: 7 }, (_, index) => {
      pace.opened(index * 100_000);
      return pace.ended(index * 100_000 + 10);
    });
    expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  it('is quick again after a stream that lived for a minute', () => {
    const pace = new ReopenPace();
    for (let ended = 0; ended < 5; ended += 1) {
      pace.opened(0);
      pace.ended(10);
    }
    pace.opened(1_000);
    expect(pace.ended(61_000)).toBe(1_000);
  });

  it('keeps a distance of 1 s even for somebody who waits', () => {
    const pace = new ReopenPace();
    pace.opened(5_000);
    expect([5_000, 5_400, 6_000, 9_000].map((nowMs) => pace.earliestDelay(nowMs))).toEqual([
      1_000, 600, 0, 0,
    ]);
  });
});
