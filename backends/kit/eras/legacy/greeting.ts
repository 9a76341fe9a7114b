import type { JsonObject } from '../../../../src/protocol/json.js';
import {
  isLegacyRevision,
  type LegacyRevision,
  newestLegacyRevision,
} from '../../../../src/protocol/revisions.js';
import { quote } from '../../quote.js';
import { RpcError } from '../../rpc-error.js';
import { type ServerDefinition, serverInfo } from '../../server-definition.js';

/**
 * The revision to speak: the one the client asks for if we know it, else our newest, which the client may
 * then refuse by hanging up. [MCP 2025-11-25 lifecycle § Version Negotiation]
 */
export function negotiateRevision(params: JsonObject): LegacyRevision {
  const { protocolVersion } = params;
  if (typeof protocolVersion !== 'string') {
    throw new RpcError(
      'invalidParams',
      `initialize needs "protocolVersion", a string such as "${newestLegacyRevision}", got ${quote(protocolVersion)}`,
    );
  }
  return isLegacyRevision(protocolVersion) ? protocolVersion : newestLegacyRevision;
}

/** The answer to `initialize`. */
export function initializeResult(
  definition: ServerDefinition,
  capabilities: JsonObject,
  revision: LegacyRevision,
): JsonObject {
  const { instructions } = definition;
  return {
    protocolVersion: revision,
    capabilities,
    serverInfo: serverInfo(definition),
    ...(instructions === undefined ? {} : { instructions }),
  };
}
