import { gatewayError, type WireError } from '../protocol/errors.js';
import type { ResponseMessage } from '../protocol/message.js';
import { kindAt, memberSpans } from '../protocol/walk.js';

/**
 * Whether a client's answer to a question can be handed on. Libraries of servers drop any other as no message, so
 * that they would wait on. [JSON-RPC 2.0 § 5.1; MCP 2025-11-25 schema: Result, Error]
 */
export function isProperAnswer({ bytes, outcome, value }: ResponseMessage): boolean {
  if (outcome === 'invalid' || value === undefined) return false;
  if (outcome === 'result') return true;
  const { code, message } = memberSpans(bytes, value, ['code', 'message']);
  if (code === undefined || message === undefined) return false;
  return kindAt(bytes, code) === 'number' && kindAt(bytes, message) === 'string';
}

/** The error that a backend gets in its place. */
export function improperAnswer(): WireError {
  return gatewayError('internalError', "the client's answer is neither a result object nor a JSON-RPC error");
}
