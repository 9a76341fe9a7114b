import type { JsonObject } from '../../../../src/protocol/json.js';

/**
 * What the definition fixes is the same for every client and as long as the process runs. A client behind a
 * gateway can outlive the process, and its successor may be another version: a minute bounds how long such a
 * client goes on with the old lists, and saves one that lists before each call nearly all of its requests.
 */
const fixed: JsonObject = { ttlMs: 60_000, cacheScope: 'public' };

/** What may be another the next moment, and may be somebody's own. */
const changing: JsonObject = { ttlMs: 0, cacheScope: 'private' };

/** How long an answer may be kept and by whom, for each method whose answers must say. [MCP 2026-07-28 schema § CacheableResult] */
export const freshness: ReadonlyMap<string, JsonObject> = new Map([
  ['server/discover', fixed],
  ['tools/list', fixed],
  ['prompts/list', fixed],
  ['resources/templates/list', fixed],
  ['resources/list', changing],
  ['resources/read', changing],
]);
