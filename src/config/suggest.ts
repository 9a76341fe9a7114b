import { closest, distance } from 'fastest-levenshtein';

/**
 * The known word that `word` was probably meant to be, or `undefined` if none is near: at most half of its
 * letters and no more than three may differ, upper and lower case being the same.
 */
export function suggest(word: string, known: readonly string[]): string | undefined {
  const byLowerCase = new Map(known.map((candidate) => [candidate.toLowerCase(), candidate]));
  if (byLowerCase.size === 0) return undefined;
  const lowerCase = word.toLowerCase();
  const nearest = closest(lowerCase, [...byLowerCase.keys()]);
  const tolerance = Math.min(3, Math.floor(word.length / 2));
  return distance(lowerCase, nearest) <= tolerance ? byLowerCase.get(nearest) : undefined;
}
