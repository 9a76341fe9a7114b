import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactSum } from '../../../../backends/text-stats/exact-sum.js';

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });

describe('exactSum', () => {
  it.each([
    [Array<number>(10).fill(0.1), 1],
    [[0.1, 0.2, 0.3], 0.6],
    [[1e308, 1e308, -1e308], 1e308],
    [[1e308, -1e308, 5e-324], 5e-324],
    [[1, 1e100, 1, -1e100], 2],
    [[Number.MAX_VALUE, Number.MAX_VALUE], Number.POSITIVE_INFINITY],
    [[-Number.MAX_VALUE, -Number.MAX_VALUE], Number.NEGATIVE_INFINITY],
    [[5e-324, 5e-324, 5e-324], 1.5e-323],
    [[2.2250738585072014e-308, -5e-324], 2.225073858507201e-308],
    [[-0], 0],
    [[], 0],
  ])('adds %j to %d', (numbers, sum) => {
    expect(exactSum(numbers)).toBe(sum);
  });

  it('rounds a tie to even, and away from even when anything at all breaks the tie', () => {
    const tie = 2 ** 53;
    expect(exactSum([tie, 1])).toBe(tie);
    expect(exactSum([tie, 1, 5e-324])).toBe(tie + 2);
    expect(exactSum([tie + 2, 1])).toBe(tie + 4);
    expect(exactSum([tie + 2, 1, -5e-324])).toBe(tie + 2);
  });

  it('rounds up to infinity exactly where a double would', () => {
    const halfUnit = 2 ** 970;
    expect(exactSum([Number.MAX_VALUE, halfUnit])).toBe(Number.POSITIVE_INFINITY);
    expect(exactSum([Number.MAX_VALUE, halfUnit, -5e-324])).toBe(Number.MAX_VALUE);
  });

  it('gives a single number back, for every finite double', () => {
    fc.assert(
      fc.property(finite, (number) => {
        expect(exactSum([number])).toBe(number + 0);
      }),
    );
  });

  it('adds two numbers as the processor does, for every pair', () => {
    fc.assert(
      fc.property(finite, finite, (a, b) => {
        expect(exactSum([a, b])).toBe(a + b + 0);
      }),
    );
  });

  it('does not depend on the order, for any list', () => {
    const listAndShuffle = fc
      .array(finite, { maxLength: 30 })
      .chain((numbers) =>
        fc.tuple(fc.constant(numbers), fc.shuffledSubarray(numbers, { minLength: numbers.length })),
      );
    fc.assert(
      fc.property(listAndShuffle, ([numbers, shuffled]) => {
        expect(exactSum(shuffled)).toBe(exactSum(numbers));
      }),
    );
  });

  it('cancels what is added and taken away again, for any list', () => {
    fc.assert(
      fc.property(fc.array(finite, { maxLength: 30 }), finite, (numbers, rest) => {
        expect(exactSum([...numbers, rest, ...numbers.map((number) => -number)])).toBe(rest + 0);
      }),
    );
  });

  it('agrees with whole-number arithmetic, for any integers', () => {
    fc.assert(
      fc.property(fc.array(fc.maxSafeInteger()), (numbers) => {
        expect(exactSum(numbers)).toBe(Number(numbers.reduce((sum, number) => sum + BigInt(number), 0n)));
      }),
    );
  });
});
