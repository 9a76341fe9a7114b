import { once } from 'node:events';
import { localhostAllowedHostnames, validateHostHeader } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { WebSocketServer } from 'ws';
import { createFixture } from './fixture/server.mjs';
import { withTasks } from './fixture/task-layer.mjs';

/** Makes the SDK treat a connection as modern, which its first message decides. */
const modernOpening = /** @type {const} */ ({
  jsonrpc: '2.0',
  id: 'opening',
  method: 'tools/list',
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});

/**
 * Serves the fixture over WebSocket without a gateway: what fails here too is not the gateway's fault.
 * @param {boolean} modern
 * @returns {Promise<{ url: string, close(): Promise<void> }>}
 */
export async function startDirectServer(modern) {
  const server = new WebSocketServer({
    host: '127.0.0.1',
    port: 0,
    verifyClient: (/** @type {{ req: import('node:http').IncomingMessage }} */ { req }) =>
      validateHostHeader(req.headers.host, localhostAllowedHostnames()).ok,
  });
  await once(server, 'listening');
  server.on('connection', (socket) => {
    const transport = withTasks(socketTransport(socket));
    serveStdio(createFixture, { transport, onerror: (error) => console.error(`fixture: ${error.message}`) });
    if (modern) transport.onmessage?.(modernOpening);
  });
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `ws://127.0.0.1:${port}/mcp`,
    async close() {
      for (const socket of server.clients) socket.terminate();
      server.close();
      await once(server, 'close');
    },
  };
}

/**
 * A socket in the shape that the SDK wants.
 * @param {import('ws').WebSocket} socket
 * @returns {import('@modelcontextprotocol/server').Transport}
 */
function socketTransport(socket) {
  /** @type {import('@modelcontextprotocol/server').Transport} */
  const transport = {
    start: async () => {
      socket.on('message', (data) => transport.onmessage?.(JSON.parse(String(data))));
      socket.on('close', () => transport.onclose?.());
    },
    send: async (message) => {
      if (!('id' in message) || message.id !== modernOpening.id) socket.send(JSON.stringify(message));
    },
    close: async () => socket.close(),
  };
  return transport;
}
