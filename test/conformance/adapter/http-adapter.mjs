import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Exchange, sendError, startEvents } from './exchange.mjs';
import { RpcSocket, UpgradeRefused } from './rpc-socket.mjs';

const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion';
const HEADER_MISMATCH = -32020;
const legacyRevisions = new Set(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']);

/**
 * Offers a WebSocket server under a Streamable HTTP address, which is all that the suite can speak to. A legacy
 * session has a socket of its own; modern requests share one per `Host` and `Origin`. Messages pass as they are but for
 * ids and progress tokens.
 * @param {string} webSocketUrl
 * @param {(arrow: string, text: string) => void} trace sees every message on the sockets
 * @returns {Promise<{ url: string, close(): void }>}
 */
export async function startAdapter(webSocketUrl, trace) {
  /** @type {Map<string, RpcSocket>} by session id */
  const sessions = new Map();
  /** @type {Map<string, Promise<RpcSocket>>} by Host and Origin */
  const shared = new Map();

  const server = createServer((req, res) => {
    handle(req, res).catch((/** @type {Error} */ error) => {
      if (error instanceof UpgradeRefused) sendError(res, error.status, -32600, error.message);
      else if (!res.headersSent) sendError(res, 502, -32603, error.message);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());

  /**
   * @param {import('node:http').IncomingMessage} req
   * @param {import('node:http').ServerResponse} res
   */
  async function handle(req, res) {
    switch (req.method) {
      case 'POST':
        await handlePost(req, res);
        return;
      case 'GET':
        withSession(req, res, (socket) => {
          socket.stream = res;
          startEvents(res);
        });
        return;
      case 'DELETE':
        withSession(req, res, (socket, id) => {
          sessions.delete(id);
          socket.close();
          res.writeHead(204).end();
        });
        return;
      default:
        res.writeHead(405, { Allow: 'POST, GET, DELETE' }).end();
    }
  }

  /**
   * @param {import('node:http').IncomingMessage} req
   * @param {import('node:http').ServerResponse} res
   */
  async function handlePost(req, res) {
    const message = parse(await text(req));
    if (message === undefined) {
      sendError(res, 400, -32700, 'the body is not JSON');
      return;
    }
    const header = req.headers['mcp-protocol-version'];
    const stated = message.params?._meta?.[PROTOCOL_VERSION];
    const modern = stated !== undefined || (header !== undefined && !legacyRevisions.has(String(header)));
    if (modern && stated !== undefined && stated !== header) {
      const words = `MCP-Protocol-Version says ${header}, _meta says ${stated}`;
      sendError(res, 400, HEADER_MISMATCH, words, message.id);
    } else if (modern) {
      pass(await sharedSocket(req.headers), message, res, modern);
    } else if (message.method === 'initialize') {
      const socket = await RpcSocket.open(webSocketUrl, req.headers, trace);
      const id = randomUUID();
      sessions.set(id, socket);
      res.setHeader('Mcp-Session-Id', id);
      pass(socket, message, res, modern);
    } else {
      withSession(req, res, (socket) => pass(socket, message, res, modern));
    }
  }

  /** @param {import('node:http').IncomingHttpHeaders} headers */
  function sharedSocket({ host, origin }) {
    const key = JSON.stringify([host, origin]);
    const known = shared.get(key);
    if (known !== undefined) return known;
    const opening = RpcSocket.open(webSocketUrl, { host, origin }, trace);
    const forget = () => shared.delete(key);
    shared.set(key, opening);
    opening.then((socket) => socket.onClosed(forget), forget);
    return opening;
  }

  /**
   * @param {import('node:http').IncomingMessage} req
   * @param {import('node:http').ServerResponse} res
   * @param {(socket: RpcSocket, id: string) => void} act
   */
  function withSession(req, res, act) {
    const id = req.headers['mcp-session-id'];
    const socket = sessions.get(String(id));
    if (id === undefined) sendError(res, 400, -32600, 'Mcp-Session-Id is missing');
    else if (socket === undefined || !socket.isOpen) sendError(res, 404, -32600, 'there is no such session');
    else act(socket, String(id));
  }

  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close() {
      for (const socket of sessions.values()) socket.close();
      for (const opening of shared.values()) opening.then((socket) => socket.close());
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * @param {RpcSocket} socket
 * @param {any} message
 * @param {import('node:http').ServerResponse} res
 * @param {boolean} modern
 */
function pass(socket, message, res, modern) {
  if (message.method !== undefined && message.id !== undefined) {
    socket.request(new Exchange(message, res, modern));
  } else {
    socket.forward(message);
    res.writeHead(202).end();
  }
}

/**
 * @param {string} body
 * @returns {any} `undefined` for what is no JSON
 */
function parse(body) {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
