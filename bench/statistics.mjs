/**
 * The value below which `share` of the values lie, by nearest rank.
 * @param {readonly number[]} values at least one
 * @param {number} share between 0 and 1
 */
export function quantile(values, share) {
  const sorted = Float64Array.from(values).sort();
  const rank = Math.ceil(share * sorted.length) - 1;
  return sorted[Math.min(Math.max(rank, 0), sorted.length - 1)];
}

/** @param {readonly number[]} values at least one */
export function median(values) {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
