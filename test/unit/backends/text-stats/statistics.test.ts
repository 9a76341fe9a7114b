import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { statisticsOf } from '../../../../backends/text-stats/statistics.js';

describe('statisticsOf', () => {
  it('gives count, sum, mean, minimum and maximum', () => {
    expect(statisticsOf([4, -2, 10, 0])).toEqual({ count: 4, sum: 12, mean: 3, minimum: -2, maximum: 10 });
  });

  it('does not drift: the mean of ten times 0.1 is 0.1', () => {
    const { sum, mean } = statisticsOf(Array<number>(10).fill(0.1));
    expect({ sum, mean }).toEqual({ sum: 1, mean: 0.1 });
  });

  it('finds the extremes of a list too long to be spread as arguments', () => {
    const numbers = Array.from({ length: 200_000 }, (_, index) => index);
    expect(statisticsOf(numbers)).toMatchObject({ minimum: 0, maximum: 199_999, sum: 19_999_900_000 });
  });

  it('keeps the mean between the extremes, for any list with a finite sum', () => {
    const numbers = fc.array(fc.double({ min: -1e300, max: 1e300, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(numbers, (list) => {
        const { count, mean, minimum, maximum } = statisticsOf(list);
        expect(count).toBe(list.length);
        expect([...list].sort((a, b) => a - b).at(0) === minimum).toBe(true);
        expect([...list].sort((a, b) => a - b).at(-1) === maximum).toBe(true);
        // The sum and the division round once each; subnormal means round by their own unit.
        const slack = Math.max(Math.abs(minimum), Math.abs(maximum)) * 2 ** -51 + Number.MIN_VALUE;
        expect(mean).toBeGreaterThanOrEqual(minimum - slack);
        expect(mean).toBeLessThanOrEqual(maximum + slack);
      }),
    );
  });
});
