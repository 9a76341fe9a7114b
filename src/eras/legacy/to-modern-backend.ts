import { metaKeys } from '../../protocol/fields.js';
import type { JsonObject } from '../../protocol/json.js';
import type { LogLevel } from '../../protocol/log-level.js';
import type { NotificationMessage, RequestMessage, ResponseMessage, Span } from '../../protocol/message.js';
import type { MethodRule } from '../../protocol/methods.js';
import { modernRevision } from '../../protocol/revisions.js';
import type { Edit } from '../../protocol/splice.js';
import { entrySpans, memberSpans } from '../../protocol/walk.js';
import type { CallContext } from '../form.js';
import { insertMembers, putMembers } from '../insert.js';
import { removeMembers } from '../remove.js';

/** What a client said of itself, spelled out as modern messages carry it. */
function metaOf({ clientInfo, capabilities }: CallContext, logLevel?: LogLevel): JsonObject {
  return {
    [metaKeys.revision]: modernRevision,
    [metaKeys.clientInfo]: clientInfo,
    [metaKeys.clientCapabilities]: capabilities,
    ...(logLevel === undefined ? {} : { [metaKeys.logLevel]: logLevel }),
  };
}

/** What a legacy client said once in its handshake, spelled out onto one of its requests. */
export function toModernBackend(
  message: RequestMessage,
  context: CallContext,
  logLevel: LogLevel | undefined,
): readonly Edit[] {
  return stamp(message, metaOf(context, logLevel));
}

/** The same for a notification, unless it says so itself. */
export function stampNotice(message: NotificationMessage, context: CallContext): readonly Edit[] {
  return message.fields.metaRevision === undefined ? stamp(message, metaOf(context)) : [];
}

/** The same for a notification of the gateway's own. */
export function stampedParams(params: JsonObject, context: CallContext): JsonObject {
  return { ...params, _meta: metaOf(context) };
}

/** Members put into a message's `params._meta`, which is made where it is missing. */
function stamp(message: RequestMessage | NotificationMessage, meta: JsonObject): readonly Edit[] {
  const { bytes, params, fields } = message;
  if (fields.meta !== undefined) return [putMembers(bytes, fields.meta, meta)];
  if (params !== undefined) return [insertMembers(bytes, params, { _meta: meta })];
  const whole = { start: bytes.indexOf('{'), end: bytes.length };
  return [insertMembers(bytes, whole, { params: { _meta: meta } })];
}

/** Errors of a modern backend that legacy revisions have another code for. */
const notFound = { modern: '-32602', legacy: '-32002' } as const;

/** What only modern results have; legacy clients would take it for something that the backend made up. */
const modernAlone = new Set(['resultType', 'ttlMs', 'cacheScope']);
const modernMeta = new Set<string>([metaKeys.serverInfo]);

/**
 * A modern answer as legacy revisions have it: without what says which kind of result it is, how long it may be
 * kept, and who gave it. A resource that is not there has another code up to 2025-11-25.
 * [MCP 2025-11-25 resources § Error Handling]
 */
export function fromModernBackend(message: ResponseMessage, rule: MethodRule): readonly Edit[] {
  const { bytes, outcome, value } = message;
  if (value === undefined) return [];
  return outcome === 'error' ? mendedCode(bytes, value, rule) : plainResult(bytes, value);
}

function plainResult(bytes: Buffer, result: Span): readonly Edit[] {
  const meta = memberSpans(bytes, result, ['_meta'])._meta;
  const said = meta === undefined ? [] : entrySpans(bytes, meta);
  if (said.length > 0 && said.every(({ key }) => modernMeta.has(key)))
    return removeMembers(bytes, result, new Set([...modernAlone, '_meta']));
  const ofMeta = meta === undefined ? [] : removeMembers(bytes, meta, modernMeta);
  return [...removeMembers(bytes, result, modernAlone), ...ofMeta].sort((a, b) => a.start - b.start);
}

function mendedCode(bytes: Buffer, error: Span, { route }: MethodRule): readonly Edit[] {
  if (route.to !== 'owner' || route.of !== 'resource') return [];
  const { code, data } = memberSpans(bytes, error, ['code', 'data']);
  if (
    code === undefined ||
    data === undefined ||
    bytes.toString('latin1', code.start, code.end) !== notFound.modern
  )
    return [];
  if (memberSpans(bytes, data, ['uri']).uri === undefined) return [];
  return [{ start: code.start, end: code.end, text: notFound.legacy }];
}
