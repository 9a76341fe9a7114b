import { preparedToClient, resultToClient } from '../../protocol/compose.js';
import { metaKeys } from '../../protocol/fields.js';
import type { JsonObject } from '../../protocol/json.js';
import type { Dialect } from '../dialect.js';

/**
 * What may be kept of an answer that the gateway makes from several backends: nothing, because a change at any of
 * them would have to be known beforehand; and not for others, because sessions may see different things.
 * [MCP 2026-07-28 schema: CacheableResult]
 */
export const uncached = { ttlMs: 0, cacheScope: 'private' } as const;

/** Modern results name their kind and their server; lists and reads say how long they may be kept. */
export function modernDialect(serverInfo: JsonObject): Dialect {
  const _meta = { [metaKeys.serverInfo]: serverInfo };
  const listed = Buffer.from(
    `${JSON.stringify({ resultType: 'complete', ...uncached, _meta }).slice(0, -1)},`,
  );
  return {
    result: (idText, result) =>
      resultToClient(idText, JSON.stringify({ resultType: 'complete', ...result, _meta })),
    page: (idText, members) => preparedToClient(idText, [listed, members]),
    unknownResource: 'invalidParams',
  };
}
