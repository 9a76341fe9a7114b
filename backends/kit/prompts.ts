import { isJsonObject, type JsonObject } from '../../src/protocol/json.js';
import type { Feature } from './feature.js';
import { indexUnique } from './index-unique.js';
import type { Method } from './method.js';
import { onePage } from './one-page.js';
import type { Prompt } from './prompt-definition.js';
import { quote } from './quote.js';
import { RpcError } from './rpc-error.js';

/** The `prompts` capability. Throws when two prompts have one name. */
export function promptFeature(prompts: readonly Prompt[]): Feature {
  const byName = indexUnique('prompts', prompts, ({ name }) => name);
  return {
    // The prompts never change, so no `listChanged` is promised.
    capabilities: { prompts: {} },
    methods: new Map([
      ['prompts/list', onePage(() => ({ prompts: prompts.map(describe) }))],
      ['prompts/get', getPrompt(byName)],
    ]),
  };
}

function describe({ name, title, description, arguments: declared }: Prompt): JsonObject {
  const entries = Object.entries(declared).map(
    ([argument, { complete: _complete, required = false, ...rest }]) => ({
      name: argument,
      ...rest,
      required,
    }),
  );
  return { name, title, description, arguments: entries };
}

/** Every fault is -32602: a person, not a model, chooses prompts. [MCP 2025-11-25 prompts § Error Handling] */
function getPrompt(byName: ReadonlyMap<string, Prompt>): Method {
  return async ({ name, arguments: input = {} }) => {
    const prompt = typeof name === 'string' ? byName.get(name) : undefined;
    if (prompt === undefined) {
      const known = [...byName.keys()].join(', ');
      throw new RpcError('invalidParams', `unknown prompt ${quote(name)}; this server has: ${known}`);
    }
    const messages = await prompt.render(checkedArguments(prompt, input));
    return { description: prompt.description, messages };
  };
}

function checkedArguments(prompt: Prompt, input: unknown): Readonly<Record<string, string>> {
  const refuse = (problem: string) => {
    const takes = Object.entries(prompt.arguments).map(
      ([name, { required }]) => `"${name}"${required ? '' : ' (optional)'}`,
    );
    return new RpcError(
      'invalidParams',
      `invalid arguments for prompt "${prompt.name}": ${problem}. ` +
        `The prompt takes ${takes.join(', ') || 'no arguments'}`,
    );
  };
  if (!isJsonObject(input)) throw refuse(`"arguments" must be an object, got ${quote(input)}`);
  for (const [name, { required }] of Object.entries(prompt.arguments)) {
    if (required && !Object.hasOwn(input, name)) throw refuse(`"${name}" is missing`);
  }
  const checked = Object.entries(input).map(([name, value]): [string, string] => {
    if (!Object.hasOwn(prompt.arguments, name))
      throw refuse(`${quote(name)} is not an argument of this prompt`);
    if (typeof value !== 'string') throw refuse(`"${name}" must be a string, got ${quote(value)}`);
    return [name, value];
  });
  return Object.fromEntries(checked);
}
