import { describe, expect, it } from 'vitest';
import { startGateway } from '../../helpers/gateway-process.js';
import { connectClient, openSession, type TestClient } from '../../helpers/test-client.js';
import { ask, listen, rawModern, streamOf } from './modern-client.js';

/** A request and its answer, in either era. */
const eras = {
  legacy: {
    open: (url: string) => openSession(url),
    ask: (client: TestClient, method: string, params: object) => client.request(method, params),
  },
  modern: { open: (url: string) => connectClient(url), ask },
} as const;
const eraNames = ['legacy', 'modern'] as const;

const complete = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
const prompts = { ...complete, prompts: [{ name: 'p', arguments: [{ name: 'a' }] }] };
const discovery = {
  ...complete,
  supportedVersions: ['2026-07-28'],
  capabilities: {
    tools: { listChanged: true },
    prompts: {},
    completions: {},
    resources: { subscribe: true },
  },
};

function start(options: object = {}, settings: object = {}) {
  return startGateway({ config: { mcpServers: { m: rawModern(options, settings) } } });
}

function callWith(era: (typeof eraNames)[number], client: TestClient, result: object) {
  return eras[era].ask(client, 'tools/call', { name: 'm__t0', arguments: { result } });
}

describe('a result of a kind that is not known', () => {
  const result = { resultType: 'riddle', content: [{ type: 'text', text: '?' }], more: 1 };

  it('goes to a modern client as it is, who may know it', async () => {
    await using gateway = await start();
    await using client = await connectClient(gateway.url);
    expect((await callWith('modern', client, result)).result).toEqual(result);
  });

  it('is an error to a legacy one, who would take it for a result', async () => {
    await using gateway = await start();
    await using client = await openSession(gateway.url);
    const { error } = await callWith('legacy', client, result);
    expect(error).toMatchObject({ code: -32603, data: { source: 'gateway', backend: 'm' } });
    expect(error?.message).toContain('riddle');
    expect((await callWith('legacy', client, { content: [] })).result).toEqual({ content: [] });
  });
});

describe('a question to a legacy client', () => {
  const cases = {
    'of a kind that it did not declare': { q: { method: 'elicitation/create', params: { message: 'm' } } },
    'of a kind that nobody knows': { q: { method: 'weather/get' } },
    'that is a request to the server': { q: { method: 'tools/list' } },
    'without a method': { q: {} },
  };
  it.each(Object.entries(cases))('%s ends the call', async (_what, inputRequests) => {
    await using gateway = await start();
    await using client = await openSession(gateway.url);
    const { error } = await callWith('legacy', client, { resultType: 'input_required', inputRequests });
    expect(error?.data).toMatchObject({ source: 'gateway', backend: 'm' });
    expect(client.waiting).toEqual([]);
    expect((await callWith('legacy', client, { content: [] })).result).toEqual({ content: [] });
  });

  it('that asks for nothing is asked again, but not for ever', async () => {
    await using gateway = await start({}, { requestTimeout: '1s', maxRequestTime: '2s' });
    await using client = await openSession(gateway.url);
    const { error } = await callWith('legacy', client, { resultType: 'input_required', requestState: 's' });
    expect(error?.data).toMatchObject({ source: 'gateway', backend: 'm' });
  });

  it('in answer to a method that must not ask ends the request', async () => {
    const answers = {
      'prompts/list': prompts,
      'completion/complete': { resultType: 'input_required', inputRequests: {}, requestState: 's' },
    };
    await using gateway = await start({ discover: discovery, answers });
    await using client = await openSession(gateway.url);
    const ref = { type: 'ref/prompt', name: 'm__p' };
    const { error } = await client.request('completion/complete', {
      ref,
      argument: { name: 'a', value: '' },
    });
    expect(error).toMatchObject({ code: -32603, data: { source: 'gateway', backend: 'm' } });
  });
});

describe.each(eraNames)('a %s client', (era) => {
  const changed = ({ method }: { method?: string }) => method === 'notifications/tools/list_changed';
  const updated = ({ method }: { method?: string }) => method === 'notifications/resources/updated';
  const act = (client: TestClient, args: object) =>
    eras[era].ask(client, 'tools/call', { name: 'm__t0', arguments: args });
  const offer = { 'resources/list': { ...complete, resources: [{ uri: 'a:1', name: 'one' }] } };

  it.each(['never', 'untagged', undefined])(
    'hears of changes at a backend whose stream is acknowledged: %s',
    async (how) => {
      // So short a wait for the acknowledgement is too short for a probe on a busy machine, so there is none.
      const settings = { probeTimeout: '300ms', era: 'modern' };
      await using gateway = await start({ answers: offer, listen: how }, settings);
      await using client = await eras[era].open(gateway.url);
      await eras[era].ask(client, 'tools/list', {});
      if (era === 'modern') {
        await listen(client, '"mine"', { toolsListChanged: true, resourceSubscriptions: ['a:1'] });
      } else await client.request('resources/subscribe', { uri: 'a:1' });
      await act(client, { act: 'touch', uri: 'a:1', tags: [null] });
      await act(client, { act: 'change', tags: [null] });
      for (const fits of [updated, changed]) {
        expect(streamOf(await client.next(fits))).toBe(era === 'modern' ? 'mine' : undefined);
      }
    },
  );

  it('is told of its resources when the stream at their backend was away', async () => {
    await using gateway = await start({ answers: offer });
    await using client = await eras[era].open(gateway.url);
    if (era === 'modern') await listen(client, '"mine"', { resourceSubscriptions: ['a:1'] });
    else await client.request('resources/subscribe', { uri: 'a:1' });
    await act(client, { act: 'close' });
    const notice = await client.next(updated);
    expect(notice).toMatchObject({ params: { uri: 'a:1' } });
    expect(streamOf(notice)).toBe(era === 'modern' ? 'mine' : undefined);
    expect(client.waiting).toEqual([]);
  });

  it('is told nothing that has the tag of a foreign stream', async () => {
    await using gateway = await start({ answers: offer });
    await using client = await eras[era].open(gateway.url);
    if (era === 'modern') await listen(client, '1', { resourceSubscriptions: ['a:1'] });
    else await client.request('resources/subscribe', { uri: 'a:1' });
    await act(client, { act: 'touch', uri: 'a:1', tags: ['1', 1_000_000, 'own-1', 'own'] });
    await act(client, { act: 'received' });
    expect(client.waiting.filter(updated).map(streamOf)).toEqual([era === 'modern' ? 1 : undefined]);
  });

  it('is served by a backend that answers the probe late, or with nonsense', async () => {
    await using gateway = await startGateway({
      config: {
        mcpServers: {
          nonsense: rawModern({ discover: { hello: 1 }, legacy: true }),
          silent: rawModern({ probe: 'silent', legacy: true }, { probeTimeout: '200ms' }),
          error: rawModern({ discoverError: { code: -32_000, message: 'busy' }, legacy: true }),
        },
      },
    });
    await using client = await eras[era].open(gateway.url);
    const { result } = await eras[era].ask(client, 'tools/list', {});
    expect(result?.tools?.map(({ name }) => name)).toEqual(['nonsense__t0', 'silent__t0', 'error__t0']);
  });

  it('gets the answer of a backend that leaves out what kind it is', async () => {
    await using gateway = await start();
    await using client = await eras[era].open(gateway.url);
    const { result } = await callWith(era, client, { content: [{ type: 'text', text: 'x' }] });
    expect(result).toMatchObject({ content: [{ text: 'x' }] });
  });
});
