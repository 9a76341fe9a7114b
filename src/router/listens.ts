import { streamEnded } from '../eras/modern/stream.js';
import { errorToClient } from '../protocol/compose.js';
import { gatewayError } from '../protocol/errors.js';
import { isJsonObject, type JsonObject } from '../protocol/json.js';
import type { ListKind } from '../protocol/listing.js';
import type { Clock, Timer } from '../shared/clock.js';
import type { AcceptedRequest } from './conversation.js';
import type { ListNotices } from './notices.js';
import type { Reach } from './reach.js';
import type { Subscriptions } from './subscriptions.js';
import { MatchBudget } from './uris.js';
import { StreamWatcher } from './watcher.js';

/** Streams that one session holds open: each can be asked for everything, so that more are hardly of use. */
const maxStreams = 16;

/**
 * How long backends may take to say whether they tell of the resources that a stream asks for. One that says nothing
 * is relied on without: most mean to, and are slow.
 */
const patienceMs = 5_000;

/** The lists that each member of a filter is about. [MCP 2026-07-28 schema: SubscriptionFilter] */
const filterKinds: Readonly<Record<string, readonly ListKind[]>> = {
  toolsListChanged: ['tools'],
  promptsListChanged: ['prompts'],
  resourcesListChanged: ['resources', 'resourceTemplates'],
};

interface Stream {
  readonly watcher: StreamWatcher;
  readonly idKey: string;
  /** What is granted of the filter: its flags, and the resources that no backend has refused. */
  readonly flags: readonly string[];
  readonly uris: Set<string>;
  /** Runs while backends have not said whether they tell of its resources. */
  patience: Timer | undefined;
}

/** The streams on which modern clients hear of changes, fed from the same notices and counts as everybody's. */
export class Listens {
  readonly #reach: Reach;
  readonly #subscriptions: Subscriptions;
  readonly #notices: ListNotices;
  readonly #clock: Clock;
  readonly #streams = new Set<Stream>();

  constructor(reach: Reach, subscriptions: Subscriptions, notices: ListNotices, clock: Clock) {
    this.#reach = reach;
    this.#subscriptions = subscriptions;
    this.#notices = notices;
    this.#clock = clock;
  }

  get size(): number {
    return this.#streams.size;
  }

  /**
   * Opens a stream. It is acknowledged with as much of what was asked for as can be had, before anything else, and
   * once its backends tell of its resources: what changes from then on must not go unheard.
   */
  take(request: AcceptedRequest): void {
    const { session, step, idKey, idText } = request;
    const { bytes, params } = step.message;
    const parsed: unknown = params && JSON.parse(bytes.toString('utf8', params.start, params.end));
    const filter = isJsonObject(parsed) ? parsed.notifications : undefined;
    if (!isJsonObject(filter)) {
      const message = '"subscriptions/listen" needs params.notifications as an object';
      session.end(idKey, errorToClient(idText, gatewayError('invalidParams', message)));
      return;
    }
    if ([...this.#streams].filter(({ watcher }) => watcher.session === session).length >= maxStreams) {
      const message = `this session has ${maxStreams} streams open, the most at once; end one first`;
      session.end(idKey, errorToClient(idText, gatewayError('overloaded', message)));
      return;
    }
    const flags = Object.keys(filterKinds).filter((flag) => filter[flag] === true);
    const watcher = new StreamWatcher(
      session,
      idText,
      new Set(flags.flatMap((flag) => filterKinds[flag] ?? [])),
      () => this.#acknowledge(stream),
    );
    const stream: Stream = { watcher, idKey, flags, uris: new Set(), patience: undefined };
    this.#streams.add(stream);
    session.open.set(idKey, {
      idText,
      isStream: true,
      cancel: () => {
        this.#forget(stream);
        session.end(idKey, undefined);
      },
    });
    this.#notices.watch(watcher);
    const asked = this.#watch(stream, filter);
    if (asked.length === 0) {
      watcher.acknowledge(granted(stream));
      return;
    }
    stream.patience = this.#clock.after(patienceMs, () => this.#acknowledge(stream));
    void Promise.all(asked).then(() => this.#acknowledge(stream));
  }

  /** The gateway is being stopped: every stream gets its result. */
  end(): void {
    for (const stream of [...this.#streams]) {
      const { watcher, idKey } = stream;
      this.#acknowledge(stream);
      this.#forget(stream);
      watcher.session.end(idKey, streamEnded(watcher.idText));
    }
  }

  /**
   * Asks for updates of those resources that have an owner.
   * @returns what resolves for each of them once it is settled whether its updates come
   */
  #watch({ watcher, uris }: Stream, { resourceSubscriptions }: JsonObject): readonly Promise<void>[] {
    if (!Array.isArray(resourceSubscriptions)) return [];
    const budget = new MatchBudget();
    return resourceSubscriptions.flatMap((shown) => {
      if (typeof shown !== 'string') return [];
      const owner = this.#reach.ownerOfUri(watcher.session, shown, budget);
      if (owner === undefined) return [];
      const told = this.#subscriptions.watch(watcher, { lane: owner.lane, shown, local: owner.uri });
      if (told === undefined) return [];
      uris.add(shown);
      return told.then((isTold) => {
        if (!isTold) uris.delete(shown);
      });
    });
  }

  #acknowledge(stream: Stream): void {
    const { watcher, patience } = stream;
    if (patience === undefined) return;
    patience.cancel();
    stream.patience = undefined;
    watcher.acknowledge(granted(stream));
  }

  #forget(stream: Stream): void {
    stream.patience?.cancel();
    stream.patience = undefined;
    this.#streams.delete(stream);
    this.#notices.unwatch(stream.watcher);
    this.#subscriptions.ended(stream.watcher);
  }
}

function granted({ flags, uris }: Stream): JsonObject {
  return {
    ...Object.fromEntries(flags.map((flag) => [flag, true])),
    ...(uris.size === 0 ? {} : { resourceSubscriptions: [...uris] }),
  };
}
