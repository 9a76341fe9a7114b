import type { JsonObject } from '../../src/protocol/json.js';
import type { LegacyRevision } from '../../src/protocol/revisions.js';
import type { ToolContext } from './definition.js';

/** What a method knows of the request that it answers. */
export interface RequestContext extends ToolContext {
  /** The revision that the handshake agreed on; before any handshake the newest that we speak. */
  readonly revision: LegacyRevision;
}

/** Answers one method: yields the result, or throws an `RpcError` that becomes the answer. */
export type Method = (params: JsonObject, context: RequestContext) => JsonObject | Promise<JsonObject>;
