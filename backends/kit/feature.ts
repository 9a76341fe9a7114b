import type { JsonObject } from '../../src/protocol/json.js';
import type { Method } from './method.js';

/** A part of MCP that a server has in every era: what it says of it, and the methods that it brings. */
export interface Feature {
  readonly capabilities: JsonObject;
  readonly methods: ReadonlyMap<string, Method>;
}
