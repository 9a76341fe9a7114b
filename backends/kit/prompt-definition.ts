import type { JsonObject } from '../../src/protocol/json.js';
import type { Completable } from './completable.js';

/** An argument of a prompt; its value is a text. [MCP 2025-11-25 schema § PromptArgument] */
interface PromptArgument extends Completable {
  readonly title?: string;
  readonly description: string;
  /** Default: the prompt can do without it. */
  readonly required?: true;
}

type PromptArguments = Readonly<Record<string, PromptArgument>>;

interface PromptDescription<Arguments extends PromptArguments> {
  /** Unique in the server. */
  readonly name: string;
  readonly title: string;
  /** What the prompt is for, for people who choose one. */
  readonly description: string;
  /** By name, in the order in which they are listed. */
  readonly arguments: Arguments;
}

/** A message that a prompt puts before the model. [MCP 2025-11-25 schema § PromptMessage] */
interface PromptMessage extends JsonObject {
  readonly role: 'user' | 'assistant';
  readonly content:
    | { readonly type: 'text'; readonly text: string }
    | {
        readonly type: 'resource';
        readonly resource: { readonly uri: string; readonly mimeType?: string; readonly text: string };
      };
}

/** A prompt as the server holds it: it gets arguments that are declared, complete, and texts. */
export interface Prompt extends PromptDescription<PromptArguments> {
  render(checkedArguments: Readonly<Record<string, string>>): Promise<readonly PromptMessage[]>;
}

/** A prompt as a backend writes it: the type of its input follows from its arguments. */
export interface PromptDefinition<Arguments extends PromptArguments> extends PromptDescription<Arguments> {
  /** Throws an `RpcError` for what the caller can mend; anything else thrown is answered with -32603. */
  handler(input: PromptInput<Arguments>): readonly PromptMessage[] | Promise<readonly PromptMessage[]>;
}

type PromptInput<Arguments extends PromptArguments> = {
  readonly [Name in keyof Arguments as Arguments[Name] extends { readonly required: true }
    ? Name
    : never]: string;
} & {
  readonly [Name in keyof Arguments as Arguments[Name] extends { readonly required: true }
    ? never
    : Name]?: string;
};

/** Ties a handler's input to the declared arguments. */
export function definePrompt<const Arguments extends PromptArguments>(
  definition: PromptDefinition<Arguments>,
): Prompt {
  const { name, title, description } = definition;
  return {
    name,
    title,
    description,
    arguments: definition.arguments,
    render: async (checkedArguments) => definition.handler(checkedArguments as PromptInput<Arguments>),
  };
}
