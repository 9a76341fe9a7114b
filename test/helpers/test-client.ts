import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';

/** The parts of a result that tests read. */
interface TestResult {
  readonly content?: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
  readonly tools?: readonly ({ readonly name: string } & Readonly<Record<string, unknown>>)[];
  readonly nextCursor?: string;
  readonly [member: string]: unknown;
}

/** One message from the gateway, parsed, with its exact text. */
export interface Received {
  readonly raw: string;
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: TestResult;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: Readonly<Record<string, unknown>>;
  };
}

export interface ClientOptions {
  /** Subprotocols to offer. Default `mcp`. */
  readonly protocols?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** How long `next` and `request` wait, in milliseconds. */
  readonly patienceMs?: number;
}

/** A WebSocket client that keeps everything from its first moment on, so that nothing is missed. */
export interface TestClient extends AsyncDisposable {
  readonly socket: WebSocket;
  /** The subprotocol the gateway chose; empty for none. */
  readonly protocol: string;
  /** The raw text of every message so far. */
  readonly received: readonly string[];
  /** How many messages came as binary frames. */
  readonly binaryCount: () => number;
  send(message: string | Buffer | object): void;
  /** Takes the first message, waiting or future, that fits. */
  next(fits?: (message: Received) => boolean, patienceMs?: number): Promise<Received>;
  /** Sends a request under an id of the client's own and gives its response. */
  request(method: string, params?: object): Promise<Received>;
  /** Opens a session: `initialize` and `initialized`. */
  initialize(revision?: string): Promise<Received>;
  /** Calls a tool and gives the whole response. */
  call(name: string, args?: object, meta?: object): Promise<Received>;
  /** Calls a tool and gives the text of its result; fails on an error. */
  callText(name: string, args?: object): Promise<string>;
  /** The names that `tools/list` gives. */
  toolNames(): Promise<string[]>;
  /** Messages that are here and that no `next` has taken. */
  readonly waiting: readonly Received[];
  readonly closed: Promise<{ code: number; reason: string }>;
  /** Stops reading from the socket. */
  pause(): void;
  resume(): void;
}

/** A gateway must never take this long to answer. */
const defaultPatienceMs = 10_000;

/** Connects and waits for the open socket. */
export async function connectClient(url: string, options: ClientOptions = {}): Promise<TestClient> {
  const socket = new WebSocket(url, [...(options.protocols ?? ['mcp'])], { headers: { ...options.headers } });
  const received: string[] = [];
  const waiting: Received[] = [];
  const takers = new Set<() => void>();
  let binaryCount = 0;
  let ended: { code: number; reason: string } | undefined;
  let lastId = 0;
  const wakeTakers = () => {
    for (const taker of takers) taker();
  };

  socket.on('message', (data: Buffer, isBinary) => {
    const raw = data.toString();
    received.push(raw);
    if (isBinary) binaryCount += 1;
    waiting.push({ ...(JSON.parse(raw) as object), raw });
    wakeTakers();
  });
  // Reported to whoever waits: the close event follows every error.
  socket.on('error', () => undefined);
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => {
      ended = { code, reason: reason.toString() };
      resolve(ended);
      wakeTakers();
    });
  });

  await once(socket, 'open');

  const send: TestClient['send'] = (message) =>
    socket.send(typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message));

  const next: TestClient['next'] = (
    fits = () => true,
    patienceMs = options.patienceMs ?? defaultPatienceMs,
  ) =>
    new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        clearTimeout(timer);
        takers.delete(take);
        act();
      };
      const failure = (why: string) =>
        new Error(
          `no such message: ${why}; waiting: ${waiting.map(({ raw }) => raw.slice(0, 300)).join('\n')}`,
        );
      const take = () => {
        const index = waiting.findIndex(fits);
        const [found] = index < 0 ? [] : waiting.splice(index, 1);
        if (found !== undefined) settle(() => resolve(found));
        else if (ended !== undefined) {
          const { code, reason } = ended;
          settle(() => reject(failure(`the socket was closed with ${code} ${reason}`)));
        }
      };
      const timer = setTimeout(
        () => settle(() => reject(failure(`not within ${patienceMs} ms`))),
        patienceMs,
      );
      takers.add(take);
      take();
    });

  const request: TestClient['request'] = (method, params) => {
    lastId += 1;
    const id = `c${lastId}`;
    send({ jsonrpc: '2.0', id, method, params });
    return next((message) => message.id === id && message.method === undefined);
  };

  const call: TestClient['call'] = (name, args = {}, meta) =>
    request('tools/call', { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) });

  return {
    socket,
    protocol: socket.protocol,
    received,
    binaryCount: () => binaryCount,
    send,
    next,
    request,
    async initialize(protocolVersion = '2025-11-25') {
      const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '0' } };
      const reply = await request('initialize', params);
      send({ jsonrpc: '2.0', method: 'notifications/initialized' });
      return reply;
    },
    call,
    async callText(name, args) {
      const reply = await call(name, args);
      const text = reply.result?.content?.[0]?.text;
      if (text === undefined) throw new Error(`no text in the answer: ${reply.raw.slice(0, 1_000)}`);
      return text;
    },
    async toolNames() {
      const reply = await request('tools/list');
      return (reply.result?.tools ?? []).map(({ name }) => name);
    },
    waiting,
    closed,
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    async [Symbol.asyncDispose]() {
      socket.terminate();
      await closed;
    },
  };
}

/** Connects and opens a session of a revision (default: our newest). */
export async function openSession(url: string, revision?: string): Promise<TestClient> {
  const client = await connectClient(url);
  await client.initialize(revision);
  return client;
}

/** What the gateway answered to an upgrade, whether it accepted it or not. */
export interface UpgradeAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Asks for an upgrade with exactly these headers besides the ordinary ones, and drops the socket again. */
export function attemptUpgrade(
  url: string,
  headers: Readonly<Record<string, string | readonly string[]>> = {},
): Promise<UpgradeAnswer> {
  const { hostname, port, pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      hostname,
      port,
      path: pathname + search,
      headers: {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': Buffer.alloc(16, 'k').toString('base64'),
        ...(headers as Record<string, string | string[]>),
      },
    });
    request.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: '' });
    });
    request.on('response', (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      );
    });
    request.on('error', reject);
    request.end();
  });
}
