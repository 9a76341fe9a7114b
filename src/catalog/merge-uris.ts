import type { CatalogEntry, CatalogSource } from './source.js';
import { prefixedUri } from './uris.js';
import type { WarningList } from './warnings.js';

/** The kinds whose entries are known by URI or URI template. */
export type UriKind = 'resources' | 'resourceTemplates';

const nouns = { resources: 'resource', resourceTemplates: 'resource template' } as const satisfies Record<
  UriKind,
  string
>;

/**
 * All sources' resources or templates by the URI that clients see, in order. It is the backend's own, unless
 * the source asks for prefixed ones or an earlier source has the same: then it is the prefixed one. What is
 * taken even so is left out with a warning.
 */
export function mergeUris<O>(
  kind: UriKind,
  sources: readonly CatalogSource<O>[],
  warnings: WarningList,
): ReadonlyMap<string, CatalogEntry<O>> {
  const shown = new Map<string, CatalogEntry<O>>();
  for (const source of sources) {
    for (const entry of source.listing.entries[kind]) {
      const shownAs = shownUri(source, entry.identifier, shown);
      const taken = shown.get(shownAs);
      if (taken === undefined) {
        shown.set(shownAs, { owner: source.owner, backend: source.key, entry, shownAs });
      } else {
        warnings.add(source.key, leftOut(kind, source, entry.identifier, taken));
      }
    }
  }
  return shown;
}

/** How clients see a URI of this source's, given who owns what. */
export function shownUri<O>(
  source: CatalogSource<O>,
  uri: string,
  owners: ReadonlyMap<string, CatalogEntry<O>>,
): string {
  const owner = owners.get(uri);
  const isForeign = owner !== undefined && owner.backend !== source.key;
  return source.uris === 'prefixed' || isForeign ? prefixedUri(prefixName(source), uri) : uri;
}

/** What a source's URIs are prefixed with: a bare namespace cannot tell backends apart, the key can. */
export function prefixName<O>(source: CatalogSource<O>): string {
  return source.namespace === '' ? source.key : source.namespace;
}

function leftOut<O>(kind: UriKind, source: CatalogSource<O>, uri: string, taken: CatalogEntry<O>): string {
  const what = `${nouns[kind]} ${JSON.stringify(uri)} of backend "${source.key}" is left out`;
  if (taken.backend === source.key) return `${what}: the backend lists that URI more than once`;
  return (
    `${what}: ${JSON.stringify(taken.shownAs)} belongs to backend "${taken.backend}", which stands first in ` +
    `the configuration; give "${source.key}" another "namespace"`
  );
}
