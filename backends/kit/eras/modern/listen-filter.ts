import { isJsonObject, type JsonObject } from '../../../../src/protocol/json.js';
import { quote } from '../../quote.js';
import { RpcError } from '../../rpc-error.js';

/** What a client wants to hear, as far as a server of ours can have news of it. */
export interface ListenFilter {
  readonly resourcesListChanged: boolean;
  /** URIs as the client spells them; `undefined` when it did not ask. */
  readonly resourceSubscriptions: readonly string[] | undefined;
}

/**
 * Reads the filter of `subscriptions/listen`; members that it does not know are not asked for. Throws an
 * `RpcError` for one that is malformed. [MCP 2026-07-28 schema § SubscriptionFilter]
 */
export function readFilter({ notifications }: JsonObject): ListenFilter {
  if (!isJsonObject(notifications)) {
    throw new RpcError('invalidParams', `"notifications" must be an object, got ${quote(notifications)}`);
  }
  const { resourcesListChanged = false, resourceSubscriptions } = notifications;
  if (typeof resourcesListChanged !== 'boolean') {
    const got = quote(resourcesListChanged);
    throw new RpcError('invalidParams', `"notifications.resourcesListChanged" must be a boolean, got ${got}`);
  }
  if (resourceSubscriptions !== undefined && !isTexts(resourceSubscriptions)) {
    throw new RpcError('invalidParams', '"notifications.resourceSubscriptions" must be an array of URIs');
  }
  return { resourcesListChanged, resourceSubscriptions };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
