import type { SessionCatalog } from '../catalog/catalog.js';
import type { CatalogEntry } from '../catalog/source.js';
import { UriTemplate } from '../catalog/uri-template.js';
import type { Entry } from '../protocol/listing.js';
import type { Lane } from './lane.js';

/** Where a URI leads: a backend, and what it is called there. */
export interface UriOwner {
  readonly lane: Lane;
  readonly uri: string;
}

/** Links kept per backend: what one conversation is about, while a backend that makes up links costs little. */
const maxLinks = 1_000;
/** Longest link kept, in characters: far above what servers and browsers take for an address. */
const maxLinkLength = 8_192;

/** The URIs that backends mentioned in their results, by backend, oldest first. */
export class SeenLinks {
  readonly #byLane = new WeakMap<Lane, Set<string>>();

  add(lane: Lane, uri: string): void {
    if (uri.length > maxLinkLength) return;
    const links = this.#byLane.get(lane) ?? new Set();
    this.#byLane.set(lane, links);
    links.delete(uri);
    links.add(uri);
    const [oldest] = links;
    if (links.size > maxLinks && oldest !== undefined) links.delete(oldest);
  }

  has(lane: Lane, uri: string): boolean {
    return this.#byLane.get(lane)?.has(uri) === true;
  }
}

/**
 * Steps that matching with templates may take for one message, less than 100 ms: one with thousands of URIs, at a backend
 * with thousands of templates, must not hold up everybody.
 */
const maxSteps = 3_000_000;

/** What is left of those steps. */
export class MatchBudget {
  #left = maxSteps;

  /** @returns whether there was as much left */
  spend(steps: number): boolean {
    this.#left -= steps;
    return this.#left >= 0;
  }
}

const templates = new WeakMap<Entry, UriTemplate>();

/**
 * Finds the owner of a URI as a client writes it: by exact entry, then by template as long as the budget lasts, then
 * by links that were seen, then by prefix.
 *
 * @param lanes those that the client's session can reach, in configuration order
 * @param budget of the message in which the URI stands
 */
export function ownerOfUri(
  { view }: SessionCatalog<Lane>,
  lanes: Iterable<Lane>,
  links: SeenLinks,
  uri: string,
  budget: MatchBudget,
): UriOwner | undefined {
  const entry = view.resource(uri);
  if (entry !== undefined) return { lane: entry.owner, uri: entry.entry.identifier };
  for (const shown of view.entries('resourceTemplates')) {
    const template = templateOf(shown.entry);
    const local = localForm(shown, uri);
    if (!budget.spend(template.cost(local))) break;
    if (template.matches(local)) return { lane: shown.owner, uri: local };
  }
  for (const lane of lanes) {
    if (links.has(lane, uri)) return { lane, uri };
  }
  const prefixed = view.prefixed(uri);
  return prefixed && { lane: prefixed.owner, uri: prefixed.uri };
}

/** What a client's URI is called at a template's owner: shown with a prefix, the template matches without it. */
function localForm({ shownAs, entry }: CatalogEntry<Lane>, uri: string): string {
  const prefixLength = shownAs.length - entry.identifier.length;
  return uri.startsWith(shownAs.slice(0, prefixLength)) ? uri.slice(prefixLength) : '';
}

function templateOf(entry: Entry): UriTemplate {
  const known = templates.get(entry);
  if (known !== undefined) return known;
  const template = new UriTemplate(entry.identifier);
  templates.set(entry, template);
  return template;
}
