import type { ListKind } from '../protocol/listing.js';
import type { BackendKey } from '../shared/ids.js';
import type { NamingSettings } from '../shared/settings.js';
import { changedKinds } from './diff.js';
import { type CatalogView, mergeListings } from './merge.js';
import { type CatalogPages, createPages } from './pages.js';
import type { CatalogSource } from './source.js';

export interface CatalogOptions {
  readonly naming: NamingSettings;
  /** Entries per page of a list; 0 gives everything on one page. */
  readonly pageSize: number;
}

/** A view of the catalog with the list answers for it. */
export interface SessionCatalog<O> {
  readonly view: CatalogView<O>;
  readonly pages: CatalogPages;
}

/** What all backends offer at this moment. Each change replaces view and pages whole. */
export class Catalog<O> implements SessionCatalog<O> {
  readonly #order: readonly BackendKey[];
  readonly #options: CatalogOptions;
  readonly #sources = new Map<BackendKey, CatalogSource<O>>();
  #current: SessionCatalog<O>;

  /** @param order all backends that may ever have a listing, in the order of the configuration. */
  constructor(order: readonly BackendKey[], options: CatalogOptions) {
    this.#order = order;
    this.#options = options;
    this.#current = this.overlay(new Map());
  }

  get view(): CatalogView<O> {
    return this.#current.view;
  }

  /** The list answers for `view`. */
  get pages(): CatalogPages {
    return this.#current.pages;
  }

  /** Whether a backend's entries are in the catalog: it has been listed, and has not been taken out since. */
  isListed(key: BackendKey): boolean {
    return this.#sources.has(key);
  }

  /**
   * Takes a backend's new listing in.
   * @returns the kinds of list that read differently now; the new ones can be read already.
   */
  put(source: CatalogSource<O>): readonly ListKind[] {
    this.#sources.set(source.key, source);
    return this.#renew();
  }

  /** Takes a backend's entries out. @returns the kinds of list that read differently now. */
  remove(key: BackendKey): readonly ListKind[] {
    return this.#sources.delete(key) ? this.#renew() : [];
  }

  /**
   * What one session sees that has processes of its own: the current catalog with `own` in it, each at its
   * backend's place in the configuration.
   */
  overlay(own: ReadonlyMap<BackendKey, CatalogSource<O>>): SessionCatalog<O> {
    const merged = this.#order.flatMap((key) => own.get(key) ?? this.#sources.get(key) ?? []);
    const view = mergeListings(merged, this.#options.naming);
    return { view, pages: createPages(view, this.#options.pageSize) };
  }

  #renew(): readonly ListKind[] {
    const before = this.#current.view;
    this.#current = this.overlay(new Map());
    return changedKinds(before, this.#current.view);
  }
}
