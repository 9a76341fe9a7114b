import { errorCodes } from '../../src/protocol/errors.js';
import type { JsonObject } from '../../src/protocol/json.js';

/**
 * The errors that a server of ours sends: those of JSON-RPC itself, and those that MCP adds for resources and
 * revisions. [JSON-RPC 2.0 § 5.1; MCP 2025-11-25 resources § Error Handling; MCP 2026-07-28 versioning]
 */
const codes = {
  parseError: errorCodes.parseError.code,
  invalidRequest: errorCodes.invalidRequest.code,
  methodNotFound: errorCodes.methodNotFound.code,
  invalidParams: errorCodes.invalidParams.code,
  internalError: errorCodes.internalError.code,
  resourceNotFound: errorCodes.resourceNotFound.code,
  unsupportedRevision: -32022,
} as const;

export type RpcErrorName = keyof typeof codes;

/** A request that is answered with an error; the message crosses the wire. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly reason: RpcErrorName;
  readonly data: JsonObject | undefined;

  constructor(reason: RpcErrorName, message: string, data?: JsonObject) {
    super(message);
    this.reason = reason;
    this.data = data;
  }

  get code(): number {
    return codes[this.reason];
  }

  /** The error as it stands on the wire; `reason` decides its code where another one is to be sent. */
  toWire(reason: RpcErrorName = this.reason): JsonObject {
    return { code: codes[reason], message: this.message, data: this.data };
  }
}
