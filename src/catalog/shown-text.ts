import { splice } from '../protocol/splice.js';
import type { CatalogEntry } from './source.js';

/**
 * The JSON text that clients get for an entry, in pieces: the backend's bytes with the name or URI replaced,
 * or exactly the backend's bytes where it stays as it is.
 */
export function shownText<O>({ entry, shownAs }: CatalogEntry<O>): readonly Buffer[] {
  if (shownAs === entry.identifier) return [entry.text];
  return splice(entry.text, [{ ...entry.identifierSpan, text: JSON.stringify(shownAs) }]);
}
