import type { JsonObject } from '../../src/protocol/json.js';
import type { Tool } from './definition.js';
import type { Prompt } from './prompt-definition.js';
import type { Resources } from './resource-definition.js';

/**
 * Everything a backend says about itself; `serve` turns it into a running server. A capability is advertised,
 * and its methods exist, when the definition has the member for it.
 */
export interface ServerDefinition {
  /** The program's name, as clients' logs show it. */
  readonly name: string;
  /** The name for people. */
  readonly title: string;
  readonly version: string;
  /** What a model should know before it uses the server; sent when it introduces itself. Default: nothing. */
  readonly instructions?: string;
  /** In the order in which they are listed. Names are unique. */
  readonly tools?: readonly Tool[];
  readonly resources?: Resources;
  /** In the order in which they are listed. Names are unique. */
  readonly prompts?: readonly Prompt[];
}

/** Who a server is, as it introduces itself. [MCP 2026-07-28 schema § Implementation] */
export function serverInfo({ name, title, version }: ServerDefinition): JsonObject {
  return { name, title, version };
}
