import { pino } from 'pino';
import type { Era } from '../../src/eras/backend-side.js';
import type { JsonObject } from '../../src/protocol/json.js';
import type { ResponseMessage } from '../../src/protocol/message.js';
import { modernRevision } from '../../src/protocol/revisions.js';
import type {
  BackendState,
  ClientPort,
  Conversation,
  Exit,
  Introduction,
  OwnBackend,
  RequestFailure,
  RequestProblem,
} from '../../src/router/ports.js';
import { Router } from '../../src/router/router.js';
import type { BackendKey, GatewayId, SessionKey, ToBackend, ToClient } from '../../src/shared/ids.js';
import type { BackendSettings, Settings } from '../../src/shared/settings.js';
import { createFakeClock } from './fake-clock.js';
import { listingOf, type Offer, wellFormed } from './listing-of.js';
import { backendSettings, settings } from './settings.js';

/** A parsed message, for looking at in tests. */
export type Seen = JsonObject & {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: JsonObject;
  readonly result?: JsonObject;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: JsonObject };
};

/** Lets promises settle. */
export const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

export const someExit: Exit = { code: 1, signal: null, reason: 'exit code 1', stderrTail: 'out of paper' };

/** A request of the gateway's own that a scripted backend has not answered. */
export interface HeldRequest {
  readonly method: string;
  readonly params: JsonObject | undefined;
  /** Answers with `{ result }` or `{ error }`. */
  readonly answer: (outcome: object) => void;
  readonly fail: (failure: RequestFailure) => void;
}

/** A backend that does exactly what the test says. */
export class ScriptedBackend implements OwnBackend {
  readonly key: BackendKey;
  readonly settings: BackendSettings;
  state: BackendState = { kind: 'stopped' };
  unwrittenBytes = 0;
  advice: string | undefined;
  woken = 0;
  /** What the router wrote, as text without the line end. */
  readonly lines: string[] = [];
  /** Those of the lines that no process was there to read. */
  readonly lost: string[] = [];
  /** Whether a process is ready; the state says so a moment later. */
  serving = false;

  constructor(key: string, changes: Partial<BackendSettings> = {}) {
    this.key = key as BackendKey;
    this.settings = backendSettings({ key: this.key, namespace: key, ...changes });
  }

  write(message: ToBackend): void {
    const text = Buffer.concat(message).toString();
    if (!text.endsWith('\n') || text.indexOf('\n') !== text.length - 1)
      throw new Error(`not one line: ${text}`);
    this.lines.push(text.slice(0, -1));
    if (!this.serving) this.lost.push(text.slice(0, -1));
  }

  /** The gateway's own requests, and how they are answered; by default with an empty result. */
  readonly asked: { method: string; params: JsonObject | undefined }[] = [];
  answerOwn: (method: string, params: JsonObject | undefined) => object = () => ({ result: {} });

  /** Once set, those requests wait here until the test answers them or the process ends. */
  held: HeldRequest[] | undefined;

  async request(method: string, params: JsonObject | undefined): Promise<ResponseMessage> {
    if (this.state.kind !== 'ready')
      throw failure('not-ready', `backend "${this.key}" is ${this.state.kind}, not ready`);
    this.asked.push({ method, params });
    const outcome =
      this.held === undefined
        ? this.answerOwn(method, params)
        : await new Promise<object>((answer, fail) => this.held?.push({ method, params, answer, fail }));
    const text = JSON.stringify({ jsonrpc: '2.0', id: 9_999, ...outcome });
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

export function failure(problem: RequestProblem, message: string): RequestFailure {
  return Object.assign(new Error(message), { problem });
}

/** A client that keeps what it hears. */
export class ScriptedClient implements ClientPort {
  readonly key: SessionKey;
  readonly texts: string[] = [];
  readonly #conversation: Conversation;
  closedWith: number | undefined;
  /** What it declared in its handshake. */
  capabilities: JsonObject = {};

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

  cancel(requestId: number | string): void {
    this.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
  }

  initialize(protocolVersion = '2025-11-25', capabilities: JsonObject = {}): void {
    this.capabilities = capabilities;
    const clientInfo = { name: `client ${this.key}`, version: '0' };
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
    ports: backends.filter(({ settings: { sharing } }) => sharing === 'shared'),
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
    ready(
      backend: ScriptedBackend,
      offer: readonly (string | JsonObject)[] | Offer,
      era: Era = 'legacy',
    ): void {
      const { capabilities, instructions, ...entries } = 'length' in offer ? { tools: offer } : offer;
      if (backend.state.kind !== 'starting') move(backend, { kind: 'starting', sinceMs: clock.now() });
      router.events.listing(backend, listingOf(entries));
      backend.serving = true;
      const own = { tools: {}, prompts: {}, resources: { subscribe: true }, logging: {}, completions: {} };
      move(backend, {
        kind: 'ready',
        peer: {
          era,
          revision: era === 'legacy' ? '2025-11-25' : modernRevision,
          capabilities: capabilities ?? own,
          serverInfo: {},
          instructions,
        },
      });
    },
    /** Gives a ready backend other tools. */
    list(backend: ScriptedBackend, tools: readonly string[]): void {
      router.events.listing(backend, listingOf({ tools }));
    },
    /** Ends a backend's process; it starts again after `waitMs`. */
    crash(backend: ScriptedBackend, waitMs = 500): void {
      backend.serving = false;
      for (const { fail } of backend.held?.splice(0) ?? []) fail(failure('ended', 'the process has ended'));
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
