import { describe, expect, it } from 'vitest';
import { defineTool } from '../../../../backends/kit/definition.js';
import { definePrompt } from '../../../../backends/kit/prompt-definition.js';
import type { Resource, ResourceObserver } from '../../../../backends/kit/resource-definition.js';
import { RpcError } from '../../../../backends/kit/rpc-error.js';
import { maxSubscriptions } from '../../../../backends/kit/subscriptions.js';
import type { JsonObject } from '../../../../src/protocol/json.js';
import { code, message, startServer } from './started-server.js';

const page = (uri: string, read: Resource['read'] = () => `text of ${uri}`): Resource => ({
  uri,
  name: `name of ${uri}`,
  mimeType: 'text/plain',
  read,
});

/** A server whose resources the test holds: what exists, and what changes. */
function withResources(initial: readonly Resource[]) {
  let observer: ResourceObserver | undefined;
  const held = { list: initial };
  const server = startServer({
    resources: {
      list: () => held.list,
      // Any case of a listed URI means it.
      find: (uri) => held.list.find((resource) => resource.uri === uri.toLowerCase()),
      watch: (given) => {
        observer = given;
      },
    },
  });
  const subscribe = (uri: string) => server.ask('resources/subscribe', { uri });
  if (observer === undefined) throw new Error('the server does not watch its resources');
  return { ...server, held, subscribe, observer };
}

const updated = (uri: string) => ({
  jsonrpc: '2.0',
  method: 'notifications/resources/updated',
  params: { uri },
});
const listChanged = { jsonrpc: '2.0', method: 'notifications/resources/list_changed' };

describe('the capabilities', () => {
  const silent = { name: 'p', title: 'P', description: 'p', handler: () => [] };
  const complete = () => [];

  it.each<[string, Parameters<typeof startServer>[0], JsonObject]>([
    ['nothing', {}, {}],
    ['tools', { tools: [] }, { tools: {} }],
    ['resources that never change', { resources: { list: () => [] } }, { resources: {} }],
    [
      'resources that are watched',
      { resources: { list: () => [], watch: () => undefined } },
      { resources: { subscribe: true, listChanged: true } },
    ],
    [
      'a prompt without proposals',
      { prompts: [definePrompt({ ...silent, arguments: { a: { description: 'a' } } })] },
      { prompts: {} },
    ],
    [
      'a prompt with proposals',
      { prompts: [definePrompt({ ...silent, arguments: { a: { description: 'a', complete } } })] },
      { prompts: {}, completions: {} },
    ],
    [
      'a template with proposals',
      {
        resources: {
          list: () => [],
          templates: [{ uriTemplate: 'x://{a}', name: 'x', variables: { a: { complete } } }],
        },
      },
      { resources: {}, completions: {} },
    ],
  ])('are those of the definition: %s', async (_what, definition, capabilities) => {
    const { ask } = startServer(definition);
    expect(await ask('initialize', { protocolVersion: '2025-11-25' })).toMatchObject({
      result: {
        capabilities: expect.toSatisfy((given) => JSON.stringify(given) === JSON.stringify(capabilities)),
      },
    });
  });

  it.each([
    'tools/list',
    'resources/list',
    'resources/templates/list',
    'resources/read',
    'resources/subscribe',
    'prompts/list',
    'prompts/get',
    'completion/complete',
  ])('leave %s unknown when the definition has nothing for it', async (method) => {
    expect(code(await startServer({}).ask(method))).toBe(-32601);
  });

  it('leave resources/subscribe unknown when the resources are not watched', async () => {
    const { ask } = startServer({ resources: { list: () => [page('x://a')] } });
    expect(code(await ask('resources/subscribe', { uri: 'x://a' }))).toBe(-32601);
  });
});

