import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/protocol/json.js';
import {
  createHarness,
  ScriptedBackend,
  type ScriptedClient,
  settled,
} from '../../helpers/router-harness.js';
import { modernMeta } from '../eras/messages.js';

const tag = 'io.modelcontextprotocol/subscriptionId';

/** A ready backend with two resources, and a modern client. */
function setUp() {
  const backend = new ScriptedBackend('b');
  const harness = createHarness([backend]);
  harness.ready(backend, { tools: ['t'], resources: ['a:1', 'a:2'] });
  harness.clock.advance(10_000);
  return { ...harness, backend, one: harness.client() };
}

function listen(client: ScriptedClient, id: number | string, notifications: unknown): void {
  client.request(id, 'subscriptions/listen', { notifications, _meta: modernMeta() });
}

function acknowledged(id: number | string, notifications: JsonObject) {
  return {
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: { _meta: { [tag]: id }, notifications },
  };
}

const updated = (uri: string, more: object = {}) => ({
  jsonrpc: '2.0',
  method: 'notifications/resources/updated',
  params: { uri, ...more },
});

const asked = (backend: ScriptedBackend) => backend.asked.map(({ method, params }) => [method, params?.uri]);

describe('a stream is acknowledged', () => {
  it.each([
    [{}, {}],
    [{ toolsListChanged: true }, { toolsListChanged: true }],
    [{ toolsListChanged: false, promptsListChanged: 1 }, {}],
    [
      { promptsListChanged: true, resourcesListChanged: true, weather: true },
      { promptsListChanged: true, resourcesListChanged: true },
    ],
    [{ resourceSubscriptions: ['a:1'] }, { resourceSubscriptions: ['a:1'] }],
    [{ resourceSubscriptions: ['a:2', 'x:1', 5, null] }, { resourceSubscriptions: ['a:2'] }],
    [{ resourceSubscriptions: ['x:1'] }, {}],
    [{ resourceSubscriptions: 'a:1' }, {}],
  ])('that asks for %j with %j', async (filter, granted) => {
    const { one } = setUp();
    listen(one, 1, filter);
    await settled();
    expect(one.heard).toEqual([acknowledged(1, granted)]);
  });

  it.each([undefined, null, 'tools', [], 7])('but not one that asks for %j', (filter) => {
    const { one, router } = setUp();
    listen(one, 1, filter);
    expect(one.last).toMatchObject({ id: 1, error: { code: -32602 } });
    expect(router.held.streams).toBe(0);
  });

  it('but not a seventeenth of one client', () => {
    const { one, client, router } = setUp();
    for (let id = 0; id < 16; id += 1) listen(one, id, {});
    listen(one, 'more', {});
    expect(one.last).toMatchObject({ id: 'more', error: { code: -31005 } });
    const other = client();
    listen(other, 1, {});
    expect(other.last.method).toBe('notifications/subscriptions/acknowledged');
    expect(router.held.streams).toBe(17);
  });
});

