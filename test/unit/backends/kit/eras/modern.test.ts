import { describe, expect, it } from 'vitest';
import { defineTool, type ToolContext } from '../../../../../backends/kit/definition.js';
import { definePrompt } from '../../../../../backends/kit/prompt-definition.js';
import type { JsonObject } from '../../../../../src/protocol/json.js';
import { code, envelope, message, startServer } from '../started-server.js';

const revisionKey = 'io.modelcontextprotocol/protocolVersion';
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';
const serverInfo = {
  'io.modelcontextprotocol/serverInfo': { name: 'test', title: 'Test', version: '1.2.3' },
};

const schema = {
  type: 'object',
  properties: { who: { type: 'string' } },
  required: ['who'],
} as const;

/** A server that has something for every method, and a client of the modern era. */
function start(work: (context: ToolContext) => unknown = () => undefined) {
  const greet = defineTool({
    name: 'greet',
    title: 'Greet',
    description: 'Greets somebody',
    inputSchema: schema,
    outputSchema: schema,
    annotations: { readOnlyHint: true, idempotentHint: true },
    async handler({ who }, context) {
      await work(context);
      return { text: who, structured: { who }, links: [{ uri: 'x://a', name: 'a' }] };
    },
  });
  const prompt = definePrompt({
    name: 'p',
    title: 'P',
    description: 'p',
    arguments: { a: { description: 'a', complete: () => ['b'] } },
    handler: () => [],
  });
  const server = startServer({
    tools: [greet],
    resources: {
      list: () => [{ uri: 'x://a', name: 'a', read: () => 'text' }],
      templates: [{ uriTemplate: 'x://{a}', name: 'x', variables: { a: {} } }],
      watch: () => undefined,
    },
    prompts: [prompt],
  });
  const ask = (method: string, params: JsonObject = {}, _meta = envelope()) =>
    server.ask(method, { ...params, _meta });
  return { ...server, bare: server.ask, ask };
}

const greeting = { name: 'greet', arguments: { who: 'Ana' } };

