import { exactSum } from './exact-sum.js';

/** Facts about a list of numbers. */
export interface Statistics {
  readonly count: number;
  /** Rounded once, however long the list is. Infinite when it is too large for a double. */
  readonly sum: number;
  readonly mean: number;
  readonly minimum: number;
  readonly maximum: number;
}

/** Takes at least one number, all finite. */
export function statisticsOf(numbers: readonly number[]): Statistics {
  const sum = exactSum(numbers);
  return {
    count: numbers.length,
    sum,
    mean: sum / numbers.length,
    minimum: numbers.reduce((least, number) => Math.min(least, number)),
    maximum: numbers.reduce((greatest, number) => Math.max(greatest, number)),
  };
}
