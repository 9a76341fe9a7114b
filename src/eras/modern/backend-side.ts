import { metaKeys } from '../../protocol/fields.js';
import { isJsonObject, type Json, type JsonObject } from '../../protocol/json.js';
import {
  isModernRevision,
  type ModernRevision,
  modernRevision,
  modernRevisions,
} from '../../protocol/revisions.js';
import type { BackendSide, Caller, ChangesOnStream, Opening, StreamNotice } from '../backend-side.js';

/** [MCP 2026-07-28 schema: UnsupportedProtocolVersionError] */
const unsupportedVersion = -32022;

/**
 * A backend of the revision 2026-07-28: no handshake, every message of ours carries who we are. That holds for
 * notifications too: some servers take one without it for a sign that they are spoken to in the other era.
 */
export function modernBackendSide(caller: Caller, revision: ModernRevision = modernRevision): BackendSide {
  const meta = requestMeta(caller, revision);
  const stamped = (params: JsonObject | undefined) => stamp(params, meta);
  return {
    era: 'modern',
    // [MCP 2026-07-28 server/discover]
    opening: { method: 'server/discover', params: undefined },
    opened: undefined,
    readOpening: readDiscovery,
    afterError(error) {
      const spoken = supportedAfter(error).find(isModernRevision);
      return spoken === undefined ? undefined : modernBackendSide(caller, spoken);
    },
    requestParams: stamped,
    notificationParams: stamped,
    changes,
  };
}

/** The `_meta` members that make a request stand for itself. [MCP 2026-07-28 schema: RequestMetaObject] */
export function requestMeta({ clientInfo, capabilities }: Caller, revision: string): JsonObject {
  return {
    [metaKeys.revision]: revision,
    [metaKeys.clientInfo]: clientInfo,
    [metaKeys.clientCapabilities]: capabilities,
  };
}

/** Parameters with `meta` in their `_meta`; other members there stay. */
function stamp(params: JsonObject | undefined, meta: JsonObject): JsonObject {
  const given = params?._meta;
  return { ...params, _meta: isJsonObject(given) ? { ...given, ...meta } : meta };
}

/** [MCP 2026-07-28 schema: DiscoverResult]; as a legacy server could never mean it, though not all must be there. */
function readDiscovery(result: unknown): Opening {
  if (!isJsonObject(result)) return refused('answered server/discover with no object');
  const { supportedVersions, resultType, capabilities, instructions, _meta } = result;
  if (!Array.isArray(supportedVersions)) {
    return refused('answered server/discover without supportedVersions');
  }
  if (resultType !== undefined && resultType !== 'complete') {
    return refused(`answered server/discover with resultType ${JSON.stringify(resultType)}`);
  }
  const revision = supportedVersions.find(isModernRevision);
  if (revision === undefined) {
    const spoken = supportedVersions.map((version) => JSON.stringify(version)).join(', ');
    return refused(
      `speaks revisions ${spoken || 'of no name'}, the gateway speaks ${modernRevisions.join(', ')} in this era`,
    );
  }
  const serverInfo = isJsonObject(_meta) ? _meta[metaKeys.serverInfo] : undefined;
  return {
    outcome: 'accepted',
    revision,
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    serverInfo: isJsonObject(serverInfo) ? serverInfo : {},
    instructions: typeof instructions === 'string' ? instructions : undefined,
  };
}

/** The revisions that an error names as supported; none for errors that mean something else. */
function supportedAfter(error: unknown): readonly Json[] {
  if (!isJsonObject(error) || error.code !== unsupportedVersion || !isJsonObject(error.data)) return [];
  const { supported } = error.data;
  return Array.isArray(supported) ? supported : [];
}

/** The member of a listen filter that asks for the changes of a list, by the capability that promises them. */
const listFilters = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
} as const;

const notices: ReadonlyMap<string, StreamNotice> = new Map([
  ['notifications/subscriptions/acknowledged', 'acknowledgement'],
  ['notifications/cancelled', 'end'],
  ['notifications/tools/list_changed', 'change'],
  ['notifications/prompts/list_changed', 'change'],
  ['notifications/resources/list_changed', 'change'],
  ['notifications/resources/updated', 'change'],
] as const);

/** [MCP 2026-07-28 subscriptions/listen] */
const changes: ChangesOnStream = {
  on: 'stream',
  listen(capabilities, uris) {
    const promised = Object.entries(listFilters).filter(([name]) => {
      const capability = capabilities[name];
      return isJsonObject(capability) && capability.listChanged === true;
    });
    if (promised.length === 0 && uris.length === 0) return undefined;
    const notifications: JsonObject = {
      ...Object.fromEntries(promised.map(([, filter]) => [filter, true])),
      ...(uris.length === 0 ? {} : { resourceSubscriptions: uris }),
    };
    return { method: 'subscriptions/listen', params: { notifications } };
  },
  classify: (method) => notices.get(method) ?? 'none',
  acknowledgedUris(params) {
    const granted = isJsonObject(params) ? params.notifications : undefined;
    const uris = isJsonObject(granted) ? granted.resourceSubscriptions : undefined;
    return new Set(Array.isArray(uris) ? uris.filter((uri) => typeof uri === 'string') : []);
  },
};

function refused(reason: string): Opening {
  return { outcome: 'refused', reason, final: false };
}