describe('links in the answer of a tool', () => {
  const tool = defineTool({
    name: 't',
    title: 'T',
    description: 't',
    inputSchema: { type: 'object', properties: {} },
    outputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true, idempotentHint: true },
    handler: () => ({ text: 'see', structured: {}, links: [{ uri: 'x://a', name: 'a' }] }),
  });

  it.each([
    ['2025-03-26', []],
    ['2025-06-18', [{ type: 'resource_link', uri: 'x://a', name: 'a' }]],
  ])('are given to a client of %s as that revision knows them', async (protocolVersion, links) => {
    const { ask } = startServer({ tools: [tool] });
    await ask('initialize', { protocolVersion });
    expect((await ask('tools/call', { name: 't' })).result).toEqual({
      content: [{ type: 'text', text: 'see' }, ...links],
      structuredContent: {},
    });
  });
});

describe('resources', () => {
  it('are listed as they are now, with what describes them', async () => {
    const { ask, held } = withResources([page('x://a')]);
    const entry = { uri: 'x://a', name: 'name of x://a', mimeType: 'text/plain' };
    expect((await ask('resources/list')).result).toEqual({ resources: [entry] });
    held.list = [];
    expect((await ask('resources/list')).result).toEqual({ resources: [] });
  });

  it('have templates, listed without what only the server knows', async () => {
    const template = { uriTemplate: 'x://{a}', name: 'x', title: 'X', description: 'x', mimeType: 'text/x' };
    const { ask } = startServer({
      resources: { list: () => [], templates: [{ ...template, variables: { a: {} } }] },
    });
    expect((await ask('resources/templates/list')).result).toEqual({ resourceTemplates: [template] });
  });

  it.each(['resources/list', 'resources/templates/list'])('refuse a cursor in %s', async (method) => {
    expect(code(await withResources([]).ask(method, { cursor: '' }))).toBe(-32602);
  });

  it('are read as text or as bytes, under the URI that was asked for', async () => {
    const { ask } = withResources([page('x://a'), page('x://b', () => Uint8Array.of(0, 255))]);
    expect((await ask('resources/read', { uri: 'X://a' })).result).toEqual({
      contents: [{ uri: 'X://a', mimeType: 'text/plain', text: 'text of x://a' }],
    });
    expect((await ask('resources/read', { uri: 'x://b' })).result).toEqual({
      contents: [{ uri: 'x://b', mimeType: 'text/plain', blob: 'AP8=' }],
    });
  });

  it('are found in the list by their exact URI when the definition does not say how', async () => {
    const { ask } = startServer({ resources: { list: async () => [page('x://a')] } });
    expect(await ask('resources/read', { uri: 'x://a' })).toHaveProperty('result');
    expect(code(await ask('resources/read', { uri: 'X://a' }))).toBe(-32002);
  });

  it.each(['resources/read', 'resources/subscribe'])(
    'that do not exist are -32002 with their URI, in %s',
    async (method) => {
      const { ask } = withResources([page('x://a')]);
      expect(await ask(method, { uri: 'x://b' })).toMatchObject({
        error: { code: -32002, data: { uri: 'x://b' }, message: expect.stringContaining('"x://b"') },
      });
    },
  );

  it('that go while they are read are unknown as well', async () => {
    const { ask } = withResources([page('x://a', () => undefined)]);
    expect(code(await ask('resources/read', { uri: 'x://a' }))).toBe(-32002);
  });

  it.each(['resources/read', 'resources/subscribe', 'resources/unsubscribe'])(
    'need a URI that is a text, in %s',
    async (method) => {
      const { ask } = withResources([]);
      for (const params of [{}, { uri: 1 }, { uri: null }])
        expect(code(await ask(method, params))).toBe(-32602);
    },
  );

  it('refuse two equal templates when the server is made', () => {
    const template = { uriTemplate: 'x://{a}', name: 'x', variables: {} };
    expect(() => startServer({ resources: { list: () => [], templates: [template, template] } })).toThrow(
      'two resource templates have the same name among x://{a}, x://{a}',
    );
  });
});

