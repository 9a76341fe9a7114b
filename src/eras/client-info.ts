import { isJsonObject, type JsonObject } from '../protocol/json.js';

/** For a client that does not say who it is: servers refuse a client without a name or a version. */
const unnamed: JsonObject = { name: 'unnamed', version: '0' };

/** Who a client says that it is, with what every server needs to be told. [MCP 2026-07-28 schema: Implementation] */
export function readClientInfo(given: unknown): JsonObject {
  if (!isJsonObject(given)) return unnamed;
  const wrong = Object.keys(unnamed).filter((key) => typeof given[key] !== 'string');
  return wrong.length === 0
    ? given
    : { ...given, ...Object.fromEntries(wrong.map((key) => [key, unnamed[key] ?? null])) };
}
