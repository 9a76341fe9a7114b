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

function cancel(client: ScriptedClient, requestId: number | string): void {
  client.say({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId, _meta: modernMeta() },
  });
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
  ])('that asks for %j with %j', (filter, granted) => {
    const { one } = setUp();
    listen(one, 1, filter);
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

describe('a stream hears', () => {
  it('of updates of its resources, under its own id, whatever the backend says', () => {
    const { one, say, backend } = setUp();
    for (const id of [1, '1', 1.5]) listen(one, id, { resourceSubscriptions: ['a:1'] });
    listen(one, 'other', { resourceSubscriptions: ['a:2'], toolsListChanged: true });
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

  it('and a session that never asked does not', () => {
    const { one, client, list, say, backend, clock } = setUp();
    const other = client();
    listen(one, 1, { toolsListChanged: true, resourceSubscriptions: ['a:1'] });
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
    cancel(one, 1);
    other.request(2, 'resources/unsubscribe', { uri: 'a:1' });
    await settled();
    expect(asked(backend)).toHaveLength(1);
    cancel(one, 2);
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
    ['by a cancellation', (client: ScriptedClient) => cancel(client, 'x')],
    ['with its client', (client: ScriptedClient) => client.leave()],
  ])('%s, without an answer', (_how, end) => {
    const { one, router, say, list, backend, clock } = setUp();
    listen(one, 'x', { toolsListChanged: true, resourceSubscriptions: ['a:1'] });
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
    cancel(one, '1');
    expect(router.held.streams).toBe(1);
    listen(one, '1', {});
    cancel(one, '1');
    cancel(one, 1);
    expect(router.held.streams).toBe(0);
  });

  it('with a result when the gateway stops', async () => {
    const { one, router } = setUp();
    listen(one, 1, { toolsListChanged: true });
    listen(one, '1', { resourceSubscriptions: ['a:1'] });
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
    cancel(one, 1);
    listen(one, 1, { toolsListChanged: true });
    expect(one.last).toEqual(acknowledged(1, { toolsListChanged: true }));
  });
});
