import { metaPrefix } from '../../../../src/protocol/fields.js';
import { isJsonObject, type JsonObject } from '../../../../src/protocol/json.js';
import { quote } from '../../quote.js';
import { RpcError } from '../../rpc-error.js';

/** What may stand in a request's `_meta` as its revision. Legacy ones are reached by `initialize` alone. */
export const modernRevisions: readonly string[] = ['2026-07-28'];

const revisionKey = `${metaPrefix}protocolVersion`;
const capabilitiesKey = `${metaPrefix}clientCapabilities`;

/** Whether a message names its revision in `_meta`, be it well or badly. */
export function isEnveloped({ _meta }: JsonObject): boolean {
  return isJsonObject(_meta) && _meta[revisionKey] !== undefined;
}

/**
 * The revision that an enveloped request names. Throws an `RpcError` for one that we do not speak (-32022,
 * with those that we do) and for a missing member (-32602). The client's name and log level are not needed:
 * they change nothing here. [MCP 2026-07-28 schema § RequestMetaObject]
 */
export function checkEnvelope({ _meta }: JsonObject): string {
  const meta = isJsonObject(_meta) ? _meta : {};
  const { [revisionKey]: requested, [capabilitiesKey]: capabilities } = meta;
  if (typeof requested !== 'string') {
    throw new RpcError('invalidParams', `"_meta" needs "${revisionKey}", a string, got ${quote(requested)}`);
  }
  if (!modernRevisions.includes(requested)) {
    throw new RpcError(
      'unsupportedRevision',
      `MCP ${quote(requested)} is not spoken here request by request; use ${modernRevisions.join(' or ')}, ` +
        'or send initialize for an older one',
      { supported: modernRevisions, requested },
    );
  }
  if (!isJsonObject(capabilities)) {
    throw new RpcError(
      'invalidParams',
      `"_meta" needs "${capabilitiesKey}", an object, which may be empty, got ${quote(capabilities)}`,
    );
  }
  return requested;
}
