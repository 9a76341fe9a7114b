import type { Entry } from '../protocol/listing.js';
import type { LocalName } from '../shared/ids.js';
import type { NamingSettings } from '../shared/settings.js';
import { createToolFilter } from './filter.js';
import { plainName, qualifiedName } from './names.js';
import type { CatalogSource, NameRoute } from './source.js';
import type { WarningList } from './warnings.js';

/** The kinds whose entries are known by name. */
export type NamedKind = 'tools' | 'prompts';

const nouns = { tools: 'tool', prompts: 'prompt' } as const satisfies Record<NamedKind, string>;

/**
 * All sources' tools or prompts by qualified name, in order. Of entries with the same qualified name the first
 * stays; the others are left out with a warning.
 */
export function mergeNames<O>(
  kind: NamedKind,
  sources: readonly CatalogSource<O>[],
  naming: NamingSettings,
  warnings: WarningList,
): ReadonlyMap<string, NameRoute<O>> {
  const routes = new Map<string, NameRoute<O>>();
  for (const source of sources) {
    const changed: NameRoute<O>[] = [];
    for (const entry of visibleEntries(kind, source)) {
      const route = routeOf(source, entry, naming);
      const taken = routes.get(route.shownAs);
      if (taken !== undefined) {
        warnings.add(source.key, leftOut(kind, source, route, taken));
        continue;
      }
      routes.set(route.shownAs, route);
      if (route.shownAs !== plainName(source.namespace, entry.identifier, naming)) changed.push(route);
    }
    const [example] = changed;
    if (example !== undefined) {
      warnings.add(source.key, changedNames(kind, changed.length, example, naming));
    }
  }
  return routes;
}

function visibleEntries<O>(kind: NamedKind, source: CatalogSource<O>): readonly Entry[] {
  const entries = source.listing.entries[kind];
  if (kind === 'prompts') return entries;
  const isVisible = createToolFilter(source.tools);
  return entries.filter((entry) => isVisible(entry.identifier));
}

function routeOf<O>(source: CatalogSource<O>, entry: Entry, naming: NamingSettings): NameRoute<O> {
  return {
    owner: source.owner,
    backend: source.key,
    entry,
    localName: entry.identifier as LocalName,
    shownAs: qualifiedName(source.key, source.namespace, entry.identifier, naming),
  };
}

function leftOut<O>(
  kind: NamedKind,
  source: CatalogSource<O>,
  route: NameRoute<O>,
  taken: NameRoute<O>,
): string {
  const what = `${nouns[kind]} ${JSON.stringify(route.localName)} of backend "${source.key}" is left out`;
  if (taken.backend === source.key) return `${what}: the backend lists that name more than once`;
  return (
    `${what}: ${JSON.stringify(route.shownAs)} belongs to backend "${taken.backend}", which stands first in ` +
    `the configuration; give "${source.key}" another "namespace"`
  );
}

function changedNames<O>(
  kind: NamedKind,
  count: number,
  example: NameRoute<O>,
  naming: NamingSettings,
): string {
  return (
    `${count} ${nouns[kind]} name${count === 1 ? '' : 's'} had to be cleaned or shortened to fit ` +
    `[${naming.charset}]{1,${naming.maxLength}}, for example ${JSON.stringify(example.localName)} to ` +
    `"${example.shownAs}"; a shorter "namespace" or a larger "naming.maxLength" leaves more as they are`
  );
}
