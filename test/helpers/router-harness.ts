import { pino } from 'pino';
import { readMessage } from '../../src/protocol/envelope.js';
import type { JsonObject } from '../../src/protocol/json.js';
import { type Listing, type ListKind, listKinds } from '../../src/protocol/listing.js';
import { readPage } from '../../src/protocol/listing-page.js';
import type { Message, ResponseMessage } from '../../src/protocol/message.js';
import type {
  BackendState,
  ClientPort,
  Conversation,
  Exit,
  Introduction,
  OwnBackend,
} from '../../src/router/ports.js';
import { Router } from '../../src/router/router.js';
import type { BackendKey, GatewayId, SessionKey, ToBackend, ToClient } from '../../src/shared/ids.js';
import type { BackendSettings, Settings } from '../../src/shared/settings.js';
import { createFakeClock } from './fake-clock.js';
import { backendSettings, settings } from './settings.js';

/** A parsed message, for looking at in tests. */
export type Seen = JsonObject & {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: JsonObject;
  readonly result?: JsonObject;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: JsonObject };
};

export const someExit: Exit = { code: 1, signal: null, reason: 'exit code 1', stderrTail: 'out of paper' };

/** A backend that does exactly what the test says. */
export class ScriptedBackend implements OwnBackend {
  readonly key: BackendKey;
  readonly settings: BackendSettings;
  state: BackendState = { kind: 'stopped' };
  unwrittenBytes = 0;
  woken = 0;
  /** What the router wrote, as text without the line end. */
  readonly lines: string[] = [];

  constructor(key: string, changes: Partial<BackendSettings> = {}) {
    this.key = key as BackendKey;
    this.settings = backendSettings({ key: this.key, namespace: key, ...changes });
  }

  write(message: ToBackend): void {
    const text = Buffer.concat(message).toString();
    if (!text.endsWith('\n') || text.indexOf('\n') !== text.length - 1)
      throw new Error(`not one line: ${text}`);
    this.lines.push(text.slice(0, -1));
  }

  /** The gateway's own requests, and how they are answered; by default with an empty result. */
  readonly asked: { method: string; params: JsonObject | undefined }[] = [];
  answerOwn: (method: string, params: JsonObject | undefined) => object = () => ({ result: {} });

  async request(method: string, params: JsonObject | undefined): Promise<ResponseMessage> {
    this.asked.push({ method, params });
    const text = JSON.stringify({ jsonrpc: '2.0', id: 9_999, ...this.answerOwn(method, params) });
    const message = wellFormed(text);
    if (message.kind !== 'response') throw new Error(`not a response: ${text}`);
    return message;
  }

  subscribe(uri: string): Promise<ResponseMessage> {
    return this.request('resources/subscribe', { uri });
  }

  unsubscribe(uri: string): Promise<ResponseMessage> {
    return this.request('resources/unsubscribe', { uri });
  }

  /** What it was told when it was made for one session. */
  introduction: Introduction | undefined;
  onStart: () => void = () => undefined;
  stopped = false;

  start(): void {
    this.onStart();
  }

  async stop(): Promise<void> {
    this.stopped = true;
  }

  wake(): void {
    this.woken += 1;
  }

  get seen(): Seen[] {
    return this.lines.map((line) => JSON.parse(line) as Seen);
  }

  get last(): Seen {
    const last = this.seen.at(-1);
    if (last === undefined) throw new Error(`backend "${this.key}" has seen nothing`);
    return last;
  }
}

/** A client that keeps what it hears. */
export class ScriptedClient implements ClientPort {
  readonly key: SessionKey;
  readonly texts: string[] = [];
  readonly #conversation: Conversation;
  closedWith: number | undefined;

  constructor(key: number, router: Router) {
    this.key = key as SessionKey;
    this.#conversation = router.open(this);
  }

  send(message: ToClient): void {
    this.texts.push(Buffer.concat(message).toString());
  }

  sendProgress(message: ToClient): void {
    this.send(message);
  }

  close(code: number): void {
    this.closedWith = code;
  }

  say(message: object | string): 'accepted' | 'malformed' {
    const text = typeof message === 'string' ? message : JSON.stringify(message);
    return this.#conversation.receive(Buffer.from(text));
  }

  request(id: number | string, method: string, params?: object): void {
    this.say({ jsonrpc: '2.0', id, method, params });
  }

  initialize(protocolVersion = '2025-11-25', capabilities: object = {}): void {
    const clientInfo = { name: 'test', version: '0' };
    this.request('init', 'initialize', { protocolVersion, capabilities, clientInfo });
    this.say({ jsonrpc: '2.0', method: 'notifications/initialized' });
    this.texts.length = 0;
  }

