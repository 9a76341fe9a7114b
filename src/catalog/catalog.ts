import type { Listing, ListKind } from '../protocol/listing.js';
import type { BackendKey } from '../shared/ids.js';
import type { NamingSettings } from '../shared/settings.js';
import { changedKinds } from './diff.js';
import { type CatalogView, mergeListings } from './merge.js';
import { type CatalogPages, createPages } from './pages.js';
import type { CatalogBackend, CatalogSource } from './source.js';

export interface CatalogOptions {
  readonly naming: NamingSettings;
  /** Entries per page of a list; 0 gives everything on one page. */
  readonly pageSize: number;
}

/** What all backends offer at this moment. Each change replaces view and pages whole. */
export class Catalog<O> {
  readonly #backends: readonly CatalogBackend<O>[];
  readonly #options: CatalogOptions;
  readonly #listings = new Map<BackendKey, Listing>();
  #view: CatalogView<O>;
  #pages: CatalogPages;

  /** @param backends all that may ever have a listing, in the order of the configuration. */
  constructor(backends: readonly CatalogBackend<O>[], options: CatalogOptions) {
    this.#backends = backends;
    this.#options = options;
    this.#view = mergeListings([], options.naming);
    this.#pages = createPages(this.#view, options.pageSize);
  }

  get view(): CatalogView<O> {
    return this.#view;
  }

  /** The list answers for `view`. */
  get pages(): CatalogPages {
    return this.#pages;
  }

  /** Whether a backend's entries are in the catalog: it has been listed, and has not been taken out since. */
  isListed(key: BackendKey): boolean {
    return this.#listings.has(key);
  }

  /**
   * Takes a backend's new listing, or with `undefined` takes its entries out.
   * @returns the kinds of list that read differently now; the new ones can be read already.
   */
  update(key: BackendKey, listing: Listing | undefined): readonly ListKind[] {
    if (listing === undefined) this.#listings.delete(key);
    else this.#listings.set(key, listing);
    const before = this.#view;
    this.#view = this.overlay([]);
    this.#pages = createPages(this.#view, this.#options.pageSize);
    return changedKinds(before, this.#view);
  }

  /**
   * The view of one session that has processes of its own: the current catalog with `sources` in it, each at
   * its backend's place in the configuration and instead of what that backend offers to everybody.
   */
  overlay(sources: readonly CatalogSource<O>[]): CatalogView<O> {
    const own = new Map(sources.map((source) => [source.key, source]));
    const merged = this.#backends.flatMap((backend): CatalogSource<O>[] => {
      const source = own.get(backend.key);
      if (source !== undefined) return [source];
      const listing = this.#listings.get(backend.key);
      return listing === undefined ? [] : [{ ...backend, listing }];
    });
    return mergeListings(merged, this.#options.naming);
  }
}
