import { metaPrefix } from '../../../../src/protocol/fields.js';
import type { JsonObject } from '../../../../src/protocol/json.js';
import { lookUpResource } from '../../find-resource.js';
import type { RequestId } from '../../incoming.js';
import type { Notify, RequestContext } from '../../method.js';
import type { ResourceObserver, Resources } from '../../resource-definition.js';
import { RpcError } from '../../rpc-error.js';
import { maxSubscriptions, Subscriptions } from '../../subscriptions.js';
import { type ListenFilter, readFilter } from './listen-filter.js';

/** One `subscriptions/listen` that has been acknowledged and goes on. */
interface Listen {
  readonly id: RequestId;
  readonly resourcesListChanged: boolean;
  readonly subscriptions: Subscriptions;
  /** Answers the request. */
  end(): void;
}

/**
 * What clients hear because they listen for it. Each listen gets its own notices, tagged with its id.
 * [MCP 2026-07-28 subscriptions]
 */
export class ModernNews {
  readonly #watched: Resources | undefined;
  readonly #notify: Notify;
  readonly #listens = new Set<Listen>();
  /** What each listen counts towards the limit, from the moment it is asked for. */
  readonly #shares = new Set<{ readonly size: number }>();
  #ended = false;

  constructor(watched: Resources | undefined, notify: Notify) {
    this.#watched = watched;
    this.#notify = notify;
  }

  readonly observer: ResourceObserver = {
    updated: (listedUri) => {
      for (const { id, subscriptions } of this.#listens) {
        for (const uri of subscriptions.of(listedUri)) {
          this.#notify('notifications/resources/updated', tagged(id, { uri }));
        }
      }
    },
    listChanged: () => {
      for (const { id, resourcesListChanged } of this.#listens) {
        if (resourcesListChanged) this.#notify('notifications/resources/list_changed', tagged(id));
      }
    },
  };

  /** Resolves when `end` is called, or when the client cancels and waits for no answer. */
  async listen(params: JsonObject, { id, signal }: RequestContext): Promise<JsonObject> {
    const filter = readFilter(params);
    const leave = this.#takeShare(1 + (filter.resourceSubscriptions?.length ?? 0));
    signal.addEventListener('abort', leave);
    try {
      const subscriptions = await this.#subscribe(filter);
      if (!signal.aborted) await this.#hold(id, filter, subscriptions, signal);
    } finally {
      leave();
    }
    return tagged(id);
  }

  /** Answers every listen, and from now on each one as soon as it is acknowledged. */
  end(): void {
    this.#ended = true;
    for (const listen of this.#listens) listen.end();
  }

  /** Yields the way to give the share back. Throws an `RpcError` beyond `maxSubscriptions` in all. */
  #takeShare(size: number): () => void {
    const taken = [...this.#shares].reduce((sum, share) => sum + share.size, 0);
    if (taken + size > maxSubscriptions) {
      const message = `with these there would be more than ${maxSubscriptions} subscriptions; cancel some first`;
      throw new RpcError('invalidRequest', message);
    }
    const share = { size };
    this.#shares.add(share);
    return () => this.#shares.delete(share);
  }

  /** Subscriptions to those of the URIs that exist. */
  async #subscribe({ resourceSubscriptions = [] }: ListenFilter): Promise<Subscriptions> {
    const subscriptions = new Subscriptions();
    const watched = this.#watched;
    if (watched === undefined) return subscriptions;
    for (const uri of resourceSubscriptions) {
      const found = await lookUpResource(watched, uri);
      if (found !== undefined) subscriptions.add(uri, found.uri);
    }
    return subscriptions;
  }

  async #hold(id: RequestId, filter: ListenFilter, subscriptions: Subscriptions, signal: AbortSignal) {
    const { resourcesListChanged, resourceSubscriptions } = filter;
    const honoured = {
      ...(resourcesListChanged && { resourcesListChanged }),
      ...(resourceSubscriptions && { resourceSubscriptions: subscriptions.uris() }),
    };
    const notifications = this.#watched === undefined ? {} : honoured;
    this.#notify('notifications/subscriptions/acknowledged', tagged(id, { notifications }));

    await new Promise<void>((resolve) => {
      const end = () => {
        this.#listens.delete(listen);
        resolve();
      };
      const listen: Listen = { id, resourcesListChanged, subscriptions, end };
      this.#listens.add(listen);
      signal.addEventListener('abort', end);
      if (this.#ended) end();
    });
  }
}

/** Members with the id of the listen that they belong to. */
function tagged(id: RequestId, members: JsonObject = {}): JsonObject {
  return { _meta: { [`${metaPrefix}subscriptionId`]: id }, ...members };
}
