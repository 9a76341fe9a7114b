import type { CatalogSource } from '../../../src/catalog/source.js';
import { type Entry, type Listing, type ListKind, lists } from '../../../src/protocol/listing.js';
import type { BackendKey } from '../../../src/shared/ids.js';
import type { NamingSettings } from '../../../src/shared/settings.js';

export const naming: NamingSettings = { separator: '__', maxLength: 64, charset: 'A-Za-z0-9_-' };

/** An entry from its exact text, which has its identifier once. */
export function entryFromText(kind: ListKind, text: string): Entry {
  const key = JSON.stringify(lists[kind].identifier);
  const match = new RegExp(`${key}\\s*:\\s*("(?:[^"\\\\]|\\\\.)*")`, 'd').exec(text);
  const [start, end] = match?.indices?.[1] ?? [];
  if (start === undefined || end === undefined) throw new Error(`no ${key} in ${text}`);
  const identifier: string = JSON.parse(text.slice(start, end));
  const before = Buffer.byteLength(text.slice(0, start));
  const length = Buffer.byteLength(text.slice(start, end));
  return { text: Buffer.from(text), identifier, identifierSpan: { start: before, end: before + length } };
}

/** A minimal entry of each kind. */
export function entry(kind: ListKind, identifier: string): Entry {
  return entryFromText(kind, JSON.stringify({ [lists[kind].identifier]: identifier, description: 'd' }));
}

/** A listing from local names, URIs and templates. */
export function listing(
  names: Partial<Record<ListKind, readonly string[]>>,
  warnings: string[] = [],
): Listing {
  const of = (kind: ListKind) => (names[kind] ?? []).map((identifier) => entry(kind, identifier));
  return {
    entries: {
      tools: of('tools'),
      prompts: of('prompts'),
      resources: of('resources'),
      resourceTemplates: of('resourceTemplates'),
    },
    warnings,
  };
}

export const emptyListing: Listing = listing({});

/** A source that its key alone describes; the owner is `process of <key>`. */
export function source(
  key: string,
  offered: Listing,
  rest: Partial<Omit<CatalogSource<string>, 'key' | 'listing'>> = {},
): CatalogSource<string> {
  return {
    owner: `process of ${key}`,
    key: key as BackendKey,
    namespace: key,
    tools: { allow: undefined, deny: [] },
    uris: 'original',
    listing: offered,
    ...rest,
  };
}
