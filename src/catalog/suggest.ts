import { distance } from 'fastest-levenshtein';

/** Names looked at for one suggestion: keeps a wrong name's cost well below a millisecond. */
const maxCandidates = 1000;
/** Longest name, in characters, for which a suggestion is looked for: the comparison grows with its square. */
const maxNameLength = 128;
/** One slip in three characters is still a slip; more is another word. */
const charactersPerSlip = 3;

/**
 * The known name that somebody who wrote `name` most likely meant: the one that is `name` with a namespace
 * in front, else the one with the fewest slips (at most a third of its characters), or `undefined`. Of equally
 * good ones the first wins. Looks at the first 1,000 known names.
 */
export function suggest(name: string, known: Iterable<string>): string | undefined {
  if (name === '' || name.length > maxNameLength) return undefined;
  let best: string | undefined;
  let bestDistance = Math.floor(name.length / charactersPerSlip) + 1;
  let looked = 0;
  for (const candidate of known) {
    looked += 1;
    if (looked > maxCandidates) break;
    if (lacksOnlyNamespace(name, candidate)) return candidate;
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const slips = distance(name, candidate);
    if (slips >= bestDistance) continue;
    best = candidate;
    bestDistance = slips;
  }
  return best;
}

/** A model often drops the namespace; what stands before the name must then end in a separator. */
function lacksOnlyNamespace(name: string, candidate: string): boolean {
  return candidate.endsWith(name) && /[^A-Za-z0-9]$/.test(candidate.slice(0, -name.length));
}
