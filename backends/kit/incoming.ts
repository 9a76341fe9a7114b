import { isJsonObject, type JsonObject } from '../../src/protocol/json.js';
import { quote } from './quote.js';
import { RpcError, type RpcErrorName } from './rpc-error.js';

/** A request's id. Types matter: `3` and `"3"` are two ids. [MCP 2025-11-25 schema § RequestId] */
export type RequestId = string | number;

/** What one line of input turned out to be. */
export type Incoming =
  | { readonly kind: 'request'; readonly id: RequestId; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'notification'; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'response' }
  | { readonly kind: 'malformed'; readonly id: RequestId | null; readonly error: RpcError };

/**
 * Reads one line, which is not blank. What is no message is `malformed`, with the id to answer it under: its own where one
 * can be read, else `null`. [JSON-RPC 2.0 § 5]
 */
export function readIncoming(line: Buffer, validUtf8: boolean): Incoming {
  if (!validUtf8) return malformed(null, 'parseError', 'the line is not valid UTF-8');
  const text = line.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return malformed(null, 'parseError', 'the line is not valid JSON; send one JSON-RPC message per line');
  }
  return classify(value);
}

function classify(value: unknown): Incoming {
  if (Array.isArray(value)) {
    return malformed(null, 'invalidRequest', 'batches are not supported; send one message per line');
  }
  if (!isJsonObject(value)) {
    return malformed(null, 'invalidRequest', `a message is a JSON object, got ${quote(value)}`);
  }
  const { jsonrpc, id, method, params } = value;
  if (method === undefined && ('result' in value || 'error' in value)) return { kind: 'response' };

  const readableId = isRequestId(id) ? id : null;
  if (jsonrpc !== '2.0') {
    return malformed(readableId, 'invalidRequest', `"jsonrpc" must be "2.0", got ${quote(jsonrpc)}`);
  }
  if (id !== undefined && readableId === null) {
    return malformed(null, 'invalidRequest', `"id" must be a string or a safe integer, got ${quote(id)}`);
  }
  if (typeof method !== 'string') {
    return malformed(readableId, 'invalidRequest', `"method" must be a string, got ${quote(method)}`);
  }
  if (params !== undefined && (typeof params !== 'object' || params === null)) {
    return malformed(readableId, 'invalidRequest', `"params" must be an object, got ${quote(params)}`);
  }
  if (readableId === null)
    return { kind: 'notification', method, params: isJsonObject(params) ? params : {} };
  if (Array.isArray(params)) {
    return malformed(readableId, 'invalidParams', 'MCP has no positional parameters; "params" is an object');
  }
  return { kind: 'request', id: readableId, method, params: isJsonObject(params) ? params : {} };
}

/** Whether a value can be an id. Integers beyond 2⁵³ are refused: parsed, they could only be answered under another id than was sent. */
export function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' || Number.isSafeInteger(id);
}

function malformed(id: RequestId | null, name: RpcErrorName, message: string): Incoming {
  return { kind: 'malformed', id, error: new RpcError(name, message) };
}
