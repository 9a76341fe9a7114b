import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../helpers/eventually.js';
import { scripted } from '../../helpers/fixture-backend.js';
import { type GatewayProcess, startGateway } from '../../helpers/gateway-process.js';
import { connectClient, openSession, type TestClient } from '../../helpers/test-client.js';
import { ask, listen, meta, metaWith, rawModern, streamOf } from './modern-client.js';

const uri = 'a:1';
/** A modern backend with one resource, and a legacy one. */
const mcpServers = {
  b1: scripted(),
  m: rawModern({ answers: { 'resources/list': resultOf({ resources: [{ uri, name: 'one' }] }) } }),
};

function resultOf(members: object) {
  return { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...members };
}

let gateway: GatewayProcess;
beforeAll(async () => {
  gateway = await startGateway({ config: { mcpServers } });
});
afterAll(() => gateway[Symbol.asyncDispose]());

/** Lets the modern backend do something, as another client. */
async function act(args: object, at: GatewayProcess = gateway): Promise<string> {
  await using other = await openSession(at.url);
  return await other.callText('m__t0', args);
}

/** All that the modern backend was told to listen to last. */
async function lastFilter(at: GatewayProcess = gateway) {
  const lines = JSON.parse(await act({ act: 'received' }, at)) as string[];
  const listens = lines
    .map((line) => JSON.parse(line))
    .filter(({ method }) => method === 'subscriptions/listen');
  return listens.at(-1).params.notifications;
}

/** An answered request, so that all that was sent before it has arrived. */
async function caughtUp(client: TestClient): Promise<void> {
  await ask(client, 'tools/list');
}

describe('a message says of which era it is', () => {
  it.each([
    ['another revision', { protocolVersion: '2027-01-01' }, -32022],
    ['a legacy revision', { protocolVersion: '2025-11-25' }, -32022],
    ['a revision that is no text', { protocolVersion: 7 }, -32602],
    ['no capabilities', { clientCapabilities: undefined }, -32602],
    ['capabilities that are a list', { clientCapabilities: [] }, -32602],
    ['a log level that is none', { logLevel: 'loud' }, -32602],
    ['no name', { clientInfo: undefined }, undefined],
    ['a log level', { logLevel: 'error' }, undefined],
  ])('with %s: %j is answered with %s, on a socket that goes on', async (_what, members, code) => {
    await using client = await connectClient(gateway.url);
    expect((await ask(client, 'server/discover')).error).toBeUndefined();
    for (const method of ['tools/list', 'server/discover']) {
      const reply = await client.request(method, { _meta: metaWith(members) });
      expect(reply.error?.code).toBe(code);
      if (code === -32022) {
        const requested = (members as { protocolVersion: string }).protocolVersion;
        expect(reply.error?.data).toMatchObject({ supported: ['2026-07-28'], requested });
      }
    }
    expect((await ask(client, 'tools/list')).result).toBeDefined();
  });

  it.each(['tools/list', 'subscriptions/listen', 'no/such'])(
    '%s with neither handshake nor revision is told both ways to open',
    async (method) => {
      await using client = await connectClient(gateway.url);
      const { error } = await client.request(method);
      expect(error?.message).toContain('"initialize"');
      expect(error?.message).toContain('_meta');
    },
  );

  it.each([
    'initialize',
    'ping',
    'logging/setLevel',
    'resources/subscribe',
    'resources/unsubscribe',
    'tasks/list',
    'no/such',
  ])('%s does not exist in the modern one', async (method) => {
    await using client = await connectClient(gateway.url);
    expect((await ask(client, method, { uri, level: 'info' })).error?.code).toBe(-32601);
  });

  it('both share a socket: each is answered in its own', async () => {
    await using client = await openSession(gateway.url);
    const modernList = await ask(client, 'tools/list');
    const legacyList = await client.request('tools/list');
    expect(modernList.result).toMatchObject(resultOf({}));
    expect(Object.keys(legacyList.result ?? {})).toEqual(['tools']);
    expect(modernList.result?.tools).toEqual(legacyList.result?.tools);

    const inModern = await ask(client, 'tools/call', { name: 'b1__echo', arguments: { v: 1 } });
    expect(inModern.result).toMatchObject({ resultType: 'complete', content: [{ text: '{"v":1}' }] });
    const inLegacy = await client.call('b1__echo', { v: 2 });
    expect(inLegacy.result).toEqual({ content: [{ type: 'text', text: '{"v":2}' }] });
    expect((await client.request('ping')).result).toEqual({});
  });

  it('and hears of a change once in each', async () => {
    await using client = await openSession(gateway.url);
    await client.toolNames();
    await listen(client, '5', { toolsListChanged: true });
    await ask(client, 'tools/list');
    await act({ act: 'change', tags: ['own'] });
    const changed = ({ method }: { method?: string }) => method === 'notifications/tools/list_changed';
    const heard = [await client.next(changed), await client.next(changed)];
    expect(heard.map(streamOf).sort()).toEqual([5, undefined]);
    await caughtUp(client);
    expect(client.waiting.filter(changed)).toEqual([]);
  });
});

