import { describe, expect, it } from 'vitest';
import { createHarness, ScriptedBackend, settled, someExit } from '../../helpers/router-harness.js';

function set(changes = {}) {
  const backend = new ScriptedBackend('b1', changes);
  const harness = createHarness([backend]);
  const client = harness.client();
  client.initialize();
  return { backend, harness, client };
}

describe('a backend that is not ready', () => {
  it('gets calls for a name never listed once it is up', () => {
    const { backend, harness, client } = set();
    harness.move(backend, { kind: 'starting', sinceMs: 0 });
    client.request(1, 'tools/call', { name: 'b1__echo' });
    expect(client.heard).toEqual([]);
    harness.ready(backend, ['echo']);
    expect(backend.last).toMatchObject({ id: 1, method: 'tools/call', params: { name: 'echo' } });
  });

  it('lets such calls hear -31001, not -32602, when the start fails', () => {
    const { backend, harness, client } = set();
    harness.move(backend, { kind: 'starting', sinceMs: 0 });
    client.request(1, 'tools/call', { name: 'b1__echo' });
    harness.crash(backend);
    expect(client.last).toMatchObject({ id: 1, error: { code: -31001, data: { retryable: true } } });
    expect(client.last.error?.message).toContain('exit code 1');
  });

  it('lets such calls hear -31001 when their time is over', () => {
    const { backend, harness, client } = set({ requestTimeoutMs: 1_000 });
    harness.move(backend, { kind: 'starting', sinceMs: 0 });
    client.request(1, 'tools/call', { name: 'b1__echo' });
    harness.clock.advance(1_000);
    expect(client.last).toMatchObject({ id: 1, error: { code: -31001, data: { retryable: true } } });
  });

  it('says that a listed name is unknown when the start brings another list', () => {
    const { backend, harness, client } = set();
    harness.move(backend, { kind: 'starting', sinceMs: 0 });
    client.request(1, 'tools/call', { name: 'b1__ekho' });
    harness.ready(backend, ['echo']);
    expect(client.last).toMatchObject({ id: 1, error: { code: -32602 } });
    expect(client.last.error?.message).toBe('unknown tool "b1__ekho"; did you mean "b1__echo"?');
  });

  it('repeats a read once on the next process, and a call with effects never', async () => {
    const { backend, harness, client } = set();
    const offer = { tools: ['echo'], prompts: ['ask'] };
    harness.ready(backend, offer);
    client.request(1, 'prompts/get', { name: 'b1__ask' });
    client.request(2, 'tools/call', { name: 'b1__echo' });
    harness.crash(backend);
    await settled();
    expect(client.heard).toMatchObject([{ id: 2, error: { code: -31003 } }]);
    expect(backend.lines).toHaveLength(2);
    harness.ready(backend, offer);
    await settled();
    expect(backend.last).toMatchObject({ id: 1, method: 'prompts/get' });
    harness.crash(backend);
    await settled();
    expect(client.last).toMatchObject({ id: 1, error: { code: -31003 } });
    expect(backend.lost).toEqual([]);
  });

  it('gets no waiting call while a crash makes places free', async () => {
    const { backend, harness, client } = set({ maxInFlight: 1 });
    harness.ready(backend, ['echo']);
    for (const id of [1, 2]) client.request(id, 'tools/call', { name: 'b1__echo' });
    harness.crash(backend);
    await settled();
    expect(backend.lines).toHaveLength(1);
    harness.ready(backend, ['echo']);
    await settled();
    expect(backend.last).toMatchObject({ id: 2 });
    expect(backend.lost).toEqual([]);
  });

  it('gets no waiting call when it is ready and gone again in one turn', async () => {
    const { backend, harness, client } = set();
    harness.ready(backend, ['echo']);
    harness.crash(backend);
    client.request(1, 'tools/call', { name: 'b1__echo' });
    await settled();
    harness.ready(backend, ['echo']);
    harness.crash(backend);
    await settled();
    expect(backend.lines).toEqual([]);
    harness.ready(backend, ['echo']);
    await settled();
    expect(backend.last).toMatchObject({ id: 1 });
  });

  it('lets calls wait for a restart that is near', async () => {
    const { backend, harness, client } = set();
    harness.ready(backend, ['echo']);
    harness.crash(backend, 400);
    client.request(1, 'tools/call', { name: 'b1__echo' });
    await settled();
    expect(client.heard).toEqual([]);
    harness.ready(backend, ['echo']);
    await settled();
    expect(backend.last).toMatchObject({ method: 'tools/call' });
  });

  it('refuses calls while a restart is far, with when to retry', () => {
    const { backend, harness, client } = set();
    harness.ready(backend, ['echo']);
    harness.crash(backend, 20_000);
    client.request(1, 'tools/call', { name: 'b1__echo' });
    expect(client.last).toMatchObject({
      id: 1,
      error: {
        code: -31001,
        message: 'backend "b1" is restarting (exit code 1); retry in about 20 s',
        data: { retryAfterMs: 20_000 },
      },
    });
  });

  it('answers the waiting calls at once when the awaited restart fails', async () => {
    const { backend, harness, client } = set();
    harness.ready(backend, ['echo']);
    harness.crash(backend, 400);
    client.request(1, 'tools/call', { name: 'b1__echo' });
    harness.move(backend, { kind: 'starting', sinceMs: 400 });
    harness.crash(backend, 800);
    await settled();
    expect(client.last).toMatchObject({ id: 1, error: { code: -31001 } });
  });

  it('never sends a call that was cancelled while it waited', async () => {
    const { backend, harness, client } = set();
    harness.ready(backend, ['echo']);
    harness.crash(backend, 400);
    client.request(1, 'tools/call', { name: 'b1__echo', arguments: { v: 1 } });
    client.request(2, 'tools/call', { name: 'b1__echo', arguments: { v: 2 } });
    await settled();
    client.cancel(1);
    harness.ready(backend, ['echo']);
    await settled();
    expect(backend.seen.map((message) => message.params?.arguments)).toEqual([{ v: 2 }]);
  });

  it('says of a failed backend why it failed, and asks for an early start', () => {
    const { backend, harness, client } = set();
    harness.move(backend, { kind: 'starting', sinceMs: 0 });
    harness.router.events.exit(backend, someExit);
    harness.move(backend, {
      kind: 'failed',
      retryAtMs: 300_000,
      reason: 'exited 5 times in 60 s',
      lastExit: someExit,
    });
    client.request(1, 'tools/call', { name: 'b1__echo' });
    expect(client.last).toMatchObject({ id: 1, error: { code: -31002, data: { stderr: 'out of paper' } } });
    expect(backend.woken).toBe(1);
  });

  it('takes the entries of a failed backend out of the list, with one notice', () => {
    const { backend, harness, client } = set();
    harness.ready(backend, ['echo']);
    harness.clock.advance(200);
    client.texts.length = 0;
    harness.router.events.exit(backend, someExit);
    harness.move(backend, { kind: 'failed', retryAtMs: 300_000, reason: 'gone', lastExit: someExit });
    harness.clock.advance(200);
    expect(client.heard).toEqual([{ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }]);
    client.request(1, 'tools/list');
    expect(client.last.result).toEqual({ tools: [] });
  });
});

