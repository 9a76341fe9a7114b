import { isJsonObject, type JsonObject } from '../../protocol/json.js';
import { isLegacyRevision, legacyRevisions, newestLegacyRevision } from '../../protocol/revisions.js';

/** What a legacy backend answered to `initialize`. */
export type Opening =
  | {
      readonly accepted: true;
      readonly revision: string;
      readonly capabilities: JsonObject;
      readonly serverInfo: JsonObject;
      readonly instructions: string | undefined;
    }
  | { readonly accepted: false; readonly reason: string };

/** The notification that ends the handshake. [MCP 2025-11-25 lifecycle § Initialization] */
export const initializedNotification = 'notifications/initialized';

/** Parameters of the `initialize` request that the gateway sends once per process. */
export function initializeParams(clientInfo: JsonObject, capabilities: JsonObject): JsonObject {
  return { protocolVersion: newestLegacyRevision, capabilities, clientInfo };
}

/** Reads the `initialize` result; a revision that we do not speak is a refusal that names both. */
export function readInitializeResult(result: unknown): Opening {
  if (!isJsonObject(result)) return refused('answered initialize with no object');
  const { protocolVersion, capabilities, serverInfo, instructions } = result;
  if (typeof protocolVersion !== 'string') return refused('answered initialize without a protocolVersion');
  if (!isLegacyRevision(protocolVersion)) {
    return refused(
      `speaks revision "${protocolVersion}", the gateway speaks ${legacyRevisions.join(', ')} in this era`,
    );
  }
  return {
    accepted: true,
    revision: protocolVersion,
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    serverInfo: isJsonObject(serverInfo) ? serverInfo : {},
    instructions: typeof instructions === 'string' ? instructions : undefined,
  };
}

function refused(reason: string): Opening {
  return { accepted: false, reason };
}
