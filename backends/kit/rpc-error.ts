import { type ErrorName, errorCodes } from '../../src/protocol/errors.js';
import type { JsonObject } from '../../src/protocol/json.js';

/** The errors that JSON-RPC itself defines; a server of ours sends no others. [JSON-RPC 2.0 § 5.1] */
export type RpcErrorName = Extract<
  ErrorName,
  'parseError' | 'invalidRequest' | 'methodNotFound' | 'invalidParams' | 'internalError'
>;

/** A request that is answered with an error; the message crosses the wire. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;

  constructor(name: RpcErrorName, message: string) {
    super(message);
    this.code = errorCodes[name].code;
  }

  toWire(): JsonObject {
    return { code: this.code, message: this.message };
  }
}
