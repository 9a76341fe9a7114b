import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/protocol/json.js';
import {
  createHarness,
  ScriptedBackend,
  type ScriptedClient,
  settled,
  someExit,
} from '../../helpers/router-harness.js';
import { settings } from '../../helpers/settings.js';

function set(changes = {}, limits = {}) {
  const shared = new ScriptedBackend('shared');
  const own = new ScriptedBackend('own', { sharing: 'per-client', ...changes });
  const harness = createHarness([shared, own], limits);
  harness.ready(shared, { tools: ['echo'], resources: ['a:1'] });
  const client = (capabilities: JsonObject = {}, revision = '2025-11-25') => {
    const made = harness.client();
    made.initialize(revision, capabilities);
    return made;
  };
  const last = () => {
    const process = harness.created.at(-1);
    if (process === undefined) throw new Error('no process was started');
    return process;
  };
  return { shared, own, harness, client, last };
}

function tools(client: ScriptedClient): unknown[] {
  const before = client.texts.length;
  client.request('list', 'tools/list');
  const answer = client.heard.slice(before).find(({ id }) => id === 'list');
  return ((answer?.result?.tools ?? []) as { name: string }[]).map(({ name }) => name);
}

describe('a backend with one process per client', () => {
  it('starts for a session on its first list or call, with what that client says of itself', () => {
    const { harness, client, last } = set();
    const one = client({ sampling: { x: 1 } });
    one.request(1, 'tools/call', { name: 'shared__echo' });
    expect(harness.created).toEqual([]);
    one.request(2, 'tools/call', { name: 'own__echo' });
    one.request(3, 'tools/list');
    expect(harness.created).toHaveLength(1);
    expect(last().introduction).toEqual({
      clientInfo: { name: 'client 1', version: '0' },
      capabilities: { sampling: { x: 1 } },
    });
    expect(last().lines).toEqual([]);
    harness.ready(last(), ['echo']);
    expect(last().last).toMatchObject({ method: 'tools/call', params: { name: 'echo' } });
  });

  it.each([
    ['tools/list', {}],
    ['prompts/get', { name: 'own__ask' }],
    ['resources/read', { uri: 'b:1' }],
    ['resources/subscribe', { uri: 'b:1' }],
    ['completion/complete', { ref: { type: 'ref/resource', uri: 'b:1' } }],
  ])('starts for %s, too', (method, params) => {
    const { harness, client } = set();
    client().request(1, method, params);
    expect(harness.created).toHaveLength(1);
  });

  it('lists its tools to its session alone, which waits for them', () => {
    const { harness, client, last } = set();
    const [a, b] = [client(), client()];
    a.request(1, 'tools/list');
    expect(a.heard).toEqual([]);
    harness.ready(last(), ['mine']);
    expect(a.last).toMatchObject({
      id: 1,
      result: { tools: [{ name: 'shared__echo' }, { name: 'own__mine' }] },
    });
    expect(tools(b)).toEqual([]);
    harness.ready(last(), ['other']);
    expect(b.last).toMatchObject({ result: { tools: [{ name: 'shared__echo' }, { name: 'own__other' }] } });
    expect(tools(a)).toEqual(['shared__echo', 'own__mine']);
  });

  it('is waited for by a list that came before the gateway had started, too', () => {
    const shared = new ScriptedBackend('shared');
    const harness = createHarness([shared, new ScriptedBackend('own', { sharing: 'per-client' })]);
    const one = harness.client();
    one.initialize();
    one.request(1, 'tools/list');
    harness.clock.advance(500);
    harness.ready(shared, ['echo']);
    expect(one.heard).toEqual([]);
    harness.ready(harness.created[0] as ScriptedBackend, ['mine']);
    expect(one.last).toMatchObject({
      id: 1,
      result: { tools: [{ name: 'shared__echo' }, { name: 'own__mine' }] },
    });
  });

  it('costs a list no more than the grace time, and is told of when it comes later', () => {
    const { harness, client, last } = set();
    const [one, other] = [client(), client()];
    one.request(1, 'tools/list');
    harness.clock.advance(2_000);
    expect(one.last).toMatchObject({ id: 1, result: { tools: [{ name: 'shared__echo' }] } });
    harness.ready(last(), ['mine']);
    harness.clock.advance(100);
    expect(one.last).toEqual({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    expect(tools(one)).toEqual(['shared__echo', 'own__mine']);
    expect(other.heard.filter(({ params }) => params !== undefined)).toEqual([]);
  });

  it('tells no other session that its lists have come, have changed or have gone', () => {
    const { harness, client, last } = set();
    const other = client();
    const one = client();
    tools(one);
    const own = last();
    const told = () => {
      const before = one.texts.length;
      harness.clock.advance(150);
      return one.heard.slice(before).map(({ method }) => method);
    };
    harness.ready(own, { tools: ['a'], prompts: ['p'] });
    expect(told()).toEqual(['notifications/prompts/list_changed']);
    harness.list(own, ['b']);
    expect(told()).toEqual(['notifications/tools/list_changed', 'notifications/prompts/list_changed']);
    harness.move(own, { kind: 'failed', retryAtMs: 300_000, reason: 'why', lastExit: someExit });
    expect(told()).toEqual(['notifications/tools/list_changed']);
    expect(other.heard).toEqual([]);
  });

  it('answers the sixth client over a limit of 5 with an error that names the limit', () => {
    const { harness, client } = set({ maxProcesses: 5 });
    const clients = Array.from({ length: 6 }, () => client());
    for (const each of clients) each.request(1, 'tools/call', { name: 'own__echo' });
    expect(harness.created).toHaveLength(5);
    const [sixth] = clients.slice(-1);
    expect(sixth?.last).toMatchObject({ id: 1, error: { code: -31005, data: { limit: 'maxProcesses' } } });
    expect(sixth?.last.error?.message).toContain('backend "own" has one process per client, and 5 run');
    sixth?.request(2, 'resources/read', { uri: 'b:1' });
    expect(sixth?.last).toMatchObject({ id: 2, error: { code: -31005 } });
    expect(tools(sixth as ScriptedClient)).toEqual(['shared__echo']);
    sixth?.request(3, 'resources/read', { uri: 'a:1' });
    expect(sixth?.last.id).not.toBe(3);
  });

  it('counts processes over all such backends, too', () => {
    const two = ['x', 'y'].map((key) => new ScriptedBackend(key, { sharing: 'per-client' }));
    const harness = createHarness(two, { limits: { ...settings().limits, processes: 1 } });
    const one = harness.client();
    one.initialize();
    one.request(1, 'tools/call', { name: 'x__echo' });
    one.request(2, 'tools/call', { name: 'y__echo' });
    expect(one.last).toMatchObject({ id: 2, error: { code: -31005, data: { limit: 'limits.processes' } } });
  });

  it('is stopped when its session ends, and frees its place once it is gone', async () => {
    const { harness, client, last, own } = set({ maxProcesses: 1 });
    const one = client();
    one.request(1, 'tools/call', { name: 'own__echo' });
    harness.ready(last(), ['echo']);
    const first = last();
    one.leave();
    expect(first.stopped).toBe(true);
    const other = client();
    other.request(1, 'tools/call', { name: 'own__echo' });
    expect(other.last).toMatchObject({ error: { code: -31005 } });
    await settled();
    expect(harness.router.ownProcesses(own.key)).toBe(0);
    other.request(2, 'tools/call', { name: 'own__echo' });
    expect(harness.created).toHaveLength(2);
  });

  it('leaves nothing behind when its session ends while it starts', () => {
    const { harness, client, last } = set();
    const one = client({ elicitation: {} });
    one.request(1, 'tools/call', { name: 'own__echo' });
    one.request(2, 'tools/list');
    one.leave();
    expect(last().stopped).toBe(true);
    harness.ready(last(), ['echo']);
    harness.say(last(), { jsonrpc: '2.0', id: 1, method: 'elicitation/create', params: {} });
    expect(Object.values(harness.router.held)).toEqual(Object.values(harness.router.held).map(() => 0));
    expect(one.heard).toEqual([]);
    expect(harness.clock.pending).toBe(0);
  });

  it('is off where the configuration says so: its names are refused with the reason, other URIs are unknown', () => {
    const { harness, client } = set({ off: 'API_KEY is not set' });
    const one = client();
    one.request(1, 'tools/call', { name: 'own__echo' });
    expect(one.last).toMatchObject({ id: 1, error: { code: -31001, data: { state: 'off' } } });
    one.request(2, 'resources/read', { uri: 'b:1' });
    expect(one.last).toMatchObject({ id: 2, error: { code: -32002 } });
    expect(harness.created).toEqual([]);
  });

  it('hears that the roots of its client have changed, and of no other client', () => {
    const { shared, harness, client, last } = set();
    const [a, b] = [client({ roots: {} }), client({ roots: {} })];
    a.request(1, 'tools/list');
    harness.ready(last(), []);
    const changed = { jsonrpc: '2.0', method: 'notifications/roots/list_changed' };
    b.say(changed);
    expect(last().lines).toEqual([]);
    a.say(changed);
    expect(last().seen).toEqual([changed]);
    expect(shared.lines).toEqual([]);
  });

  it('asks its client at any time, within what that declared', () => {
    const { harness, client, last } = set();
    const [one, other] = [client({ roots: {} }), client({ roots: {}, elicitation: {} })];
    one.request(1, 'tools/list');
    harness.ready(last(), []);
    const own = last();
    other.request(1, 'tools/list');
    harness.say(own, { jsonrpc: '2.0', id: 0, method: 'roots/list' });
    expect(one.last).toEqual({ jsonrpc: '2.0', id: 1, method: 'roots/list' });
    one.say({ jsonrpc: '2.0', id: 1, result: { roots: [] } });
    expect(own.last).toEqual({ jsonrpc: '2.0', id: 0, result: { roots: [] } });
    harness.say(own, { jsonrpc: '2.0', id: 1, method: 'elicitation/create', params: {} });
    expect(own.last).toMatchObject({ id: 1, error: { code: -32601 } });
    expect(other.heard).toEqual([]);
  });

  it('follows a task that its question became at the client', () => {
    const { harness, client, last } = set();
    const one = client({ elicitation: {}, tasks: {} });
    one.request(1, 'tools/list');
    harness.ready(last(), ['echo']);
    const own = last();
    one.request(2, 'tools/call', { name: 'own__echo' });
    harness.say(own, { jsonrpc: '2.0', id: 5, method: 'elicitation/create', params: { task: {} } });
    one.say({ jsonrpc: '2.0', id: 1, result: { task: { taskId: 'c1', status: 'working' } } });
    harness.say(own, { jsonrpc: '2.0', id: 6, method: 'tasks/result', params: { taskId: 'c1' } });
    expect(one.last).toMatchObject({ id: 2, method: 'tasks/result', params: { taskId: 'c1' } });
    harness.say(own, { jsonrpc: '2.0', id: own.seen[0]?.id, result: {} });
    expect(harness.router.held.questions).toBe(1);
    const status = (taskId: string) => ({
      jsonrpc: '2.0',
      method: 'notifications/tasks/status',
      params: { taskId, status: 'completed' },
    });
    one.say(status('c2'));
    one.say(status('c1'));
    expect(own.seen.filter(({ method }) => method === 'notifications/tasks/status')).toEqual([status('c1')]);
    one.leave();
    expect(harness.router.held).toMatchObject({ questions: 0, askedTasks: 0 });
  });

  it('tells a client of an earlier revision nothing that it does not know', () => {
    const { harness, client, last } = set();
    const one = client({}, '2025-06-18');
    one.request(1, 'tools/list');
    harness.ready(last(), []);
    one.texts.length = 0;
    for (const method of ['notifications/tasks/status', 'notifications/elicitation/complete']) {
      harness.say(last(), { jsonrpc: '2.0', method, params: { taskId: 't', elicitationId: 'e' } });
    }
    expect(one.heard).toEqual([]);
  });

  it('sends its log lines to its client alone, and is told that level alone', async () => {
    const { harness, client, last } = set();
    const [one, other] = [client(), client()];
    one.request(1, 'tools/list');
    harness.ready(last(), []);
    other.request(1, 'logging/setLevel', { level: 'debug' });
    one.request(2, 'logging/setLevel', { level: 'alert' });
    await settled();
    expect(last().asked).toEqual([{ method: 'logging/setLevel', params: { level: 'alert' } }]);
    other.texts.length = 0;
    harness.say(last(), {
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { level: 'alert', data: 1 },
    });
    expect(one.last.params).toMatchObject({ logger: 'own' });
    expect(other.heard).toEqual([]);
  });
});
