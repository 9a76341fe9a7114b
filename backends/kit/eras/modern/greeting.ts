import type { JsonObject } from '../../../../src/protocol/json.js';
import type { ServerDefinition } from '../../server-definition.js';
import { modernRevisions } from './envelope.js';

/** The answer to `server/discover`. [MCP 2026-07-28 schema § DiscoverResult] */
export function discoverResult({ instructions }: ServerDefinition, capabilities: JsonObject): JsonObject {
  return {
    supportedVersions: modernRevisions,
    capabilities,
    ...(instructions === undefined ? {} : { instructions }),
  };
}
