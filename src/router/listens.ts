import { noticeOnStream, streamEnded } from '../eras/modern/stream.js';
import { errorToClient } from '../protocol/compose.js';
import { gatewayError } from '../protocol/errors.js';
import { isJsonObject, type JsonObject } from '../protocol/json.js';
import type { ListKind } from '../protocol/listing.js';
import type { AcceptedRequest } from './conversation.js';
import type { ListNotices } from './notices.js';
import type { Reach } from './reach.js';
import type { Subscriptions } from './subscriptions.js';
import { MatchBudget } from './uris.js';
import { StreamWatcher } from './watcher.js';

/** Streams that one session holds open: each can be asked for everything, so that more are hardly of use. */
const maxStreams = 16;

/** The lists that each member of a filter is about. [MCP 2026-07-28 schema: SubscriptionFilter] */
const filterKinds: Readonly<Record<string, readonly ListKind[]>> = {
  toolsListChanged: ['tools'],
  promptsListChanged: ['prompts'],
  resourcesListChanged: ['resources', 'resourceTemplates'],
};

interface Stream {
  readonly watcher: StreamWatcher;
  readonly idKey: string;
}

/** The streams on which modern clients hear of changes, fed from the same notices and counts as everybody's. */
export class Listens {
  readonly #reach: Reach;
  readonly #subscriptions: Subscriptions;
  readonly #notices: ListNotices;
  readonly #streams = new Set<Stream>();

  constructor(reach: Reach, subscriptions: Subscriptions, notices: ListNotices) {
    this.#reach = reach;
    this.#subscriptions = subscriptions;
    this.#notices = notices;
  }

  get size(): number {
    return this.#streams.size;
  }

  /** Opens a stream: acknowledged first, with as much of what was asked for as can be had. */
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
    );
    const stream: Stream = { watcher, idKey };
    this.#streams.add(stream);
    session.open.set(idKey, {
      idText,
      cancel: () => {
        this.#forget(stream);
        session.end(idKey, undefined);
      },
    });
    const uris = this.#watch(watcher, filter);
    const granted: JsonObject = Object.fromEntries(flags.map((flag) => [flag, true]));
    const notifications = uris.length === 0 ? granted : { ...granted, resourceSubscriptions: uris };
    session.port.send(noticeOnStream(idText, 'notifications/subscriptions/acknowledged', { notifications }));
    this.#notices.watch(watcher);
  }

  /** The gateway is being stopped: every stream gets its result. */
  end(): void {
    for (const stream of [...this.#streams]) {
      const { watcher, idKey } = stream;
      this.#forget(stream);
      watcher.session.end(idKey, streamEnded(watcher.idText));
    }
  }

  /** @returns the URIs of those resources that have an owner */
  #watch(watcher: StreamWatcher, { resourceSubscriptions }: JsonObject): readonly string[] {
    if (!Array.isArray(resourceSubscriptions)) return [];
    const budget = new MatchBudget();
    return resourceSubscriptions.filter((uri): uri is string => {
      if (typeof uri !== 'string') return false;
      const owner = this.#reach.ownerOfUri(watcher.session, uri, budget);
      if (owner === undefined) return false;
      return this.#subscriptions.watch(watcher, { lane: owner.lane, shown: uri, local: owner.uri });
    });
  }

  #forget(stream: Stream): void {
    this.#streams.delete(stream);
    this.#notices.unwatch(stream.watcher);
    this.#subscriptions.ended(stream.watcher);
  }
}