describe('a backend at its limit', () => {
  it('works on maxInFlight calls at once and lets the others wait in order', async () => {
    const { backend, harness, client } = set({ maxInFlight: 2 });
    harness.ready(backend, ['echo']);
    for (const v of [1, 2, 3, 4]) client.request(v, 'tools/call', { name: 'b1__echo', arguments: { v } });
    await settled();
    expect(backend.lines).toHaveLength(2);
    harness.say(backend, { jsonrpc: '2.0', id: 2, result: {} });
    await settled();
    expect(backend.seen.map((message) => message.params?.arguments)).toEqual([{ v: 1 }, { v: 2 }, { v: 3 }]);
    harness.say(backend, { jsonrpc: '2.0', id: 1, result: {} });
    harness.say(backend, { jsonrpc: '2.0', id: 3, result: {} });
    await settled();
    expect(backend.seen).toHaveLength(4);
  });

  it('refuses calls beyond maxQueued', async () => {
    const { backend, harness, client } = set({ maxInFlight: 1, maxQueued: 1 });
    harness.ready(backend, ['echo']);
    for (const id of [1, 2, 3]) client.request(id, 'tools/call', { name: 'b1__echo' });
    await settled();
    expect(client.heard).toMatchObject([{ id: 3, error: { code: -31005 } }]);
  });

  it('lets a cancellation overtake the calls that wait', async () => {
    const { backend, harness, client } = set({ maxInFlight: 1 });
    harness.ready(backend, ['echo']);
    for (const id of [1, 2]) client.request(id, 'tools/call', { name: 'b1__echo' });
    await settled();
    client.cancel(1);
    await settled();
    expect(backend.seen.map((message) => message.method)).toEqual([
      'tools/call',
      'notifications/cancelled',
      'tools/call',
    ]);
  });
});
