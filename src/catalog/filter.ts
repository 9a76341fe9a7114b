import wildcardMatch from 'wildcard-match';
import type { BackendSettings } from '../shared/settings.js';

/** Longest name held against a glob, in characters: a longer one could make the matching slow. */
const maxMatchedLength = 1024;

/** Whether a backend's tool, by its local name, is listed and callable. */
export type ToolFilter = (localName: string) => boolean;

/**
 * Makes the filter of `tools.allow` and `tools.deny`: globs (`*` any characters, `?` one, `\` takes the next
 * one literally) that have to match the whole local name. A denied name is never let through; with an `allow`
 * list, even an empty one, only what it names is. Where there is any glob, a name of more than 1,024
 * characters is not let through.
 */
export function createToolFilter({ allow, deny }: BackendSettings['tools']): ToolFilter {
  if (allow === undefined && deny.length === 0) return () => true;
  const isAllowed = allow === undefined ? () => true : matcher(allow);
  const isDenied = matcher(deny);
  return (localName) => localName.length <= maxMatchedLength && isAllowed(localName) && !isDenied(localName);
}

function matcher(globs: readonly string[]): ToolFilter {
  if (globs.length === 0) return () => false;
  // Without a separator `*` crosses `/` and `.`; with `s` it crosses line breaks too.
  return wildcardMatch([...globs], { separator: false, flags: 's' });
}
