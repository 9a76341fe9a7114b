import { WebSocket } from 'ws';
import { writeEvent } from './exchange.mjs';

const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId';

/** An upgrade that was answered with something else than 101. */
export class UpgradeRefused extends Error {
  /** @param {number} status */
  constructor(status) {
    super(`the WebSocket was refused with status ${status}`);
    this.status = status;
  }
}

/**
 * One WebSocket that carries the requests of many POSTs. The suite uses the same ids at the same time on several of
 * them, so each request travels under an id of this socket's own, which is its progress token too.
 */
export class RpcSocket {
  #socket;
  #trace;
  #lastId = 0;
  /** @type {Map<number, import('./exchange.mjs').Exchange>} */
  #exchanges = new Map();
  /** @type {import('node:http').ServerResponse | undefined} what belongs to no request goes here */
  stream;

  /**
   * @param {WebSocket} socket
   * @param {(arrow: string, text: string) => void} trace
   */
  constructor(socket, trace) {
    this.#socket = socket;
    this.#trace = trace;
    socket.on('message', (data) => {
      trace('<', String(data));
      this.#receive(JSON.parse(String(data)));
    });
    socket.on('close', (code) => {
      for (const exchange of this.#exchanges.values()) {
        exchange.fail(502, `the WebSocket was closed with ${code}`);
      }
      this.#exchanges.clear();
      this.stream?.end();
    });
  }

  /**
   * @param {string} url
   * @param {{ host?: string | undefined, origin?: string | undefined }} peer headers of the HTTP request, handed on so
   * that the server itself decides whom it serves
   * @param {(arrow: string, text: string) => void} trace
   * @returns {Promise<RpcSocket>}
   * @throws {UpgradeRefused}
   */
  static open(url, { host, origin }, trace) {
    const headers = {
      ...(host === undefined ? {} : { Host: host }),
      ...(origin === undefined ? {} : { Origin: origin }),
    };
    const socket = new WebSocket(url, 'mcp', { headers });
    return new Promise((resolve, reject) => {
      socket.on('open', () => resolve(new RpcSocket(socket, trace)));
      socket.on('unexpected-response', (request, { statusCode }) => {
        request.destroy();
        reject(new UpgradeRefused(Number(statusCode)));
      });
      socket.on('error', reject);
    });
  }

  get isOpen() {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  close() {
    this.#socket.close(1000);
  }

  /** @param {() => void} act */
  onClosed(act) {
    this.#socket.once('close', act);
  }

  /** @param {import('./exchange.mjs').Exchange} exchange */
  request(exchange) {
    this.#lastId += 1;
    const id = this.#lastId;
    const { request } = exchange;
    this.#exchanges.set(id, exchange);
    const token = request.params?._meta?.progressToken;
    this.#write({
      ...request,
      id,
      ...(token === undefined
        ? {}
        : { params: { ...request.params, _meta: { ...request.params._meta, progressToken: id } } }),
    });
    if (exchange.modern) exchange.onAbandoned(() => this.#cancel(id, request));
  }

  /**
   * Hands on a notification, or an answer to a question of the server.
   * @param {any} message
   */
  forward(message) {
    if (message.method !== 'notifications/cancelled') {
      this.#write(message);
      return;
    }
    for (const [id, { request }] of this.#exchanges) {
      if (request.id === message.params.requestId) {
        this.#write({ ...message, params: { ...message.params, requestId: id } });
      }
    }
  }

  /**
   * Modern clients cancel by leaving; a socket that others use too needs words for it.
   * @param {number} id
   * @param {any} request
   */
  #cancel(id, request) {
    if (!this.#exchanges.delete(id) || !this.isOpen) return;
    const { progressToken: _, ...meta } = request.params?._meta ?? {};
    this.#write({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: id, _meta: meta },
    });
  }

  /** @param {any} message */
  #receive(message) {
    if (message.method === undefined) this.#answer(message);
    else this.#deliver(message);
  }

  /** @param {any} message */
  #answer(message) {
    const exchange = this.#exchanges.get(message.id);
    if (exchange === undefined) return;
    this.#exchanges.delete(message.id);
    const tagged = message.result?._meta?.[SUBSCRIPTION_ID] !== undefined;
    exchange.answer({
      ...message,
      id: exchange.request.id,
      ...(tagged ? { result: withTag(message.result, exchange.request.id) } : {}),
    });
  }

  /**
   * Notifications and questions go to the request they name, else to the newest call, else to the stream.
   * @param {any} message
   */
  #deliver(message) {
    const { params } = message;
    const subscribed = this.#exchanges.get(params?._meta?.[SUBSCRIPTION_ID]);
    if (subscribed !== undefined) {
      subscribed.send({ ...message, params: withTag(params, subscribed.request.id) });
    } else if (message.method === 'notifications/progress') {
      const reported = this.#exchanges.get(params.progressToken);
      const progressToken = reported?.request.params._meta.progressToken;
      reported?.send({ ...message, params: { ...params, progressToken } });
    } else {
      const newest = [...this.#exchanges.values()].findLast(({ isOpen, isCall }) => isOpen && isCall);
      if (newest !== undefined) newest.send(message);
      else if (this.stream !== undefined) writeEvent(this.stream, message);
    }
  }

  /** @param {object} message */
  #write(message) {
    const text = JSON.stringify(message);
    this.#trace('>', text);
    this.#socket.send(text);
  }
}

/**
 * @param {any} holder params or a result
 * @param {unknown} id
 */
function withTag(holder, id) {
  return { ...holder, _meta: { ...holder._meta, [SUBSCRIPTION_ID]: id } };
}
