import { Server } from '../../../../backends/kit/server.js';
import type { ServerDefinition } from '../../../../backends/kit/server-definition.js';
import { isJsonObject, type JsonObject } from '../../../../src/protocol/json.js';

/** A server with the given features, and all that it sends and logs. */
export function startServer(features: Pick<ServerDefinition, 'tools' | 'resources' | 'prompts'>) {
  const sent: JsonObject[] = [];
  const logs: string[] = [];
  const server = new Server(
    { name: 'test', title: 'Test', version: '1.2.3', instructions: 'Be kind', ...features },
    { send: (line) => sent.push(JSON.parse(line)), log: (text) => logs.push(text) },
  );
  const receive = (message: JsonObject) =>
    server.receive(Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message })), true);
  /** Sends one request and yields its answer. */
  const ask = async (method: string, params: JsonObject = {}) => {
    const before = sent.length;
    receive({ id: 'ask', method, params });
    await server.idle();
    const answer = sent.slice(before).find(({ id }) => id === 'ask');
    if (answer === undefined) throw new Error(`no answer to ${method}`);
    return answer;
  };
  return { server, sent, logs, receive, ask };
}

/** The `_meta` of a request in the modern era, with other values where the test wants them. */
export const envelope = (changes: JsonObject = {}): JsonObject => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  ...changes,
});

export const code = (answer: JsonObject | undefined) =>
  answer !== undefined && isJsonObject(answer.error) ? answer.error.code : undefined;

export const message = (answer: JsonObject) =>
  isJsonObject(answer.error) ? String(answer.error.message) : '';
