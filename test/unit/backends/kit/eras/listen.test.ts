import { describe, expect, it, vi } from 'vitest';
import type {
  Resource,
  ResourceObserver,
  Resources,
} from '../../../../../backends/kit/resource-definition.js';
import { maxSubscriptions } from '../../../../../backends/kit/subscriptions.js';
import type { JsonObject } from '../../../../../src/protocol/json.js';
import { code, envelope, startServer } from '../started-server.js';

const idKey = 'io.modelcontextprotocol/subscriptionId';
const page = (uri: string): Resource => ({ uri, name: uri, read: () => '' });

/** A server with the resources `x://a` and `x://b`, in any case, and clients that listen. */
function start(find?: Resources['find']) {
  let observer: ResourceObserver | undefined;
  const list = [page('x://a'), page('x://b')];
  const started = startServer({
    tools: [],
    resources: {
      list: () => list,
      find: find ?? ((uri) => list.find((resource) => resource.uri === uri.toLowerCase())),
      watch: (given) => {
        observer = given;
      },
    },
  });
  if (observer === undefined) throw new Error('the server does not watch its resources');
  return { ...listener(started), observer };
}

function listener(started: ReturnType<typeof startServer>) {
  const { receive, sent } = started;
  const request = (id: string | number, notifications: unknown) =>
    receive({
      id,
      method: 'subscriptions/listen',
      params: { notifications, _meta: envelope() } as JsonObject,
    });
  /** Listens, and takes the first message that follows out of what was sent. */
  const listen = async (id: string | number, notifications: unknown) => {
    request(id, notifications);
    await vi.waitFor(() => expect(sent).not.toEqual([]));
    return sent.shift();
  };
  const cancel = (requestId: string | number) =>
    receive({ method: 'notifications/cancelled', params: { requestId, _meta: envelope() } });
  return { ...started, request, listen, cancel };
}

const tagged = (method: string, id: string | number, members: JsonObject = {}) => ({
  jsonrpc: '2.0',
  method: `notifications/${method}`,
  params: { _meta: { [idKey]: id }, ...members },
});
const acknowledged = (id: string | number, notifications: JsonObject) =>
  tagged('subscriptions/acknowledged', id, { notifications });
const updated = (id: string | number, uri: string) => tagged('resources/updated', id, { uri });
const listChanged = (id: string | number) => tagged('resources/list_changed', id);
const ended = (id: string | number) => ({
  jsonrpc: '2.0',
  id,
  result: {
    resultType: 'complete',
    _meta: { [idKey]: id, 'io.modelcontextprotocol/serverInfo': expect.objectContaining({ name: 'test' }) },
  },
});

const everything = {
  toolsListChanged: true,
  promptsListChanged: true,
  resourcesListChanged: true,
  resourceSubscriptions: ['x://a', 'X://B', 'x://none', 'x://a'],
};

describe('the acknowledgement of a listen', () => {
  it.each([7, 0, '7', ''])('carries its id %j and the part that the server can honour', async (id) => {
    const { listen } = start();
    expect(await listen(id, everything)).toEqual(
      acknowledged(id, { resourcesListChanged: true, resourceSubscriptions: ['x://a', 'X://B'] }),
    );
  });

  it.each([
    [{}, {}],
    [{ resourcesListChanged: false }, {}],
    [{ resourceSubscriptions: [] }, { resourceSubscriptions: [] }],
    [{ unheardOf: true, toolsListChanged: true }, {}],
  ])('of %j grants %j', async (filter, granted) => {
    expect(await start().listen(1, filter)).toEqual(acknowledged(1, granted));
  });

  it.each<[string, Parameters<typeof startServer>[0]]>([
    ['has no resources', {}],
    ['does not watch its resources', { resources: { list: () => [page('x://a')] } }],
  ])('grants nothing when the server %s', async (_why, definition) => {
    expect(await listener(startServer(definition)).listen(1, everything)).toEqual(acknowledged(1, {}));
  });

  it.each([
    undefined,
    null,
    [],
    'all',
    { resourcesListChanged: 'yes' },
    { resourceSubscriptions: 'x://a' },
    { resourceSubscriptions: [1] },
  ])('is an error -32602 when the filter is %j', async (filter) => {
    const { listen, server } = start();
    expect(code(await listen(1, filter))).toBe(-32602);
    await server.idle();
  });

  it('is not sent when the listen was cancelled before', async () => {
    const found: (() => void)[] = [];
    const find = () =>
      new Promise<Resource>((resolve) => {
        found.push(() => resolve(page('x://a')));
      });
    const { request, cancel, ask, sent, observer } = start(find);
    request(1, everything);
    cancel(1);
    // As many looks as there are URIs.
    for (const count of [1, 2, 3, 4]) {
      await vi.waitFor(() => expect(found).toHaveLength(count));
      found.at(-1)?.();
    }
    await ask('tools/list');
    observer.listChanged();
    expect(sent.map(({ id }) => id)).toEqual(['ask']);
  });
});

