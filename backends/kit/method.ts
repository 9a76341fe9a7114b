import type { JsonObject } from '../../src/protocol/json.js';
import type { ToolContext } from './definition.js';
import type { RequestId } from './incoming.js';

/** What a method knows of the request that it answers. */
export interface RequestContext extends ToolContext {
  readonly id: RequestId;
  /** The revision in which it is answered; dated versions order as text. */
  readonly revision: string;
}

/** Answers one method: yields the result, or throws an `RpcError` that becomes the answer. */
export type Method = (params: JsonObject, context: RequestContext) => JsonObject | Promise<JsonObject>;

/** Sends a notification to the client. */
export type Notify = (method: string, params?: JsonObject) => void;
