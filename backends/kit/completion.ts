import { isJsonObject, type JsonObject } from '../../src/protocol/json.js';
import type { Completable } from './completable.js';
import type { Feature } from './feature.js';
import type { Method } from './method.js';
import type { Prompt } from './prompt-definition.js';
import { quote } from './quote.js';
import type { ResourceTemplate } from './resource-definition.js';
import { RpcError } from './rpc-error.js';

/** Most values in one answer. [MCP 2025-11-25 completion § Completion Results] */
const maxValues = 100;

/** The variables of each prompt and template that a client may refer to. */
interface Completables {
  readonly prompts: ReadonlyMap<string, Variables>;
  readonly templates: ReadonlyMap<string, Variables>;
}

type Variables = ReadonlyMap<string, Completable>;

/** The `completions` capability, if anything can be completed. */
export function completionFeature(
  prompts: readonly Prompt[],
  templates: readonly ResourceTemplate[],
): readonly Feature[] {
  const completables: Completables = {
    prompts: new Map(prompts.map((prompt) => [prompt.name, new Map(Object.entries(prompt.arguments))])),
    templates: new Map(
      templates.map(({ uriTemplate, variables }) => [uriTemplate, new Map(Object.entries(variables))]),
    ),
  };
  const all = [...completables.prompts.values(), ...completables.templates.values()];
  if (!all.some((variables) => [...variables.values()].some(({ complete }) => complete !== undefined)))
    return [];
  return [
    {
      capabilities: { completions: {} },
      methods: new Map([['completion/complete', complete(completables)]]),
    },
  ];
}

function complete(completables: Completables): Method {
  return async ({ ref, argument }) => {
    const variables = variablesOf(ref, completables);
    if (!isJsonObject(argument) || typeof argument.value !== 'string') {
      throw new RpcError('invalidParams', '"argument" must be an object with the texts "name" and "value"');
    }
    const variable = typeof argument.name === 'string' ? variables.get(argument.name) : undefined;
    if (variable === undefined) {
      const known = [...variables.keys()].join(', ') || 'none';
      throw new RpcError('invalidParams', `unknown argument ${quote(argument.name)}; there are: ${known}`);
    }
    return completion((await variable.complete?.(argument.value)) ?? []);
  };
}

function variablesOf(ref: unknown, { prompts, templates }: Completables): Variables {
  if (!isJsonObject(ref)) throw new RpcError('invalidParams', `"ref" must be an object, got ${quote(ref)}`);
  switch (ref.type) {
    case 'ref/prompt':
      return lookUp('prompt', prompts, ref.name);
    case 'ref/resource':
      return lookUp('resource template', templates, ref.uri);
    default:
      throw new RpcError(
        'invalidParams',
        `"ref.type" must be "ref/prompt" or "ref/resource", got ${quote(ref.type)}`,
      );
  }
}

function lookUp(what: string, byKey: ReadonlyMap<string, Variables>, key: unknown): Variables {
  const variables = typeof key === 'string' ? byKey.get(key) : undefined;
  if (variables !== undefined) return variables;
  const known = [...byKey.keys()].join(', ') || 'none';
  throw new RpcError('invalidParams', `unknown ${what} ${quote(key)}; this server has: ${known}`);
}

function completion(values: readonly string[]): JsonObject {
  return {
    completion: {
      values: values.slice(0, maxValues),
      total: values.length,
      hasMore: values.length > maxValues,
    },
  };
}
