import type { Entry, Listing } from '../protocol/listing.js';
import type { BackendKey, LocalName } from '../shared/ids.js';
import type { BackendSettings } from '../shared/settings.js';

/**
 * A backend as the catalog sees it. `owner` is whatever handle the catalog's user routes to; a
 * `BackendSettings` with an `owner` beside it fits.
 */
interface CatalogBackend<O> extends Pick<BackendSettings, 'key' | 'namespace' | 'tools' | 'uris'> {
  readonly owner: O;
}

/** A backend and what it offers. */
export interface CatalogSource<O> extends CatalogBackend<O> {
  readonly listing: Listing;
}

/** One tool, prompt, resource or template in the catalog. */
export interface CatalogEntry<O> {
  readonly owner: O;
  readonly backend: BackendKey;
  /** As its backend wrote it; `entry.identifier` is the local name, URI or template. */
  readonly entry: Entry;
  /** The name, URI or template under which clients see it. */
  readonly shownAs: string;
}

/** A tool or prompt, with the name to call it by at its owner. */
export interface NameRoute<O> extends CatalogEntry<O> {
  readonly localName: LocalName;
}

/** A URI of a backend's, recognised by its prefix. */
export interface UriRoute<O> {
  readonly owner: O;
  /** The backend's own form. */
  readonly uri: string;
}