describe('subscriptions', () => {
  it('bring updates of what was subscribed to, under each spelling, until they end', async () => {
    const { subscribe, ask, receive, observer, sent } = withResources([page('x://a'), page('x://b')]);
    receive({ method: 'notifications/initialized' });
    await subscribe('x://a');
    await subscribe('x://a');
    await subscribe('X://A');
    sent.length = 0;
    observer.updated('x://a');
    observer.updated('x://b');
    expect(sent).toEqual([updated('x://a'), updated('X://A')]);

    expect((await ask('resources/unsubscribe', { uri: 'x://a' })).result).toEqual({});
    expect((await ask('resources/unsubscribe', { uri: 'x://never' })).result).toEqual({});
    sent.length = 0;
    observer.updated('x://a');
    expect(sent).toEqual([updated('X://A')]);
  });

  it('are not made for what does not exist', async () => {
    const { subscribe, receive, observer, sent } = withResources([]);
    receive({ method: 'notifications/initialized' });
    await subscribe('x://a');
    sent.length = 0;
    observer.updated('x://a');
    expect(sent).toEqual([]);
  });

  it('bring nothing before the handshake is finished', async () => {
    const { subscribe, receive, observer, sent } = withResources([page('x://a')]);
    await subscribe('x://a');
    sent.length = 0;
    observer.updated('x://a');
    expect(sent).toEqual([]);
    receive({ method: 'notifications/initialized' });
    observer.updated('x://a');
    expect(sent).toEqual([updated('x://a')]);
  });

  it('are limited, and there is room again after one ends', async () => {
    let count = 0;
    const { ask } = startServer({
      resources: { list: () => [], find: () => page('x://a'), watch: () => undefined },
    });
    for (; count < maxSubscriptions; count += 1) await ask('resources/subscribe', { uri: `x://${count}` });
    expect(code(await ask('resources/subscribe', { uri: 'x://one-more' }))).toBe(-32600);
    expect(await ask('resources/subscribe', { uri: 'x://0' })).toHaveProperty('result');
    await ask('resources/unsubscribe', { uri: 'x://0' });
    expect(await ask('resources/subscribe', { uri: 'x://one-more' })).toHaveProperty('result');
  });

  it('are not needed for changes of the list, which are told after the handshake only', async () => {
    const { observer, receive, sent } = withResources([]);
    observer.listChanged();
    expect(sent).toEqual([]);
    receive({ method: 'notifications/initialized' });
    observer.listChanged();
    expect(sent).toEqual([listChanged]);
  });
});

const greet = definePrompt({
  name: 'greet',
  title: 'Greet',
  description: 'Greets somebody',
  arguments: {
    who: {
      title: 'Who',
      description: 'Whom',
      required: true,
      complete: (typed) => [`${typed}1`, `${typed}2`],
    },
    how: { description: 'How' },
  },
  handler({ who, how = 'Hello' }) {
    if (who === 'nobody') throw new RpcError('invalidParams', 'there is nobody');
    return [{ role: 'user', content: { type: 'text', text: `${how}, ${who}` } }];
  },
});

