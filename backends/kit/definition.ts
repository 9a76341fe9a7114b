import type { JsonObject } from '../../src/protocol/json.js';
import type { ObjectSchema, ValueOf } from './schema.js';

/** What a tool tells clients about its manners. [MCP 2025-11-25 schema § ToolAnnotations] */
interface ToolAnnotations extends JsonObject {
  /** It changes nothing. */
  readonly readOnlyHint: boolean;
  /** Calling it again with the same arguments changes nothing more. */
  readonly idempotentHint: boolean;
  /** It may destroy something; only means something when it is not read-only. Clients assume true. */
  readonly destructiveHint?: boolean;
  /** It deals with the world outside this server, as a web search does. Clients assume true. */
  readonly openWorldHint?: boolean;
}

/** What a tool can do besides answering, while its call is open. */
export interface ToolContext {
  /** Fires when the client cancels the call or the server stops; the answer is then not sent. */
  readonly signal: AbortSignal;
  /**
   * Tells the client how far the call is, if it asked to be told. `progress` has to grow with each report
   * (one that does not is dropped); `total` is in the same unit. [MCP 2025-11-25 progress]
   */
  progress(progress: number, total?: number, message?: string): void;
  /** Writes a line to stderr; stdout belongs to the protocol. */
  log(text: string): void;
}

/** A resource that an answer points to, for the client to read if it wants. [MCP 2025-11-25 schema § ResourceLink] */
export interface ResourceLink extends JsonObject {
  readonly uri: string;
  readonly name: string;
  readonly mimeType?: string;
}

/** What a call yields. */
export interface ToolOutput<Structured> {
  /** The answer for programs, as the output schema describes it. */
  readonly structured: Structured;
  /** The answer as a model reads it. Default: `structured` as JSON. */
  readonly text?: string;
  /** Resources that belong to the answer. Clients before 2025-06-18 do not know links and get none. */
  readonly links?: readonly ResourceLink[];
}

interface ToolDescription {
  /** Unique in the server; `[A-Za-z0-9_-]{1,64}` is what every client accepts. */
  readonly name: string;
  readonly title: string;
  /** What the tool does and when to use it, for a model. */
  readonly description: string;
  readonly annotations: ToolAnnotations;
}

/** A tool as the server holds it: its handler gets arguments that its input schema has accepted. */
export interface Tool extends ToolDescription {
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  run(checkedArguments: JsonObject, context: ToolContext): Promise<ToolOutput<unknown>>;
}

/** A tool as a backend writes it: the types of arguments and result follow from its schemas. */
export interface ToolDefinition<Input extends ObjectSchema, Output extends ObjectSchema>
  extends ToolDescription {
  readonly inputSchema: Input;
  readonly outputSchema: Output;
  /** Throws a `ToolError` for what the caller can mend; anything else thrown is answered with -32603. */
  handler(
    input: ValueOf<Input>,
    context: ToolContext,
  ): ToolOutput<ValueOf<Output>> | Promise<ToolOutput<ValueOf<Output>>>;
}

/** Ties a handler's types to its schemas. */
export function defineTool<const Input extends ObjectSchema, const Output extends ObjectSchema>(
  definition: ToolDefinition<Input, Output>,
): Tool {
  const { name, title, description, annotations, inputSchema, outputSchema } = definition;
  return {
    name,
    title,
    description,
    annotations,
    inputSchema,
    outputSchema,
    run: async (checkedArguments, context) => definition.handler(checkedArguments as ValueOf<Input>, context),
  };
}

/** A failure that a model should read and may mend: the call's result has `isError: true` and this text. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}
