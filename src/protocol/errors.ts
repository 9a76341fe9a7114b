import type { JsonObject } from './json.js';

/** A JSON-RPC error object as it stands on the wire. [JSON-RPC 2.0 § 5.1] */
export interface WireError {
  readonly code: number;
  readonly message: string;
  readonly data?: JsonObject;
}

/**
 * Every error code that the gateway itself sends. Those of JSON-RPC and MCP keep their standard meaning;
 * ours stand below -31000, outside the range that JSON-RPC and MCP reserve.
 * [JSON-RPC 2.0 § 5.1; MCP 2026-07-28 basic § Error codes]
 */
export const errorCodes = {
  parseError: { code: -32700, retryable: false },
  invalidRequest: { code: -32600, retryable: false },
  methodNotFound: { code: -32601, retryable: false },
  invalidParams: { code: -32602, retryable: false },
  internalError: { code: -32603, retryable: false },
  resourceNotFound: { code: -32002, retryable: false },
  missingCapability: { code: -32021, retryable: false },
  unsupportedRevision: { code: -32022, retryable: false },
  backendUnavailable: { code: -31001, retryable: true },
  backendStartFailed: { code: -31002, retryable: true },
  backendExited: { code: -31003, retryable: true },
  timedOut: { code: -31004, retryable: true },
  overloaded: { code: -31005, retryable: true },
  shuttingDown: { code: -31008, retryable: true },
  responseTooLarge: { code: -31009, retryable: false },
  noOwner: { code: -31010, retryable: false },
} as const satisfies Record<string, { code: number; retryable: boolean }>;

export type ErrorName = keyof typeof errorCodes;

/** An error of the gateway's own, told from backends' errors by `data.source`. */
export function gatewayError(name: ErrorName, message: string, data: JsonObject = {}): WireError {
  const { code, retryable } = errorCodes[name];
  return { code, message, data: { source: 'gateway', retryable, ...data } };
}
