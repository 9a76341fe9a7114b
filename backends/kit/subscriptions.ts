import { RpcError } from './rpc-error.js';

/**
 * Most URIs that one client may subscribe to: far more than anybody watches, and few enough that a client
 * which subscribes to ever new spellings of a URI cannot exhaust the memory.
 */
export const maxSubscriptions = 10_000;

/** The resources that a client wants to hear of. Updates are told under the spelling that was subscribed to. */
export class Subscriptions {
  /** From the spelling of the client to that of the list. */
  readonly #listedUris = new Map<string, string>();

  /** Throws an `RpcError` beyond `maxSubscriptions`. */
  add(uri: string, listedUri: string): void {
    if (this.#listedUris.size >= maxSubscriptions && !this.#listedUris.has(uri)) {
      throw new RpcError(
        'invalidRequest',
        `there are ${maxSubscriptions} subscriptions already; unsubscribe from some first`,
      );
    }
    this.#listedUris.set(uri, listedUri);
  }

  delete(uri: string): void {
    this.#listedUris.delete(uri);
  }

  /** All subscribed spellings. */
  uris(): readonly string[] {
    return [...this.#listedUris.keys()];
  }

  /** The subscribed spellings of a listed URI. */
  of(listedUri: string): readonly string[] {
    return [...this.#listedUris].flatMap(([uri, listed]) => (listed === listedUri ? [uri] : []));
  }
}
