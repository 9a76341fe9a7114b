import { type ListKind, listKinds } from '../protocol/listing.js';
import type { CatalogView } from './merge.js';
import { shownText } from './shown-text.js';
import type { CatalogEntry } from './source.js';

/** The kinds whose list, as clients read it, differs between two views in content or order. */
export function changedKinds<O>(before: CatalogView<O>, after: CatalogView<O>): readonly ListKind[] {
  return listKinds.filter((kind) => !isSameList(before.entries(kind), after.entries(kind)));
}

/** Whether two lists read the same, in content and order. */
export function isSameList<O>(
  before: readonly CatalogEntry<O>[],
  after: readonly CatalogEntry<O>[],
): boolean {
  return (
    before.length === after.length &&
    before.every((entry, index) => {
      const other = after[index];
      return other !== undefined && isSameText(entry, other);
    })
  );
}

function isSameText<O>(one: CatalogEntry<O>, other: CatalogEntry<O>): boolean {
  if (one.shownAs !== other.shownAs) return false;
  // Equal originals read equal; others still do when only the replaced name was written in another way.
  return (
    one.entry.text.equals(other.entry.text) ||
    Buffer.concat(shownText(one)).equals(Buffer.concat(shownText(other)))
  );
}
