import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { WebSocketClientTransport } from '@modelcontextprotocol/sdk/client/websocket.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { scripted } from '../helpers/fixture-backend.js';
import { startGateway } from '../helpers/gateway-process.js';

beforeAll(() => {
  // The SDK's transport uses the global of browsers, which Node 20 lacks.
  Object.assign(globalThis, { WebSocket });
});

/** Connects the official client; leaving the scope closes it. */
async function connectSdk(transport: Transport) {
  const client = new Client({ name: 'sdk', version: '0' });
  await client.connect(transport);
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

describe('the official client over WebSocket', () => {
  it('opens, lists, calls, hears progress and cancels', async () => {
    await using gateway = await startGateway({ config: { mcpServers: { b1: scripted() } } });
    await using client = await connectSdk(new WebSocketClientTransport(new URL(gateway.url)));
    expect(client.getServerVersion()?.name).toBe('mcp-switchboard');
    expect(client.getServerCapabilities()?.tools).toEqual({ listChanged: true });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('b1__echo');
    expect(await client.callTool({ name: 'b1__echo', arguments: { v: 1 } })).toMatchObject({
      content: [{ type: 'text', text: '{"v":1}' }],
    });

    // Released by the third note, because this client forgets those that come in one piece with the answer.
    const progress: number[] = [];
    await client.callTool(
      { name: 'b1__progress', arguments: { count: 3, everyMs: 5, key: 'p' } },
      undefined,
      {
        onprogress(note) {
          progress.push(note.progress);
          if (note.progress === 3) void client.callTool({ name: 'b1__release', arguments: { key: 'p' } });
        },
      },
    );
    expect(progress).toEqual([1, 2, 3]);

    const stop = new AbortController();
    const held = client.callTool({ name: 'b1__hold', arguments: { key: 'k' } }, undefined, {
      signal: stop.signal,
    });
    await gateway.backendWhen('b1', ({ inFlight }) => inFlight === 1);
    stop.abort('enough');
    await expect(held).rejects.toThrow('enough');
    await gateway.backendWhen('b1', ({ inFlight }) => inFlight === 0);
    await client.ping();
  });
});

describe('the official client over stdio, straight to a backend', () => {
  it.each([
    ['grammar', 'conjugate', { verb: 'eat', tense: 'past simple', person: '3rd singular' }, 'ate'],
    ['text-stats', 'calcular_estadisticas', { numeros: [1, 2] }, ''],
    ['system-info', 'informacion_sistema', {}, ''],
  ])('%s: opens, lists, calls and cancels', async (backend, name, args, text) => {
    const path = fileURLToPath(new URL(`../../dist/backends/${backend}/main.js`, import.meta.url));
    await using client = await connectSdk(
      new StdioClientTransport({ command: process.execPath, args: [path], stderr: 'ignore' }),
    );
    expect((await client.listTools()).tools.map((tool) => tool.name)).toContain(name);
    const result = await client.callTool({ name, arguments: args });
    expect(result.isError ?? false).toBe(false);
    expect(result.structuredContent).toBeDefined();
    if (text !== '') expect(result.content).toEqual([{ type: 'text', text }]);
    const stop = new AbortController();
    const call = client.callTool({ name, arguments: args }, undefined, { signal: stop.signal });
    stop.abort('enough');
    await expect(call).rejects.toThrow('enough');
    await client.ping();
  });
});
