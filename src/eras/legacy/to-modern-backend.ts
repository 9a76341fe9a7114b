import { metaKeys } from '../../protocol/fields.js';
import type { JsonObject } from '../../protocol/json.js';
import type { LogLevel } from '../../protocol/log-level.js';
import type { NotificationMessage, RequestMessage, ResponseMessage } from '../../protocol/message.js';
import type { MethodRule } from '../../protocol/methods.js';
import { modernRevision } from '../../protocol/revisions.js';
import type { Edit } from '../../protocol/splice.js';
import { memberSpans } from '../../protocol/walk.js';
import type { CallContext } from '../form.js';
import { insertMembers } from '../insert.js';

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
  if (fields.meta !== undefined) return [insertMembers(bytes, fields.meta, meta)];
  if (params !== undefined) return [insertMembers(bytes, params, { _meta: meta })];
  const whole = { start: bytes.indexOf('{'), end: bytes.length };
  return [insertMembers(bytes, whole, { params: { _meta: meta } })];
}

/** Errors of a modern backend that legacy revisions have another code for. */
const notFound = { modern: -32602, legacy: '-32002' } as const;

/**
 * A modern result is one that legacy clients understand: what it has more, they ignore. A resource that is not
 * there has another code up to 2025-11-25. [MCP 2025-11-25 resources § Error Handling]
 */
export function fromModernBackend(message: ResponseMessage, rule: MethodRule): readonly Edit[] {
  const isRead = rule.route.to === 'owner' && rule.route.of === 'resource';
  if (!isRead || message.outcome !== 'error' || message.value === undefined) return [];
  const { bytes, value } = message;
  const { code, data } = memberSpans(bytes, value, ['code', 'data']);
  if (
    code === undefined ||
    data === undefined ||
    bytes.toString('latin1', code.start, code.end) !== String(notFound.modern)
  )
    return [];
  if (memberSpans(bytes, data, ['uri']).uri === undefined) return [];
  return [{ start: code.start, end: code.end, text: notFound.legacy }];
}
