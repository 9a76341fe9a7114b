/** HTTP statuses that the modern transport gives to errors. [MCP 2026-07-28 Streamable HTTP] */
const statusByCode = new Map([
  [-32601, 404],
  [-32602, 400],
  [-32020, 400],
  [-32021, 400],
  [-32022, 400],
]);

/** One POSTed request and the HTTP response that waits for its answer. */
export class Exchange {
  #res;
  #answered = false;

  /**
   * @param {any} request the JSON-RPC request as the client sent it
   * @param {import('node:http').ServerResponse} res
   * @param {boolean} modern whether errors have HTTP statuses of their own
   */
  constructor(request, res, modern) {
    this.request = request;
    this.modern = modern;
    this.#res = res;
  }

  /** Whether somebody still listens. */
  get isOpen() {
    return !this.#answered && !this.#res.destroyed;
  }

  /** Whether it is a call, that is, whether a message that names no request may be about it. */
  get isCall() {
    return this.request.method !== 'subscriptions/listen';
  }

  /** @param {() => void} act called when the client leaves before it has its answer */
  onAbandoned(act) {
    this.#res.on('close', () => {
      if (!this.#answered) act();
    });
  }

  /**
   * Sends something ahead of the answer, which makes the response a stream of events.
   * @param {object} message
   */
  send(message) {
    if (!this.#res.headersSent) startEvents(this.#res);
    writeEvent(this.#res, message);
  }

  /**
   * Sends the answer and ends the response.
   * @param {any} message
   */
  answer(message) {
    this.#answered = true;
    if (this.#res.headersSent) {
      writeEvent(this.#res, message);
      this.#res.end();
    } else {
      const status = this.modern ? (statusByCode.get(message.error?.code) ?? 200) : 200;
      sendJson(this.#res, status, message);
    }
  }

  /**
   * Ends the response without an answer of the server.
   * @param {number} status
   * @param {string} message
   */
  fail(status, message) {
    this.#answered = true;
    if (this.#res.headersSent) this.#res.end();
    else sendError(this.#res, status, -32603, message, this.request.id);
  }
}

/** @param {import('node:http').ServerResponse} res */
export function startEvents(res) {
  res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
  res.flushHeaders();
}

/**
 * @param {import('node:http').ServerResponse} res
 * @param {object} message
 */
export function writeEvent(res, message) {
  res.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
}

/**
 * @param {import('node:http').ServerResponse} res
 * @param {number} status
 * @param {object} body
 */
function sendJson(res, status, body) {
  res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

/**
 * @param {import('node:http').ServerResponse} res
 * @param {number} status
 * @param {number} code
 * @param {string} message
 * @param {unknown} [id]
 */
export function sendError(res, status, code, message, id) {
  sendJson(res, status, { jsonrpc: '2.0', ...(id === undefined ? {} : { id }), error: { code, message } });
}
