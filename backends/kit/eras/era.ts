import type { JsonObject } from '../../../src/protocol/json.js';
import type { Feature } from '../feature.js';
import type { Method, Notify } from '../method.js';
import type { ResourceObserver, Resources } from '../resource-definition.js';
import type { RpcError } from '../rpc-error.js';
import type { ServerDefinition } from '../server-definition.js';

/**
 * A family of revisions: which methods a server has in it, and how its answers look. What a server can do is
 * said once, in its features; an era puts it into words.
 */
export interface Era {
  /** Those of the features and the era's own. A method that the era lacks is absent. */
  readonly methods: ReadonlyMap<string, Method>;
  /** What the era does on a client's notification; others mean nothing to it. */
  readonly notifications: ReadonlyMap<string, () => void>;
  /** Hears what changes, and tells who wants to know. */
  readonly observer: ResourceObserver;
  /** The revision in which a request is answered. Throws an `RpcError` for a request that cannot be. */
  revisionOf(params: JsonObject): string;
  /** A method's result as it stands on the wire. */
  toResult(method: string, result: JsonObject): JsonObject;
  /** An error as it stands on the wire. */
  toError(error: RpcError): JsonObject;
  /** Ends requests that last as long as the server does; they are answered. Absent in an era that has none. */
  end?(): void;
}

/** What an era knows of its server. */
export interface EraOptions {
  readonly definition: ServerDefinition;
  /** What the server can do, whatever the era. */
  readonly features: Feature;
  /** The resources, if they are watched: there is news of them. */
  readonly watched: Resources | undefined;
  readonly notify: Notify;
}
