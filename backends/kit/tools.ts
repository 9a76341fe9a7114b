import { isJsonObject, type JsonObject } from '../../src/protocol/json.js';
import { atLeast } from '../../src/protocol/revisions.js';
import { checkArguments } from './check-arguments.js';
import { type Tool, ToolError, type ToolOutput } from './definition.js';
import type { Method } from './method.js';
import { quote } from './quote.js';
import { RpcError } from './rpc-error.js';

/** The methods of the `tools` capability. Throws when two tools have one name. */
export function toolMethods(tools: readonly Tool[]): ReadonlyMap<string, Method> {
  return new Map([
    ['tools/list', listTools(tools)],
    ['tools/call', callTool(tools)],
  ]);
}

/**
 * All tools on one page, so that any cursor is foreign. `title`, `outputSchema` and `annotations` are sent
 * to clients of every revision: those that do not know a member ignore it.
 */
function listTools(tools: readonly Tool[]): Method {
  const entries = tools.map(({ run: _run, ...description }) => description);
  return ({ cursor }) => {
    if (cursor === undefined) return { tools: entries };
    throw new RpcError(
      'invalidParams',
      `unknown cursor ${quote(cursor)}; this list has one page, ask without a cursor`,
    );
  };
}

function callTool(tools: readonly Tool[]): Method {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  if (byName.size < tools.length) {
    throw new Error(`two tools have the same name among ${tools.map(({ name }) => name).join(', ')}`);
  }

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
      return success(await tool.run(input, context));
    } catch (error) {
      if (error instanceof ToolError) return failure(error.message);
      throw error;
    }
  };
}

function success({ structured, text }: ToolOutput<unknown>): JsonObject {
  if (!isJsonObject(structured)) throw new TypeError('a tool must yield an object as its structured result');
  return { ...content(text ?? JSON.stringify(structured)), structuredContent: structured };
}

function failure(text: string): JsonObject {
  return { ...content(text), isError: true };
}

function content(text: string): JsonObject {
  return { content: [{ type: 'text', text }] };
}