describe('prompts', () => {
  const get = (params: JsonObject) => startServer({ prompts: [greet] }).ask('prompts/get', params);

  it('are listed with their arguments', async () => {
    expect((await startServer({ prompts: [greet] }).ask('prompts/list')).result).toEqual({
      prompts: [
        {
          name: 'greet',
          title: 'Greet',
          description: 'Greets somebody',
          arguments: [
            { name: 'who', title: 'Who', description: 'Whom', required: true },
            { name: 'how', description: 'How', required: false },
          ],
        },
      ],
    });
  });

  it.each([
    [{ who: 'Ana' }, 'Hello, Ana'],
    [{ who: 'Ana', how: '' }, ', Ana'],
  ])('are rendered with %j', async (input, text) => {
    expect((await get({ name: 'greet', arguments: input })).result).toEqual({
      description: 'Greets somebody',
      messages: [{ role: 'user', content: { type: 'text', text } }],
    });
  });

  it.each<[JsonObject, string]>([
    [{ name: 'gret' }, 'unknown prompt "gret"; this server has: greet'],
    [{ name: 'toString' }, 'unknown prompt "toString"'],
    [{}, 'unknown prompt nothing'],
    [{ name: 'greet' }, '"who" is missing. The prompt takes "who", "how" (optional)'],
    [{ name: 'greet', arguments: { how: 'x' } }, '"who" is missing'],
    [{ name: 'greet', arguments: { who: 7 } }, '"who" must be a string, got 7'],
    [
      { name: 'greet', arguments: { who: 'x', toString: 'x' } },
      '"toString" is not an argument of this prompt',
    ],
    [{ name: 'greet', arguments: [] }, '"arguments" must be an object'],
    [{ name: 'greet', arguments: { who: 'nobody' } }, 'there is nobody'],
  ])('refuse %j with -32602', async (params, reason) => {
    const answer = await get(params);
    expect(code(answer)).toBe(-32602);
    expect(message(answer)).toContain(reason);
  });

  it('refuse two of one name when the server is made', () => {
    expect(() => startServer({ prompts: [greet, greet] })).toThrow('two prompts have the same name');
  });
});

describe('completion', () => {
  const many = Array.from({ length: 101 }, (_, index) => String(index));
  const { ask } = startServer({
    prompts: [greet],
    resources: {
      list: () => [],
      templates: [
        { uriTemplate: 'x://{a}/{b}', name: 'x', variables: { a: { complete: async () => many }, b: {} } },
      ],
    },
  });
  const complete = (ref: JsonObject, name: string) =>
    ask('completion/complete', { ref, argument: { name, value: 'v' } });
  const prompt = { type: 'ref/prompt', name: 'greet' };
  const template = { type: 'ref/resource', uri: 'x://{a}/{b}' };

  it('proposes values for the argument of a prompt', async () => {
    expect((await complete(prompt, 'who')).result).toEqual({
      completion: { values: ['v1', 'v2'], total: 2, hasMore: false },
    });
  });

  it('gives the first 100 for the variable of a template and says that there are more', async () => {
    expect((await complete(template, 'a')).result).toEqual({
      completion: { values: many.slice(0, 100), total: 101, hasMore: true },
    });
  });

  it.each([
    [prompt, 'how'],
    [template, 'b'],
  ])('proposes nothing where the backend has no proposals', async (ref, name) => {
    expect((await complete(ref, name)).result).toEqual({
      completion: { values: [], total: 0, hasMore: false },
    });
  });

  const argument = { name: 'who', value: '' };
  it.each<[JsonObject, string]>([
    [
      { ref: { type: 'ref/prompt', name: 'gret' }, argument },
      'unknown prompt "gret"; this server has: greet',
    ],
    [{ ref: { type: 'ref/resource', uri: 'y://' }, argument }, 'unknown resource template "y://"'],
    [{ ref: { type: 'ref/tool', name: 'greet' }, argument }, '"ref.type" must be'],
    [{ ref: { ...prompt, name: 1 }, argument }, 'unknown prompt 1'],
    [{ ref: 'greet', argument }, '"ref" must be an object'],
    [{ ref: prompt }, '"argument" must be an object'],
    [{ ref: prompt, argument: { name: 'who' } }, '"argument" must be an object'],
    [{ ref: prompt, argument: { name: 'whom', value: '' } }, 'unknown argument "whom"; there are: who, how'],
    [{ ref: prompt, argument: { name: 'toString', value: '' } }, 'unknown argument "toString"'],
  ])('refuses %j with -32602', async (params, reason) => {
    const answer = await ask('completion/complete', params);
    expect(code(answer)).toBe(-32602);
    expect(message(answer)).toContain(reason);
  });
});
