import { isJsonObject, type JsonObject } from '../protocol/json.js';

/**
 * Who a client says that it is. Servers refuse one without a name or a version; for such a client the gateway speaks
 * under its own. [MCP 2026-07-28 schema: Implementation]
 */
export function readClientInfo(given: unknown, gateway: JsonObject): JsonObject {
  const isWhole = isJsonObject(given) && typeof given.name === 'string' && typeof given.version === 'string';
  return isWhole ? given : gateway;
}
