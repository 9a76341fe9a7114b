import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { startProcess } from './stdio-process.js';

const bridge = fileURLToPath(new URL('../../../config/clients/stdio-bridge.mjs', import.meta.url));

/** A socket server in the gateway's place, with the bridge connected to it. */
async function connect() {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const connected = once(server, 'connection');
  const client = startProcess(bridge, { args: [`ws://127.0.0.1:${port}/mcp`] });
  const [socket] = (await connected) as [WebSocket];
  return {
    client,
    socket,
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      server.close();
    },
  };
}

describe('the bridge for clients that speak only stdio', () => {
  it('passes lines to the socket and messages back, whole and on one line each', async () => {
    await using pair = await connect();
    expect(pair.socket.protocol).toBe('mcp');

    const received = once(pair.socket, 'message');
    pair.client.writeLine('');
    pair.client.send({ id: 1, method: 'a\u2028b' });
    expect(JSON.parse(String((await received)[0]))).toEqual({ jsonrpc: '2.0', id: 1, method: 'a\u2028b' });

    pair.socket.send('{\n  "jsonrpc": "2.0",\r\n  "id": 1,\n  "result": {"text": "a\\nb\u2028"}\n}');
    expect(await pair.client.next()).toEqual({ jsonrpc: '2.0', id: 1, result: { text: 'a\nb\u2028' } });
  });

  it('closes the socket normally when its input ends', async () => {
    await using pair = await connect();
    const closed = once(pair.socket, 'close');
    pair.client.stdin.end();
    expect((await closed)[0]).toBe(1000);
    expect(await pair.client.exited).toEqual({ code: 0, signal: null });
  });

  it('says on stderr that the gateway is going away, and exits with 1', async () => {
    await using pair = await connect();
    pair.socket.close(1001, 'shutting down');
    expect(await pair.client.exited).toEqual({ code: 1, signal: null });
    expect(pair.client.logged()).toContain('closed with code 1001 shutting down');
  });

  it('says on stderr that there is no gateway, and exits with 1', async () => {
    await using client = startProcess(bridge, { args: ['ws://127.0.0.1:1/mcp'] });
    expect(await client.exited).toEqual({ code: 1, signal: null });
    expect(client.logged()).toContain('cannot use ws://127.0.0.1:1/mcp');
  });
});
