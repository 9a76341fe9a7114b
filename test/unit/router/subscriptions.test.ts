import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  createHarness,
  failure,
  type HeldRequest,
  ScriptedBackend,
  type ScriptedClient,
  settled,
} from '../../helpers/router-harness.js';

describe('subscriptions', () => {
  let backend: ScriptedBackend;
  let harness: ReturnType<typeof createHarness>;

  beforeEach(() => {
    backend = new ScriptedBackend('b1');
    harness = createHarness([backend]);
    harness.ready(backend, { resources: ['memo://1', 'memo://1/part'], resourceTemplates: ['memo://{x}'] });
  });

  function client(): ScriptedClient {
    const made = harness.client();
    made.initialize();
    return made;
  }

  async function say(who: ScriptedClient, what: 'subscribe' | 'unsubscribe', uri: string, id: number) {
    who.request(id, `resources/${what}`, { uri });
    await settled();
  }

  function update(uri: string, by = backend): void {
    harness.say(by, {
      jsonrpc: '2.0',
      method: 'notifications/resources/updated',
      params: { uri, x: 1 },
    });
  }

  const updates = (who: ScriptedClient) =>
    who.heard.filter(({ id }) => id === undefined).map(({ params }) => params?.uri);
  const asked = () => backend.asked.map(({ method, params }) => `${method} ${String(params?.uri)}`);

  it('are one at the backend for all sessions, and end there after the last of them', async () => {
    const [a, b, c] = [client(), client(), client()];
    await say(a, 'subscribe', 'memo://1', 1);
    await say(b, 'subscribe', 'memo://1', 1);
    await say(a, 'unsubscribe', 'memo://1', 2);
    update('memo://1');
    expect([a, b, c].map(updates)).toEqual([[], ['memo://1'], []]);
    expect(asked()).toEqual(['resources/subscribe memo://1']);
    b.leave();
    expect(asked()).toEqual(['resources/subscribe memo://1', 'resources/unsubscribe memo://1']);
    update('memo://1');
    expect([a, b, c].map(updates)).toEqual([[], ['memo://1'], []]);
    expect(a.heard.map(({ result }) => result)).toEqual([{}, {}]);
  });

  it('count once for a session that subscribes twice', async () => {
    const one = client();
    await say(one, 'subscribe', 'memo://1', 1);
    await say(one, 'subscribe', 'memo://1', 2);
    await say(one, 'unsubscribe', 'memo://1', 3);
    expect(one.heard.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(harness.router.held.subscriptions).toBe(0);
  });

  it('hear of sub-resources once, and not of resources whose names merely begin alike', async () => {
    const one = client();
    await say(one, 'subscribe', 'memo://1', 1);
    for (const uri of ['memo://1/part', 'memo://12', 'memo://']) update(uri);
    expect(updates(one)).toEqual(['memo://1/part']);
    await say(one, 'subscribe', 'memo://1/part', 2);
    update('memo://1/part');
    expect(updates(one)).toEqual(['memo://1/part', 'memo://1/part']);
  });

  it('are replayed to a process that takes over', async () => {
    const [a, b] = [client(), client()];
    await say(a, 'subscribe', 'memo://1', 1);
    await say(b, 'subscribe', 'memo://2', 1);
    harness.crash(backend);
    b.leave();
    backend.asked.length = 0;
    harness.ready(backend, { resourceTemplates: ['memo://{x}'] });
    expect(asked()).toEqual(['resources/subscribe memo://1']);
    update('memo://1');
    expect(updates(a)).toEqual(['memo://1']);
  });

  it('made while a backend restarts are told to it once it is up', async () => {
    const one = client();
    harness.crash(backend, 400);
    await say(one, 'subscribe', 'memo://1', 1);
    expect(one.last).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect(asked()).toEqual([]);
    harness.ready(backend, { resources: ['memo://1'] });
    expect(asked()).toEqual(['resources/subscribe memo://1']);
  });

  it('wait for a backend whose resources are not known yet', async () => {
    backend = new ScriptedBackend('b1');
    harness = createHarness([backend]);
    const one = client();
    harness.move(backend, { kind: 'starting', sinceMs: 0 });
    await say(one, 'subscribe', 'memo://1', 1);
    expect(one.heard).toEqual([]);
    harness.ready(backend, { resources: ['memo://1'] });
    await settled();
    expect(one.last).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect(asked()).toEqual(['resources/subscribe memo://1']);
  });

  it('are refused with the state of a backend that will not be up soon', async () => {
    const one = client();
    harness.crash(backend, 20_000);
    await say(one, 'subscribe', 'memo://1', 1);
    expect(one.last).toMatchObject({ id: 1, error: { code: -31001, data: { retryAfterMs: 20_000 } } });
    expect(harness.router.held.subscriptions).toBe(0);
  });

  it('fail with the error of the backend, for everybody who waited for it, and leave nothing behind', async () => {
    const [a, b] = [client(), client()];
    backend.answerOwn = () => ({ error: { code: -7, message: 'no', data: { x: 1 } } });
    a.request(1, 'resources/subscribe', { uri: 'memo://1' });
    b.request('b', 'resources/subscribe', { uri: 'memo://1' });
    await settled();
    const error = { code: -7, message: 'no', data: { x: 1 } };
    expect(a.heard).toEqual([{ jsonrpc: '2.0', id: 1, error }]);
    expect(b.heard).toEqual([{ jsonrpc: '2.0', id: 'b', error }]);
    update('memo://1');
    expect(updates(a)).toEqual([]);
    expect(harness.router.held.subscriptions).toBe(0);
  });

  it('fail when the process ends before it answers, and can be made again', async () => {
    backend.held = [];
    const one = client();
    await say(one, 'subscribe', 'memo://1', 1);
    harness.crash(backend);
    await settled();
    expect(one.last).toMatchObject({ id: 1, error: { code: -31003, data: { backend: 'b1', exitCode: 1 } } });
    harness.ready(backend, { resources: ['memo://1'] });
    await say(one, 'subscribe', 'memo://1', 2);
    backend.held[0]?.answer({ result: {} });
    await settled();
    expect(one.last).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
  });

  it.each([
    ['timed-out', { code: -31004, data: { backend: 'b1', limit: 'requestTimeout', limitMs: 60_000 } }],
    ['unreadable', { code: -32603, data: { backend: 'b1' } }],
    ['not-ready', { code: -31001, data: { backend: 'b1' } }],
  ] as const)(
    'fail as other requests do without an answer (%s), and leave nothing behind',
    async (problem, error) => {
      backend.held = [];
      const one = client();
      await say(one, 'subscribe', 'memo://1', 1);
      backend.held[0]?.fail(failure(problem, 'no answer'));
      await settled();
      expect(one.last).toMatchObject({ id: 1, error });
      expect(harness.router.held.subscriptions).toBe(0);
    },
  );

  it('made while a backend restarts hear nothing of the failure to tell its last process of them', async () => {
    const [a, b] = [client(), client()];
    await say(a, 'subscribe', 'memo://1', 1);
    harness.crash(backend);
    backend.held = [];
    harness.ready(backend, { resources: ['memo://1'] });
    harness.crash(backend);
    await settled();
    await say(b, 'subscribe', 'memo://1', 1);
    expect(b.last).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    harness.ready(backend, { resources: ['memo://1'] });
    update('memo://1');
    expect([a, b].map(updates)).toEqual([['memo://1'], ['memo://1']]);
  });

  it.each([
    ['no answer', (request) => request.fail(failure('timed-out', 'no answer'))],
    ['an error', (request) => request.answer({ error: { code: -7, message: 'busy' } })],
  ] satisfies [string, (request: HeldRequest) => void][])(
    'ask again for the next session when a new process gave %s to the first',
    async (_, disappoint) => {
      const [a, b] = [client(), client()];
      await say(a, 'subscribe', 'memo://1', 1);
      harness.crash(backend);
      backend.held = [];
      harness.ready(backend, { resources: ['memo://1'] });
      backend.held.splice(0).forEach(disappoint);
      await settled();
      await say(b, 'subscribe', 'memo://1', 1);
      backend.held[0]?.answer({ result: {} });
      await settled();
      expect(b.last).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
      update('memo://1');
      expect([a, b].map(updates)).toEqual([['memo://1'], ['memo://1']]);
    },
  );

  it('survive the late failure of an earlier attempt', async () => {
    backend.held = [];
    const one = client();
    await say(one, 'subscribe', 'memo://1', 1);
    await say(one, 'unsubscribe', 'memo://1', 2);
    await say(one, 'subscribe', 'memo://1', 3);
    const [first, unsubscribe, second] = backend.held;
    first?.answer({ error: { code: -7, message: 'busy' } });
    unsubscribe?.answer({ result: {} });
    second?.answer({ result: {} });
    await settled();
    expect(one.heard.map(({ id, error }) => [id, error?.code])).toEqual([
      [1, -7],
      [2, undefined],
      [3, undefined],
    ]);
    update('memo://1');
    expect(updates(one)).toEqual(['memo://1']);
  });

  it('cancelled before they are answered do not come about', async () => {
    backend.held = [];
    const one = client();
    await say(one, 'subscribe', 'memo://1', 1);
    one.cancel(1);
    backend.held[0]?.answer({ result: {} });
    await settled();
    update('memo://1');
    expect(one.heard).toEqual([]);
    expect(asked().at(-1)).toBe('resources/unsubscribe memo://1');
  });

  it('of a client that leaves before the answer end at the backend, too', async () => {
    backend.held = [];
    const one = client();
    await say(one, 'subscribe', 'memo://1', 1);
    one.leave();
    backend.held[0]?.answer({ result: {} });
    await settled();
    expect(one.heard).toEqual([]);
    expect(asked().at(-1)).toBe('resources/unsubscribe memo://1');
    expect(harness.router.held.subscriptions).toBe(0);
  });

  it('end for whoever never had one with an empty result, and without a word to the backend', async () => {
    const [a, b] = [client(), client()];
    await say(a, 'subscribe', 'memo://1', 1);
    await say(b, 'unsubscribe', 'memo://1', 1);
    await say(b, 'unsubscribe', 'nowhere://', 2);
    expect(b.heard).toEqual([1, 2].map((id) => ({ jsonrpc: '2.0', id, result: {} })));
    expect(asked()).toEqual(['resources/subscribe memo://1']);
  });

  it('can be ended although the resource is listed no longer', async () => {
    const one = client();
    await say(one, 'subscribe', 'memo://1', 1);
    harness.list(backend, []);
    await say(one, 'unsubscribe', 'memo://1', 2);
    expect(one.last).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
    expect(asked().at(-1)).toBe('resources/unsubscribe memo://1');
  });

  it.each([
    ['an unknown resource', { uri: 'nowhere://' }, -32002],
    ['no URI', {}, -32602],
    ['an endless URI', { uri: `memo://${'x'.repeat(9_000)}` }, -32602],
  ])('are refused for %s', async (_, params, code) => {
    const one = client();
    one.request(1, 'resources/subscribe', params);
    expect(one.last).toMatchObject({ id: 1, error: { code } });
  });

  it('are not gone through one by one when a resource changes', async () => {
    const uris = Array.from({ length: 1_000 }, (_, index) => `memo://1/${index}`);
    harness.ready(backend, { resources: [...uris, 'memo://1', 'memo://1/'] });
    const [one, two] = [client(), client()];
    for (const [index, uri] of uris.entries()) await say(one, 'subscribe', uri, index);
    for (const [index, uri] of ['memo://1', 'memo://1/'].entries()) await say(two, 'subscribe', uri, index);
    const looks = vi.spyOn(String.prototype, 'startsWith');
    onTestFinished(() => looks.mockRestore());
    update('memo://1/7');
    expect(looks.mock.calls.length).toBeLessThan(100);
    expect([one, two].map(updates)).toEqual([['memo://1/7'], ['memo://1/7']]);
  });

  it('are refused above 1000 in one session', async () => {
    const one = client();
    for (let id = 0; id < 1_000; id += 1) await say(one, 'subscribe', `memo://n${id}`, id);
    await say(one, 'subscribe', 'memo://1', 1_000);
    expect(one.last).toMatchObject({ id: 1_000, error: { code: -31005 } });
    await say(one, 'subscribe', 'memo://n7', 1_001);
    expect(one.last).toEqual({ jsonrpc: '2.0', id: 1_001, result: {} });
  });

  it('are told in the form that the client used', async () => {
    const other = new ScriptedBackend('b2');
    harness = createHarness([backend, other]);
    harness.ready(backend, { resources: ['memo://1'] });
    harness.ready(other, { resources: ['memo://1'] });
    const one = client();
    await say(one, 'subscribe', 'b2+memo://1', 1);
    expect(other.asked).toEqual([{ method: 'resources/subscribe', params: { uri: 'memo://1' } }]);
    update('memo://1', backend);
    update('memo://1', other);
    update('memo://1/part', other);
    expect(updates(one)).toEqual(['b2+memo://1', 'memo://1/part']);
  });
});