describe('a stream that asks for resources', () => {
  const uris = ['a:1', 'a:2'];
  const held = ({ backend }: ReturnType<typeof setUp>) => backend.held ?? [];

  /** A stream whose backend has not said yet whether it tells of the resources. */
  async function waiting(notifications: JsonObject = { resourceSubscriptions: uris }) {
    const world = setUp();
    world.backend.held = [];
    listen(world.one, 's', notifications);
    await settled();
    return world;
  }

  it('is acknowledged once their backend tells of them', async () => {
    const world = await waiting();
    expect(world.one.heard).toEqual([]);
    held(world)[1]?.answer({ result: {} });
    await settled();
    expect(world.one.heard).toEqual([]);
    held(world)[0]?.answer({ result: {} });
    await settled();
    expect(world.one.heard).toEqual([acknowledged('s', { resourceSubscriptions: uris })]);
  });

  it('is not granted those that the backend refuses', async () => {
    const world = await waiting();
    held(world)[0]?.answer({ error: { code: -32602, message: 'not that one' } });
    held(world)[1]?.answer({ result: {} });
    await settled();
    expect(world.one.heard).toEqual([acknowledged('s', { resourceSubscriptions: ['a:2'] })]);
    world.one.texts.length = 0;
    world.say(world.backend, updated('a:1'));
    expect(world.one.heard).toEqual([]);
    expect(asked(world.backend)).toHaveLength(2);
  });

  it('is granted those of a backend that is not there at the moment', async () => {
    const world = await waiting();
    world.crash(world.backend);
    await settled();
    expect(world.one.heard).toEqual([acknowledged('s', { resourceSubscriptions: uris })]);
  });

  it('is granted those of a backend that does not say in time', async () => {
    const world = await waiting();
    world.clock.advance(4_000);
    expect(world.one.heard).toEqual([]);
    world.clock.advance(2_000);
    expect(world.one.heard).toEqual([acknowledged('s', { resourceSubscriptions: uris })]);
    for (const { answer } of held(world)) answer({ result: {} });
    await settled();
    expect(world.one.heard).toHaveLength(1);
  });

  it('hears of nothing before its acknowledgement, and of all that happened meanwhile then', async () => {
    const world = await waiting({ toolsListChanged: true, resourceSubscriptions: uris });
    const { one, say, list, backend, clock } = world;
    say(backend, updated('a:1', { nth: 1 }));
    say(backend, updated('a:2'));
    say(backend, updated('a:1', { nth: 2 }));
    list(backend, ['t', 'u']);
    clock.advance(100);
    expect(one.heard).toEqual([]);
    for (const { answer } of held(world)) answer({ result: {} });
    await settled();
    const params = { _meta: { [tag]: 's' } };
    expect(one.heard[0]?.method).toBe('notifications/subscriptions/acknowledged');
    expect(one.heard.slice(1)).toEqual([
      updated('a:1', { nth: 1, ...params }),
      updated('a:2', params),
      updated('a:1', { nth: 2, ...params }),
      { jsonrpc: '2.0', method: 'notifications/tools/list_changed', params },
    ]);
  });

  it('is acknowledged at once when more has happened than can be kept for it', async () => {
    const world = await waiting();
    const more = { long: 'x'.repeat(100_000) };
    let told = 0;
    for (; world.one.texts.length === 0; told += 1) {
      expect(told).toBeLessThan(20);
      world.say(world.backend, updated('a:1', more));
    }
    expect(world.one.heard).toHaveLength(1 + told);
    expect(world.one.heard[0]).toEqual(acknowledged('s', { resourceSubscriptions: uris }));
    world.say(world.backend, updated('a:2'));
    expect(world.one.last).toMatchObject(updated('a:2'));
    for (const { answer } of held(world)) answer({ result: {} });
    await settled();
    expect(world.one.heard).toHaveLength(2 + told);
    expect(world.clock.pending).toBe(0);
  });

  it('may be cancelled before its acknowledgement, which then does not come', async () => {
    const world = await waiting();
    world.one.cancel('s');
    for (const { answer } of held(world)) answer({ result: {} });
    await settled();
    world.clock.advance(10_000);
    expect(world.one.heard).toEqual([]);
    expect(world.router.held).toMatchObject({ streams: 0, subscriptions: 0 });
  });

  it('is acknowledged before its result when the gateway stops', async () => {
    const world = await waiting();
    await world.router.drain(1_000);
    expect(world.one.heard).toMatchObject([
      acknowledged('s', { resourceSubscriptions: uris }),
      { id: 's', result: {} },
    ]);
  });
});

describe('a stream hears', () => {
  it('of updates of its resources, under its own id, whatever the backend says', async () => {
    const { one, say, backend } = setUp();
    for (const id of [1, '1', 1.5]) listen(one, id, { resourceSubscriptions: ['a:1'] });
    listen(one, 'other', { resourceSubscriptions: ['a:2'], toolsListChanged: true });
    await settled();
    one.texts.length = 0;
    say(backend, updated('a:1', { _meta: { [tag]: 99, mine: 1 } }));
    expect(one.heard).toEqual([1, '1', 1.5].map((id) => updated('a:1', { _meta: { [tag]: id, mine: 1 } })));
  });

  it('of changed lists that it asked for, once', () => {
    const { one, list, backend, clock } = setUp();
    listen(one, 1, { toolsListChanged: true });
    listen(one, 2, { promptsListChanged: true, resourcesListChanged: true });
    one.request('l', 'tools/list', { _meta: modernMeta() });
    one.texts.length = 0;
    list(backend, ['t', 'u']);
    list(backend, ['t', 'u', 'v']);
    clock.advance(100);
    const params = { _meta: { [tag]: 1 } };
    const ofTools = one.heard.filter(({ method }) => method === 'notifications/tools/list_changed');
    expect(ofTools).toEqual([{ jsonrpc: '2.0', method: 'notifications/tools/list_changed', params }]);
  });

  it('beside what the session hears unasked, after a handshake', () => {
    const { one, list, backend, clock } = setUp();
    one.initialize();
    listen(one, 1, { toolsListChanged: true });
    one.request('l', 'tools/list');
    one.texts.length = 0;
    list(backend, ['t', 'u']);
    clock.advance(100);
    const tags = one.heard
      .filter(({ method }) => method === 'notifications/tools/list_changed')
      .map(({ params }) => params?._meta);
    expect(tags).toHaveLength(2);
    expect(tags).toContainEqual({ [tag]: 1 });
    expect(tags).toContainEqual(undefined);
  });

  it('and a session that never asked does not', async () => {
    const { one, client, list, say, backend, clock } = setUp();
    const other = client();
    listen(one, 1, { toolsListChanged: true, resourceSubscriptions: ['a:1'] });
    await settled();
    other.request('l', 'tools/list', { _meta: modernMeta() });
    other.texts.length = 0;
    say(backend, updated('a:1'));
    list(backend, ['t', 'u']);
    clock.advance(100);
    expect(other.texts).toEqual([]);
  });
});