describe('notices', () => {
  it('go to each listen that asked for them, under its id and its spelling', async () => {
    const { listen, observer, sent } = start();
    await listen(1, { resourceSubscriptions: ['x://a', 'X://A'] });
    await listen('1', { resourceSubscriptions: ['x://a', 'x://b'], resourcesListChanged: true });
    await listen(2, { resourcesListChanged: true });
    observer.updated('x://a');
    observer.updated('x://b');
    observer.updated('x://c');
    observer.listChanged();
    expect(sent).toEqual([
      updated(1, 'x://a'),
      updated(1, 'X://A'),
      updated('1', 'x://a'),
      updated('1', 'x://b'),
      listChanged('1'),
      listChanged(2),
    ]);
  });

  it('are not sent to anybody who does not listen', async () => {
    const { observer, ask, sent } = start();
    await ask('tools/list', { _meta: envelope() });
    sent.length = 0;
    observer.updated('x://a');
    observer.listChanged();
    expect(sent).toEqual([]);
  });

  it('reach a legacy client on the same connection without a tag', async () => {
    const { listen, receive, observer, sent } = start();
    await listen(1, everything);
    receive({ method: 'notifications/initialized' });
    receive({ id: 's', method: 'resources/subscribe', params: { uri: 'x://a' } });
    await vi.waitFor(() => expect(sent).toMatchObject([{ id: 's', result: {} }]));
    sent.length = 0;
    observer.updated('x://a');
    expect(sent).toEqual([
      { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'x://a' } },
      updated(1, 'x://a'),
    ]);
  });
});

describe('the end of a listen', () => {
  it('is silent when the client cancels it, and leaves others alone', async () => {
    const { listen, cancel, observer, sent, server } = start();
    await listen(1, { resourcesListChanged: true });
    await listen('1', { resourcesListChanged: true });
    cancel(1);
    observer.listChanged();
    expect(sent).toEqual([listChanged('1')]);
    cancel('1');
    await server.idle();
    observer.listChanged();
    expect(sent).toHaveLength(1);
  });

  it('is an answer with its id when the server ends, and nothing follows', async () => {
    const { listen, observer, sent, server } = start();
    await listen(1, everything);
    await listen('b', everything);
    server.endSubscriptions();
    observer.listChanged();
    await server.idle();
    expect(sent).toEqual([ended(1), ended('b')]);
  });

  it('follows the acknowledgement at once when the server had ended before', async () => {
    const { request, sent, server } = start();
    server.endSubscriptions();
    request(1, { resourcesListChanged: true });
    await server.idle();
    expect(sent).toEqual([acknowledged(1, { resourcesListChanged: true }), ended(1)]);
  });

  it('makes room for others: listens and their URIs together are limited', async () => {
    const { listen, cancel, server } = start();
    const resourceSubscriptions = Array.from({ length: maxSubscriptions - 2 }, (_, index) => `x://${index}`);
    await listen(1, { resourceSubscriptions });
    await listen(2, {});
    expect(code(await listen(3, {}))).toBe(-32600);
    cancel(2);
    expect(await listen(4, {})).toEqual(acknowledged(4, {}));
    expect(code(await listen(5, {}))).toBe(-32600);
    cancel(1);
    cancel(4);
    await server.idle();
    expect(await listen(6, { resourceSubscriptions })).toMatchObject({ params: { _meta: { [idKey]: 6 } } });
  });

  it('makes room also when it fails before it is acknowledged', async () => {
    const { listen, logs } = start(() => {
      throw new Error('the disk is on fire');
    });
    const resourceSubscriptions = Array.from({ length: maxSubscriptions - 1 }, () => 'x://a');
    for (const id of [1, 2]) expect(code(await listen(id, { resourceSubscriptions }))).toBe(-32603);
    expect(logs).toHaveLength(2);
  });
});
