/**
 * The list with another beginning: A B C, B C A, C A B, …
 * @template T
 * @param {readonly T[]} list
 * @param {number} by
 */
export function turned(list, by) {
  const first = by % list.length;
  return [...list.slice(first), ...list.slice(0, first)];
}