describe('the backend', () => {
  it('is asked once for what several streams and sessions want', async () => {
    const { one, client, backend } = setUp();
    const other = client();
    other.initialize();
    listen(one, 1, { resourceSubscriptions: ['a:1'] });
    listen(one, 2, { resourceSubscriptions: ['a:1'] });
    other.request(1, 'resources/subscribe', { uri: 'a:1' });
    await settled();
    expect(asked(backend)).toEqual([['resources/subscribe', 'a:1']]);
    one.cancel(1);
    other.request(2, 'resources/unsubscribe', { uri: 'a:1' });
    await settled();
    expect(asked(backend)).toHaveLength(1);
    one.cancel(2);
    await settled();
    expect(asked(backend)).toEqual([
      ['resources/subscribe', 'a:1'],
      ['resources/unsubscribe', 'a:1'],
    ]);
  });

  it('is asked again after a restart', async () => {
    const { one, backend, crash, ready, say } = setUp();
    listen(one, 1, { resourceSubscriptions: ['a:1'] });
    crash(backend);
    ready(backend, { tools: ['t'], resources: ['a:1', 'a:2'] });
    await settled();
    expect(asked(backend)).toEqual([
      ['resources/subscribe', 'a:1'],
      ['resources/subscribe', 'a:1'],
    ]);
    say(backend, updated('a:1'));
    expect(one.last).toEqual(updated('a:1', { _meta: { [tag]: 1 } }));
  });
});

describe('a stream ends', () => {
  it.each([
    ['by a cancellation', (client: ScriptedClient) => client.cancel('x')],
    ['with its client', (client: ScriptedClient) => client.leave()],
  ])('%s, without an answer', async (_how, end) => {
    const { one, router, say, list, backend, clock } = setUp();
    listen(one, 'x', { toolsListChanged: true, resourceSubscriptions: ['a:1'] });
    await settled();
    one.texts.length = 0;
    end(one);
    say(backend, updated('a:1'));
    list(backend, ['t', 'u']);
    clock.advance(100);
    expect(one.texts).toEqual([]);
    expect(router.held).toMatchObject({ streams: 0, subscriptions: 0 });
  });

  it('by a cancellation that names it in its own JSON type', () => {
    const { one, router } = setUp();
    listen(one, 1, {});
    one.cancel('1');
    expect(router.held.streams).toBe(1);
    listen(one, '1', {});
    one.cancel('1');
    one.cancel(1);
    expect(router.held.streams).toBe(0);
  });

  it('with a result when the gateway stops', async () => {
    const { one, router } = setUp();
    listen(one, 1, { toolsListChanged: true });
    listen(one, '1', { resourceSubscriptions: ['a:1'] });
    await settled();
    one.texts.length = 0;
    await router.drain(1_000);
    expect(one.heard).toEqual(
      [1, '1'].map((id) => ({
        jsonrpc: '2.0',
        id,
        result: { resultType: 'complete', _meta: { [tag]: id } },
      })),
    );
    expect(router.held.streams).toBe(0);
  });

  it('and its id is free again', () => {
    const { one } = setUp();
    listen(one, 1, {});
    listen(one, 1, {});
    expect(one.last.error?.code).toBe(-32600);
    expect(one.last).not.toHaveProperty('id');
    one.cancel(1);
    listen(one, 1, { toolsListChanged: true });
    expect(one.last).toEqual(acknowledged(1, { toolsListChanged: true }));
  });
});
