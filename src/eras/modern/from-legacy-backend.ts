import { metaKeys } from '../../protocol/fields.js';
import type { JsonObject } from '../../protocol/json.js';
import type { ResponseMessage } from '../../protocol/message.js';
import type { MethodRule } from '../../protocol/methods.js';
import type { Edit } from '../../protocol/splice.js';
import { kindAt, memberSpans } from '../../protocol/walk.js';
import type { CallContext } from '../form.js';
import { insertMembers, putMembers } from '../insert.js';
import { uncached } from './dialect.js';

/** The legacy code for a resource that is not there, and the modern one. */
const notFound = { legacy: '-32002', modern: '-32602' } as const;

/**
 * A legacy answer with what a modern client expects of one: the kind of result, who gave it, and for a read how
 * long it may be kept. [MCP 2026-07-28 schema: Result, ReadResourceResult]
 */
export function fromLegacyBackend(
  message: ResponseMessage,
  rule: MethodRule,
  { serverInfo }: CallContext,
): readonly Edit[] {
  const { bytes, outcome, value } = message;
  if (value === undefined) return [];
  if (outcome === 'error') return mendedCode(bytes, value);
  if (kindAt(bytes, value) !== 'object') return [];
  const { resultType, _meta } = memberSpans(bytes, value, ['resultType', '_meta']);
  const isRead = rule.route.to === 'owner' && rule.route.of === 'resource';
  const server: JsonObject = { [metaKeys.serverInfo]: serverInfo };
  const added: JsonObject = {
    ...(resultType === undefined ? { resultType: 'complete' } : {}),
    ...(isRead ? uncached : {}),
    ...(_meta === undefined ? { _meta: server } : {}),
  };
  const edits = [insertMembers(bytes, value, added)];
  if (_meta !== undefined) edits.push(putMembers(bytes, _meta, server));
  return edits;
}

function mendedCode(bytes: Buffer, error: { start: number; end: number }): readonly Edit[] {
  const { code } = memberSpans(bytes, error, ['code']);
  if (code === undefined || bytes.toString('latin1', code.start, code.end) !== notFound.legacy) return [];
  return [{ start: code.start, end: code.end, text: notFound.modern }];
}
