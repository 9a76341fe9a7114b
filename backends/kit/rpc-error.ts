import { type ErrorName, errorCodes } from '../../src/protocol/errors.js';
import type { JsonObject } from '../../src/protocol/json.js';

/**
 * The errors that a server of ours sends: those of JSON-RPC itself, and the one that MCP adds for resources.
 * [JSON-RPC 2.0 § 5.1; MCP 2025-11-25 resources § Error Handling]
 */
export type RpcErrorName = Extract<
  ErrorName,
  'parseError' | 'invalidRequest' | 'methodNotFound' | 'invalidParams' | 'internalError' | 'resourceNotFound'
>;

/** A request that is answered with an error; the message crosses the wire. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: JsonObject | undefined;

  constructor(name: RpcErrorName, message: string, data?: JsonObject) {
    super(message);
    this.data = data;
    this.code = errorCodes[name].code;
  }

  toWire(): JsonObject {
    return { code: this.code, message: this.message, data: this.data };
  }
}
