import type { JsonObject } from '../protocol/json.js';
import { type Entry, type Listing, type ListKind, listKinds, lists } from '../protocol/listing.js';
import type { Clock } from '../shared/clock.js';
import { type Ask, type ListWalk, walkList } from './listing-walk.js';

const nothing: ListWalk = { entries: [], warnings: [], unknownMethod: false };

/** Which lists a notice of a change speaks of. */
const changedKinds: ReadonlyMap<string, readonly ListKind[]> = new Map([
  ['notifications/tools/list_changed', ['tools']],
  ['notifications/prompts/list_changed', ['prompts']],
  ['notifications/resources/list_changed', ['resources', 'resourceTemplates']],
] as const);

/** The lists that `method` announces as changed; `undefined` when it is not such a notice. */
export function kindsAnnouncedBy(method: string): readonly ListKind[] | undefined {
  return changedKinds.get(method);
}

/** What one process offers, and what it has no method for. */
export class ListingReader {
  readonly #ask: Ask;
  readonly #clock: Clock;
  readonly #capabilities: JsonObject;
  readonly #walks = new Map<ListKind, ListWalk>();

  constructor(ask: Ask, clock: Clock, capabilities: JsonObject) {
    this.#ask = ask;
    this.#clock = clock;
    this.#capabilities = capabilities;
  }

  /**
   * Reads the lists named, side by side; the others stay as they are. A list whose method the process did
   * not know is never asked for again.
   * @returns whether any entry differs from before
   * @throws {BackendError} `ended` when the process ends meanwhile
   */
  async read(kinds: Iterable<ListKind> = listKinds): Promise<boolean> {
    const wanted = [...kinds].filter((kind) => this.#isAsked(kind));
    const walks = await Promise.all(wanted.map((kind) => this.#walk(kind)));
    let changed = false;
    for (const [index, kind] of wanted.entries()) {
      const walk = walks[index] ?? nothing;
      changed ||= !sameEntries(this.#walkOf(kind).entries, walk.entries);
      this.#walks.set(kind, walk);
    }
    return changed;
  }

  get listing(): Listing {
    return {
      entries: {
        tools: this.#walkOf('tools').entries,
        prompts: this.#walkOf('prompts').entries,
        resources: this.#walkOf('resources').entries,
        resourceTemplates: this.#walkOf('resourceTemplates').entries,
      },
      warnings: listKinds.flatMap((kind) => this.#walkOf(kind).warnings),
    };
  }

  /** Tools are tried in any case: some servers forget to say that they have them. */
  #isAsked(kind: ListKind): boolean {
    if (this.#walkOf(kind).unknownMethod) return false;
    return kind === 'tools' || this.#isAdvertised(kind);
  }

  #isAdvertised(kind: ListKind): boolean {
    return this.#capabilities[lists[kind].capability] !== undefined;
  }

  #walk(kind: ListKind): Promise<ListWalk> {
    return walkList(kind, this.#ask, this.#clock, this.#isAdvertised(kind));
  }

  #walkOf(kind: ListKind): ListWalk {
    return this.#walks.get(kind) ?? nothing;
  }
}

function sameEntries(before: readonly Entry[], after: readonly Entry[]): boolean {
  return (
    before.length === after.length && before.every((entry, index) => after[index]?.text.equals(entry.text))
  );
}