describe('a request that names its revision', () => {
  it.each(['2025-11-25', '2024-11-05', '2027-01-01', ''])(
    'is refused with -32022 when it is %j, and told which to use',
    async (requested) => {
      const { ask } = start();
      for (const method of ['tools/list', 'server/discover', 'initialize', 'no/such']) {
        expect(await ask(method, {}, envelope({ [revisionKey]: requested }))).toEqual({
          jsonrpc: '2.0',
          id: 'ask',
          error: {
            code: -32022,
            message: expect.stringContaining('use 2026-07-28, or send initialize'),
            data: { supported: ['2026-07-28'], requested },
          },
        });
      }
    },
  );

  it.each([
    [revisionKey, 20260728],
    [revisionKey, null],
    [capabilitiesKey, undefined],
    [capabilitiesKey, null],
    [capabilitiesKey, []],
    [capabilitiesKey, 'all'],
  ])('is refused with -32602 when its %s is %j', async (key, value) => {
    const answer = await start().ask('tools/list', {}, envelope({ [key]: value }));
    expect(code(answer)).toBe(-32602);
    expect(message(answer)).toContain(`"_meta" needs "${key}"`);
  });

  it.each([
    'initialize',
    'ping',
    'logging/setLevel',
    'resources/subscribe',
    'resources/unsubscribe',
    'no/such',
  ])('finds no %s', async (method) => {
    const answer = await start().ask(method, { uri: 'x://a', protocolVersion: '2025-11-25', level: 'info' });
    expect(code(answer)).toBe(-32601);
    expect(message(answer)).toBe(`unknown method "${method}" in MCP 2026-07-28`);
  });

  it('gets what the server is and can do from server/discover, without a handshake', async () => {
    expect(await start().ask('server/discover')).toEqual({
      jsonrpc: '2.0',
      id: 'ask',
      result: {
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: {
          tools: {},
          resources: { subscribe: true, listChanged: true },
          prompts: {},
          completions: {},
        },
        instructions: 'Be kind',
        ttlMs: 60_000,
        cacheScope: 'public',
        _meta: serverInfo,
      },
    });
  });

  const template = { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } };
  it.each<[string, JsonObject, JsonObject]>([
    ['tools/list', {}, { ttlMs: 60_000, cacheScope: 'public' }],
    ['prompts/list', {}, { ttlMs: 60_000, cacheScope: 'public' }],
    ['resources/templates/list', {}, { ttlMs: 60_000, cacheScope: 'public' }],
    ['resources/list', {}, { ttlMs: 0, cacheScope: 'private' }],
    ['resources/read', { uri: 'x://a' }, { ttlMs: 0, cacheScope: 'private' }],
    ['tools/call', greeting, {}],
    ['prompts/get', { name: 'p' }, {}],
    ['completion/complete', template, {}],
  ])('gets the same from %s as a legacy one, with what the era adds', async (method, params, freshness) => {
    const { ask, bare } = start();
    const { result } = (await bare(method, params)) as { result: JsonObject };
    expect((await ask(method, params)).result).toEqual({
      ...result,
      resultType: 'complete',
      ...freshness,
      _meta: serverInfo,
    });
  });

  it('is told of a resource that does not exist with -32602', async () => {
    const uri = 'x://none';
    expect(await start().ask('resources/read', { uri })).toMatchObject({
      error: { code: -32602, data: { uri }, message: expect.stringContaining('"x://none"') },
    });
  });

  it('is answered as its revision asks, whatever the handshake agreed on, and changes nothing there', async () => {
    const { ask, bare } = start();
    await bare('initialize', { protocolVersion: '2024-11-05' });
    const bad = { name: 'greet', arguments: { who: 1 } };
    expect(code(await bare('tools/call', bad))).toBe(-32602);
    expect(await ask('tools/call', bad)).toMatchObject({
      result: { isError: true, content: [{ text: expect.stringContaining('"who" must be a string') }] },
    });
    expect(await ask('tools/call', greeting)).toMatchObject({
      result: { content: [{ type: 'text' }, { type: 'resource_link', uri: 'x://a' }] },
    });
    expect(code(await bare('tools/call', bad))).toBe(-32602);
  });
});

describe('a request that names no revision', () => {
  it.each([undefined, {}, { progressToken: 1 }, { [capabilitiesKey]: {} }, 7, null])(
    'is a legacy one with _meta %j',
    async (_meta) => {
      const { bare } = start();
      expect((await bare('ping', _meta === undefined ? {} : { _meta })).result).toEqual({});
    },
  );

  it.each(['server/discover', 'subscriptions/listen'])('finds no %s', async (method) => {
    const answer = await start().bare(method, { notifications: {} });
    expect(code(answer)).toBe(-32601);
    expect(message(answer)).toBe(`unknown method "${method}" in MCP 2025-11-25`);
  });
});

describe('a call in the modern era', () => {
  it('reports progress under the token that stands beside the envelope', async () => {
    const { ask, sent } = start((context) => context.progress(1, 2, 'half'));
    await ask('tools/call', greeting, envelope({ progressToken: 'p' }));
    expect(sent[0]).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 'p', progress: 1, total: 2, message: 'half' },
    });
  });

  it.each([{}, { _meta: envelope() }])(
    'is cancelled by a notification with %j, and not answered',
    async (extra) => {
      const signals: AbortSignal[] = [];
      const { receive, server, sent } = start(({ signal }) => {
        signals.push(signal);
        return new Promise(() => undefined);
      });
      receive({ id: 1, method: 'tools/call', params: { ...greeting, _meta: envelope() } });
      receive({ method: 'notifications/cancelled', params: { requestId: 1, ...extra } });
      await server.idle();
      expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
      expect(sent).toEqual([]);
    },
  );
});
