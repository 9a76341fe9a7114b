import type { ListKind } from '../protocol/listing.js';
import type { BackendKey } from '../shared/ids.js';
import type { NamingSettings } from '../shared/settings.js';
import { mergeNames } from './merge-names.js';
import { mergeUris, prefixName, shownUri } from './merge-uris.js';
import type { CatalogEntry, CatalogSource, NameRoute, UriRoute } from './source.js';
import { originalUri, prefixedUri } from './uris.js';
import { type CatalogWarning, WarningList } from './warnings.js';

/** What clients see of all backends, and whose it is. Never changes; a new one takes its place. */
export interface CatalogView<O> {
  /** The owner of a qualified tool name. */
  tool(name: string): NameRoute<O> | undefined;
  /** The owner of a qualified prompt name. */
  prompt(name: string): NameRoute<O> | undefined;
  /** The owner of a listed resource, by the URI that clients see. */
  resource(uri: string): CatalogEntry<O> | undefined;
  /** The owner of any URI in its prefixed form, listed or not. */
  prefixed(uri: string): UriRoute<O> | undefined;
  /**
   * How clients see a URI that a backend wrote in a result or a notification: prefixed when the backend's
   * settings ask for it, or when the plain one would lead to another backend.
   */
  shownUri(backend: BackendKey, uri: string): string;
  /** A URI of a backend's in its prefixed form. */
  prefixedUri(backend: BackendKey, uri: string): string;
  /** Everything of one kind, in the order of the configuration and of each backend's listing. */
  entries(kind: ListKind): readonly CatalogEntry<O>[];
  /** What was left out, skipped, cut short or renamed, by backend. */
  readonly warnings: readonly CatalogWarning[];
}

/**
 * Merges listings into one view. The first source owns a name or URI that several have.
 * The same sources in the same order give the same view.
 *
 * @param sources in the order of the configuration, each backend at most once.
 */
export function mergeListings<O>(
  sources: readonly CatalogSource<O>[],
  naming: NamingSettings,
): CatalogView<O> {
  const warnings = new WarningList();
  for (const source of sources) {
    for (const text of source.listing.warnings) warnings.add(source.key, text);
  }
  const tools = mergeNames('tools', sources, naming, warnings);
  const prompts = mergeNames('prompts', sources, naming, warnings);
  const resources = mergeUris('resources', sources, warnings);
  const templates = mergeUris('resourceTemplates', sources, warnings);
  const entries: Record<ListKind, readonly CatalogEntry<O>[]> = {
    tools: [...tools.values()],
    prompts: [...prompts.values()],
    resources: [...resources.values()],
    resourceTemplates: [...templates.values()],
  };
  const byKey = new Map(sources.map((source) => [source.key, source]));
  return {
    tool: (name) => tools.get(name),
    prompt: (name) => prompts.get(name),
    resource: (uri) => resources.get(uri),
    prefixed: (uri) => findPrefixed(sources, uri),
    shownUri(backend, uri) {
      const source = byKey.get(backend);
      return source === undefined ? uri : shownUri(source, uri, resources);
    },
    prefixedUri(backend, uri) {
      const source = byKey.get(backend);
      return source === undefined ? uri : prefixedUri(prefixName(source), uri);
    },
    entries: (kind) => entries[kind],
    warnings: warnings.list(),
  };
}

function findPrefixed<O>(sources: readonly CatalogSource<O>[], prefixed: string): UriRoute<O> | undefined {
  for (const source of sources) {
    const uri = originalUri(prefixName(source), prefixed);
    if (uri !== undefined) return { owner: source.owner, uri };
  }
  return undefined;
}