describe('streams of a modern client', () => {
  const updated = ({ method }: { method?: string }) => method === 'notifications/resources/updated';

  it('go on beside each other, each under its own id in its own JSON type', async () => {
    await using client = await connectClient(gateway.url);
    const ids = ['"1"', '1', '1.5', '"listen:0"', '""', '0', '9007199254740993'];
    for (const id of ids) {
      const { raw } = await listen(client, id, { resourceSubscriptions: [uri] });
      expect(raw).toContain(`"io.modelcontextprotocol/subscriptionId":${id}}`);
    }
    await act({ act: 'touch', uri, tags: ['own'] });
    const told = await Promise.all(ids.map(() => client.next(updated)));
    const tags = told.map(({ raw }) => /"io\.modelcontextprotocol\/subscriptionId":([^}]+)}/.exec(raw)?.[1]);
    expect(tags).toEqual(ids);
  });

  it('are acknowledged with what can be had', async () => {
    await using client = await connectClient(gateway.url);
    const { params } = await listen(client, '1', {
      toolsListChanged: true,
      promptsListChanged: false,
      resourceSubscriptions: [uri, 'nobody:has', 7],
      unheardOf: true,
    });
    expect(params).toMatchObject({
      notifications: { toolsListChanged: true, resourceSubscriptions: [uri] },
    });
    expect(Object.keys(params?.notifications as object)).toHaveLength(2);
  });

  it.each([undefined, null, [], 'all'])('need a filter: not %j', async (notifications) => {
    await using client = await connectClient(gateway.url);
    expect((await ask(client, 'subscriptions/listen', { notifications })).error?.code).toBe(-32602);
  });

  it('are bounded in number', async () => {
    await using client = await connectClient(gateway.url);
    for (let id = 1; id <= 16; id += 1) await listen(client, String(id), {});
    expect((await ask(client, 'subscriptions/listen', { notifications: {} })).error?.code).toBe(-31005);
    client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3, _meta: meta } });
    await listen(client, '17', {});
  });

  it('hear nothing that they did not ask for', async () => {
    await using client = await connectClient(gateway.url);
    await listen(client, '1', { resourceSubscriptions: [uri] });
    await listen(client, '2', { promptsListChanged: true });
    await act({ act: 'change', tags: ['own'] });
    await act({ act: 'touch', uri, tags: ['own'] });
    expect(streamOf(await client.next(updated))).toBe(1);
    await caughtUp(client);
    expect(client.waiting).toEqual([]);
  });

  it('end with a cancellation, without an answer, and the backend is no longer asked', async () => {
    await using client = await connectClient(gateway.url);
    await listen(client, '"s"', { resourceSubscriptions: [uri] });
    await eventually('the wish at the backend', async () => 'resourceSubscriptions' in (await lastFilter()));
    client.send({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 's', _meta: meta },
    });
    await eventually('the end', async () => !('resourceSubscriptions' in (await lastFilter())));
    await act({ act: 'touch', uri, tags: ['own'] });
    await caughtUp(client);
    expect(client.waiting).toEqual([]);
    await listen(client, '"s"', {});
  });

  it('end with the socket, and the backend is no longer asked', async () => {
    await using client = await connectClient(gateway.url);
    await listen(client, '1', { resourceSubscriptions: [uri] });
    await eventually('the wish at the backend', async () => 'resourceSubscriptions' in (await lastFilter()));
    client.socket.terminate();
    await eventually('the end', async () => !('resourceSubscriptions' in (await lastFilter())));
  });

  it('end with a result each when the gateway stops', async () => {
    await using draining = await startGateway({ config: { mcpServers } });
    await using client = await connectClient(draining.url);
    await listen(client, '"1"', { toolsListChanged: true });
    await listen(client, '1', { resourceSubscriptions: [uri] });
    draining.signal('SIGTERM');
    for (const id of ['1', 1]) {
      const { result } = await client.next((message) => message.id === id);
      expect(result).toEqual({
        resultType: 'complete',
        _meta: { 'io.modelcontextprotocol/subscriptionId': id },
      });
    }
    expect((await client.closed).code).toBe(1001);
  });
});
