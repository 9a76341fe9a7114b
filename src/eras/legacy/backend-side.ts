import { isJsonObject, type JsonObject } from '../../protocol/json.js';
import { isLegacyRevision, legacyRevisions, newestLegacyRevision } from '../../protocol/revisions.js';
import type { BackendSide, Caller, ChangesOnRequest, Opening } from '../backend-side.js';

/** A backend of the revisions 2024-11-05 to 2025-11-25: one handshake, whose terms hold for the process. */
export function legacyBackendSide({ clientInfo, capabilities }: Caller): BackendSide {
  return {
    era: 'legacy',
    // [MCP 2025-11-25 lifecycle § Initialization]
    opening: {
      method: 'initialize',
      params: { protocolVersion: newestLegacyRevision, capabilities, clientInfo },
    },
    opened: { method: 'notifications/initialized', params: undefined },
    readOpening: readInitializeResult,
    afterError: () => undefined,
    requestParams: unchanged,
    notificationParams: unchanged,
    changes,
  };
}

/** [MCP 2025-11-25 resources § Subscriptions] */
const changes: ChangesOnRequest = {
  on: 'request',
  subscribe: (uri) => ({ method: 'resources/subscribe', params: { uri } }),
  unsubscribe: (uri) => ({ method: 'resources/unsubscribe', params: { uri } }),
};

/** A revision that we do not speak is a refusal that names both. */
function readInitializeResult(result: unknown): Opening {
  if (!isJsonObject(result)) return refused('answered initialize with no object');
  const { protocolVersion, capabilities, serverInfo, instructions } = result;
  if (typeof protocolVersion !== 'string') return refused('answered initialize without a protocolVersion');
  if (!isLegacyRevision(protocolVersion)) {
    return refused(
      `speaks revision "${protocolVersion}", the gateway speaks ${legacyRevisions.join(', ')} in this era`,
    );
  }
  return {
    outcome: 'accepted',
    revision: protocolVersion,
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    serverInfo: isJsonObject(serverInfo) ? serverInfo : {},
    instructions: typeof instructions === 'string' ? instructions : undefined,
  };
}

function unchanged(params: JsonObject | undefined): JsonObject | undefined {
  return params;
}

function refused(reason: string): Opening {
  return { outcome: 'refused', reason, final: true };
}
