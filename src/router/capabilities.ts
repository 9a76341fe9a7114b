import { isJsonObject, type JsonObject } from '../protocol/json.js';
import type { BackendPeer } from './ports.js';

/**
 * What a backend can do. Completion is older than the capability that declares it: a backend of the first
 * revision may have it without a word. [MCP 2025-03-26 changelog]
 */
export function capabilitiesOf({ revision, capabilities }: BackendPeer): JsonObject {
  return revision === '2024-11-05' ? { completions: {}, ...capabilities } : capabilities;
}

/** Whether a backend declares a capability, given as the path of keys to it. */
export function hasCapability(peer: BackendPeer, path: readonly string[]): boolean {
  const found = path.reduce<unknown>(
    (parent, key) => (isJsonObject(parent) ? parent[key] : undefined),
    capabilitiesOf(peer),
  );
  return isJsonObject(found) || found === true;
}
