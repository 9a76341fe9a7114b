import type { ErrorName } from '../protocol/errors.js';
import type { JsonObject } from '../protocol/json.js';
import type { ToClient } from '../shared/ids.js';

/** How a client of one era wants to be answered by the gateway itself. Pure. */
export interface Dialect {
  /** An answer of the gateway's own; `result` is a JSON object without what the era adds to it. */
  result(idText: string, result: JsonObject): ToClient;
  /** A page of a list: the result object's text without its opening brace, with the message's closing brace. */
  page(idText: string, members: Buffer): ToClient;
  /** The error for a resource that nobody has. */
  readonly unknownResource: ErrorName;
}
