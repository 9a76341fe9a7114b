import type { Catalog, SessionCatalog } from '../catalog/catalog.js';
import { changedKinds } from '../catalog/diff.js';
import type { CatalogSource } from '../catalog/source.js';
import type { Listing, ListKind } from '../protocol/listing.js';
import type { BackendKey } from '../shared/ids.js';
import { hasCapability } from './capabilities.js';
import type { Lane } from './lane.js';
import type { OwnBackends } from './own-backends.js';
import type { SessionRecord } from './session-record.js';
import { MatchBudget, ownerOfUri, SeenLinks, type UriOwner } from './uris.js';

/** A session's own entries, and the catalog with them in it. */
interface Overlay {
  readonly sources: Map<BackendKey, CatalogSource<Lane>>;
  catalog: SessionCatalog<Lane>;
}

/** What each session can reach: the shared catalog and lanes, and those of its own processes. */
export class Reach {
  readonly links = new SeenLinks();
  readonly #catalog: Catalog<Lane>;
  readonly #shared: readonly Lane[];
  readonly #own: OwnBackends;
  readonly #overlays = new Map<SessionRecord, Overlay>();

  constructor(catalog: Catalog<Lane>, shared: readonly Lane[], own: OwnBackends) {
    this.#catalog = catalog;
    this.#shared = shared;
    this.#own = own;
  }

  /** Sessions with entries of their own, for checks. */
  get size(): number {
    return this.#overlays.size;
  }

  catalogOf(session: SessionRecord): SessionCatalog<Lane> {
    return this.#overlays.get(session)?.catalog ?? this.#catalog;
  }

  lanesOf(session: SessionRecord): readonly Lane[] {
    return [...this.#shared, ...this.#own.lanes(session)];
  }

  /** Whether what a lane's backend offers is known to those who can reach it. */
  isListed({ port, session }: Lane): boolean {
    return session === undefined
      ? this.#catalog.isListed(port.key)
      : this.#overlays.get(session)?.sources.has(port.key) === true;
  }

  /** Whether a backend that a session can reach has a capability, or may turn out to have it. */
  mayHave(session: SessionRecord, capability: readonly string[]): boolean {
    const lanes = this.lanesOf(session);
    const unbegun = this.#own.configured.filter(({ key }) => lanes.every(({ port }) => port.key !== key));
    return (
      lanes.some(({ port, peer }) =>
        peer === undefined ? port.state.kind !== 'off' : hasCapability(peer, capability),
      ) || unbegun.some(({ off }) => off === undefined)
    );
  }

  ownerOfUri(session: SessionRecord, uri: string, budget = new MatchBudget()): UriOwner | undefined {
    return ownerOfUri(this.catalogOf(session), this.lanesOf(session), this.links, uri, budget);
  }

  /** How a session sees a URI that a backend wrote: with a prefix where the plain one would lead elsewhere. */
  shownUri(session: SessionRecord, lane: Lane, uri: string, budget = new MatchBudget()): string {
    const { view } = this.catalogOf(session);
    const shown = view.shownUri(lane.port.key, uri);
    if (shown !== uri) return shown;
    const owner = this.ownerOfUri(session, uri, budget);
    return owner === undefined || owner.lane === lane ? uri : view.prefixedUri(lane.port.key, uri);
  }

  /** A new listing. @returns the kinds that read differently now to somebody. */
  listed(lane: Lane, listing: Listing): ReadonlySet<ListKind> {
    const { key, namespace, tools, uris } = lane.port.settings;
    const source = { owner: lane, key, namespace, tools, uris, listing };
    if (lane.session === undefined) return this.#sharedChanged(this.#catalog.put(source));
    const overlay = this.#overlays.get(lane.session) ?? { sources: new Map(), catalog: this.#catalog };
    overlay.sources.set(key, source);
    this.#overlays.set(lane.session, overlay);
    return new Set(this.#renew(overlay));
  }

  /** A backend's entries go. @returns the kinds that read differently now to somebody. */
  unlisted({ port, session }: Lane): ReadonlySet<ListKind> {
    if (session === undefined) return this.#sharedChanged(this.#catalog.remove(port.key));
    const overlay = this.#overlays.get(session);
    if (overlay?.sources.delete(port.key) !== true) return new Set();
    return new Set(this.#renew(overlay));
  }

  ended(session: SessionRecord): void {
    this.#overlays.delete(session);
  }

  #sharedChanged(kinds: readonly ListKind[]): ReadonlySet<ListKind> {
    const all = new Set(kinds);
    for (const overlay of this.#overlays.values()) {
      for (const kind of this.#renew(overlay)) all.add(kind);
    }
    return all;
  }

  #renew(overlay: Overlay): readonly ListKind[] {
    const before = overlay.catalog.view;
    overlay.catalog = this.#catalog.overlay(overlay.sources);
    return changedKinds(before, overlay.catalog.view);
  }
}
