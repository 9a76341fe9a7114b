import type { JsonObject } from '../../../src/protocol/json.js';
import { builtBackend, startProcess } from './stdio-process.js';

export const eras = ['legacy', 'modern'] as const;
export type EraName = (typeof eras)[number];

/** What a request of the modern era needs. */
export const envelope: JsonObject = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '0' },
};

/** A message that a backend has sent, with the method of the request that it answers. */
export interface Heard {
  readonly answers: string | undefined;
  readonly message: JsonObject;
}

/** A client of one era in raw lines that says the same as one of the other era, and hears the same. */
export interface Conversation {
  /** Everything that the backend has sent, as it was. */
  readonly heard: readonly Heard[];
  /** Greets the backend and yields how it introduces itself. */
  greet(): Promise<JsonObject>;
  /** The answer to a request, without what only the modern era adds. */
  ask(method: string, params?: JsonObject): Promise<JsonObject>;
  /** Has itself told when one of the resources changes, or when one comes or goes. */
  watch(uris: readonly string[]): Promise<void>;
  /** The next notice, without its tag. */
  news(): Promise<JsonObject>;
}

/** Starts a backend for a conversation in an era. It is killed when the scope is left. */
export function converse(era: EraName, backend: string, args: readonly string[] = []) {
  const server = startProcess(builtBackend(backend), { args });
  const heard: Heard[] = [];
  const early: JsonObject[] = [];
  let lastId = 0;

  const send = (method: string, params: JsonObject) => {
    lastId += 1;
    const _meta = era === 'modern' ? { _meta: envelope } : {};
    server.send({ id: lastId, method, params: { ...params, ..._meta } });
    return lastId;
  };
  const exchange = async (method: string, params: JsonObject = {}) => {
    const id = send(method, params);
    for (;;) {
      const message = await server.next();
      heard.push({ answers: message.id === id ? method : undefined, message });
      if (message.id === id) return message;
      early.push(message);
    }
  };
  const ask = async (method: string, params?: JsonObject) => withoutAdditions(await exchange(method, params));
  const notice = async () => {
    const waiting = early.shift();
    if (waiting !== undefined) return waiting;
    const message = await server.next();
    heard.push({ answers: undefined, message });
    return message;
  };
  const words = era === 'legacy' ? legacyWords() : modernWords();

  function legacyWords(): Pick<Conversation, 'greet' | 'watch' | 'news'> {
    return {
      async greet() {
        const clientInfo = { name: 'raw', version: '0' };
        const answer = await ask('initialize', {
          protocolVersion: '2025-11-25',
          capabilities: {},
          clientInfo,
        });
        server.send({ method: 'notifications/initialized' });
        const { capabilities, serverInfo, instructions } = answer.result as JsonObject;
        return { capabilities, serverInfo, instructions };
      },
      async watch(uris) {
        for (const uri of uris) await ask('resources/subscribe', { uri });
      },
      async news() {
        const { method, params } = await notice();
        return { method, ...(params as JsonObject | undefined) };
      },
    };
  }

  function modernWords(): Pick<Conversation, 'greet' | 'watch' | 'news'> {
    let listenId = 0;
    const untagged = ({ method, params }: JsonObject) => {
      const { _meta, ...rest } = params as JsonObject;
      const tag = (_meta as JsonObject)['io.modelcontextprotocol/subscriptionId'];
      if (tag !== listenId) throw new Error(`a notice for the listen ${listenId} has the tag ${String(tag)}`);
      return { method, ...rest };
    };
    return {
      async greet() {
        const { result } = await exchange('server/discover');
        const { capabilities, instructions, _meta } = result as JsonObject;
        const serverInfo = (_meta as JsonObject)['io.modelcontextprotocol/serverInfo'];
        return { capabilities, serverInfo, instructions };
      },
      async watch(uris) {
        const notifications = { resourcesListChanged: true, resourceSubscriptions: uris };
        listenId = send('subscriptions/listen', { notifications });
        const { method } = untagged(await notice());
        if (method !== 'notifications/subscriptions/acknowledged') throw new Error(`heard ${String(method)}`);
      },
      news: async () => untagged(await notice()),
    };
  }

  const conversation: Conversation & AsyncDisposable = {
    heard,
    ask,
    ...words,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
  return conversation;
}

function withoutAdditions({ result, error }: JsonObject): JsonObject {
  if (result === undefined) return { error };
  const { resultType: _type, ttlMs: _ttl, cacheScope: _scope, _meta, ...rest } = result as JsonObject;
  return { result: rest };
}
