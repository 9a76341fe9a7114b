import { isJsonObject, type JsonObject } from '../../src/protocol/json.js';
import { atLeast } from '../../src/protocol/revisions.js';
import { checkArguments } from './check-arguments.js';
import { type ResourceLink, type Tool, ToolError, type ToolOutput } from './definition.js';
import type { Feature } from './feature.js';
import { indexUnique } from './index-unique.js';
import type { Method, RequestContext } from './method.js';
import { onePage } from './one-page.js';
import { quote } from './quote.js';
import { RpcError } from './rpc-error.js';

/** The `tools` capability. Throws when two tools have one name. */
export function toolFeature(tools: readonly Tool[]): Feature {
  const byName = indexUnique('tools', tools, ({ name }) => name);
  return {
    // The tools never change, so no `listChanged` is promised.
    capabilities: { tools: {} },
    methods: new Map([
      ['tools/list', onePage(() => ({ tools: tools.map(({ run: _run, ...description }) => description) }))],
      ['tools/call', callTool(byName)],
    ]),
  };
}

function callTool(byName: ReadonlyMap<string, Tool>): Method {
  return async ({ name, arguments: input = {} }, context) => {
    const tool = typeof name === 'string' ? byName.get(name) : undefined;
    if (tool === undefined) {
      const known = [...byName.keys()].join(', ');
      throw new RpcError('invalidParams', `unknown tool ${quote(name)}; this server has: ${known}`);
    }
    if (!isJsonObject(input)) {
      throw new RpcError('invalidParams', `"arguments" must be an object, got ${quote(input)}`);
    }
    const problem = checkArguments(tool.name, tool.inputSchema, input);
    if (problem !== undefined) {
      // From this revision on a model is to see the problem and mend its call. [MCP 2025-11-25 tools § Error Handling]
      if (atLeast(context.revision, '2025-11-25')) return failure(problem);
      throw new RpcError('invalidParams', problem);
    }
    try {
      return success(await tool.run(input, context), context);
    } catch (error) {
      if (error instanceof ToolError) return failure(error.message);
      throw error;
    }
  };
}

function success(
  { structured, text, links = [] }: ToolOutput<unknown>,
  { revision }: RequestContext,
): JsonObject {
  if (!isJsonObject(structured)) throw new TypeError('a tool must yield an object as its structured result');
  const known = atLeast(revision, '2025-06-18') ? links : [];
  return {
    content: [textContent(text ?? JSON.stringify(structured)), ...known.map(linkContent)],
    structuredContent: structured,
  };
}

function failure(text: string): JsonObject {
  return { content: [textContent(text)], isError: true };
}

function textContent(text: string): JsonObject {
  return { type: 'text', text };
}

function linkContent(link: ResourceLink): JsonObject {
  return { type: 'resource_link', ...link };
}