  leave(): void {
    this.#conversation.ended();
  }

  get heard(): Seen[] {
    return this.texts.map((text) => JSON.parse(text) as Seen);
  }

  get last(): Seen {
    const last = this.heard.at(-1);
    if (last === undefined) throw new Error(`client ${this.key} has heard nothing`);
    return last;
  }
}

/** A router between scripted clients and scripted backends, on a clock that the test holds. */
export function createHarness(backends: readonly ScriptedBackend[], changes: Partial<Settings> = {}) {
  const clock = createFakeClock();
  const created: ScriptedBackend[] = [];
  let lastId = 0;
  const router = new Router({
    settings: settings({ backends: backends.map((backend) => backend.settings), ...changes }),
    ports: backends,
    clock,
    log: pino({ level: 'silent' }),
    nextId: () => {
      lastId += 1;
      return lastId as GatewayId;
    },
    serverInfo: { name: 'gateway', version: '0' },
    createOwn: (own, introduction) => {
      const backend = new ScriptedBackend(own.key, own);
      backend.introduction = introduction;
      backend.onStart = () => move(backend, { kind: 'starting', sinceMs: clock.now() });
      created.push(backend);
      return backend;
    },
  });
  let clients = 0;

  function move(backend: ScriptedBackend, state: BackendState): void {
    const from = backend.state;
    backend.state = state;
    router.events.state(backend, from);
  }

  return {
    clock,
    router,
    move,
    /** The backends that were made for single sessions, in order. */
    created: created as readonly ScriptedBackend[],
    client(): ScriptedClient {
      clients += 1;
      return new ScriptedClient(clients, router);
    },
    /** Brings a backend up with these entries. */
    ready(backend: ScriptedBackend, offer: readonly (string | JsonObject)[] | Offer): void {
      const { capabilities, instructions, ...entries } = 'length' in offer ? { tools: offer } : offer;
      if (backend.state.kind !== 'starting') move(backend, { kind: 'starting', sinceMs: clock.now() });
      router.events.listing(backend, listingOf(entries));
      const own = { tools: {}, prompts: {}, resources: { subscribe: true }, logging: {}, completions: {} };
      move(backend, {
        kind: 'ready',
        peer: {
          era: 'legacy',
          revision: '2025-11-25',
          capabilities: capabilities ?? own,
          serverInfo: {},
          instructions,
        },
      });
    },
    /** Ends a backend's process; it starts again after `waitMs`. */
    crash(backend: ScriptedBackend, waitMs = 500): void {
      router.events.exit(backend, someExit);
      move(backend, { kind: 'backing-off', untilMs: clock.now() + waitMs, lastExit: someExit });
    },
    /** Lets a backend say one line. */
    say(backend: ScriptedBackend, message: object | string): void {
      const text = typeof message === 'string' ? message : JSON.stringify(message);
      router.events.message(backend, wellFormed(text));
    },
  };
}

function wellFormed(text: string): Message {
  const message = readMessage(Buffer.from(text), { maxDepth: Number.POSITIVE_INFINITY });
  if (message.kind === 'malformed') throw new Error(`${message.reason}: ${text}`);
  return message;
}

/** What a scripted backend has; a name, URI or template stands for the smallest entry that has it. */
export interface Offer {
  readonly tools?: readonly (string | JsonObject)[];
  readonly prompts?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceTemplates?: readonly string[];
  readonly capabilities?: JsonObject;
  readonly instructions?: string;
}

/** A listing as it would have been read from a backend's answers. */
export function listingOf(offer: Offer): Listing {
  const result: Record<ListKind, readonly JsonObject[]> = {
    tools: (offer.tools ?? []).map((tool) =>
      typeof tool === 'string' ? { name: tool, inputSchema: { type: 'object' } } : tool,
    ),
    prompts: (offer.prompts ?? []).map((name) => ({ name })),
    resources: (offer.resources ?? []).map((uri) => ({ uri, name: uri })),
    resourceTemplates: (offer.resourceTemplates ?? []).map((uriTemplate) => ({
      uriTemplate,
      name: uriTemplate,
    })),
  };
  const response = wellFormed(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
  if (response.kind !== 'response') throw new Error('not a response');
  const pages = listKinds.map((kind) => [kind, readPage(kind, response).entries] as const);
  return { entries: Object.fromEntries(pages) as Listing['entries'], warnings: [] };
}
