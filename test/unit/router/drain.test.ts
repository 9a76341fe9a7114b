import { describe, expect, it } from 'vitest';
import { shuttingDown } from '../../../src/router/availability.js';
import { createHarness, ScriptedBackend, settled } from '../../helpers/router-harness.js';
import { modernMeta } from '../eras/messages.js';

function set() {
  const backend = new ScriptedBackend('b1');
  const harness = createHarness([backend]);
  harness.ready(backend, ['echo']);
  const client = harness.client();
  client.initialize();
  client.request(1, 'tools/call', { name: 'b1__echo' });
  let over = false;
  const drained = harness.router.drain(20_000).then(() => {
    over = true;
  });
  return { backend, harness, client, drained, isOver: () => over };
}

describe('draining', () => {
  it('ends with the last call, and leaves no timer running', async () => {
    const { backend, harness, client, drained, isOver } = set();
    await settled();
    expect(isOver()).toBe(false);
    harness.say(backend, { jsonrpc: '2.0', id: 1, result: {} });
    await drained;
    expect(client.last).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect(harness.clock.pending).toBe(0);
  });

  it('answers what is left when the time is over, and cancels it at its backend', async () => {
    const { backend, harness, client, drained } = set();
    harness.clock.advance(20_000);
    await drained;
    expect(client.last).toMatchObject({ id: 1, error: { code: -31008 } });
    expect(backend.last).toMatchObject({ method: 'notifications/cancelled', params: { requestId: 1 } });
    expect(harness.clock.pending).toBe(0);
  });

  it('takes no new requests', () => {
    const { client } = set();
    client.request(2, 'tools/list');
    expect(client.last).toMatchObject({ id: 2, error: { code: -31008 } });
  });

  it('answers who waits in vain for a backend that is still starting when the time is over', async () => {
    const starting = new ScriptedBackend('b1');
    const own = new ScriptedBackend('own', { sharing: 'per-client' });
    const harness = createHarness([starting, own]);
    harness.move(starting, { kind: 'starting', sinceMs: 0 });
    const client = harness.client();
    client.initialize();
    client.request(1, 'tools/call', { name: 'b1__echo' });
    client.request(2, 'tools/call', { name: 'own__echo' });
    const drained = harness.router.drain(20_000);
    harness.clock.advance(20_000);
    await drained;
    for (const id of [1, 2]) {
      expect(client.heard).toContainEqual(expect.objectContaining({ id, error: shuttingDown() }));
    }
    expect(harness.clock.pending).toBe(0);
  });

  it('lets a call finish that waits for a backend which is still starting', async () => {
    const starting = new ScriptedBackend('b1');
    const harness = createHarness([starting]);
    harness.move(starting, { kind: 'starting', sinceMs: 0 });
    const client = harness.client();
    client.initialize();
    client.request(1, 'tools/call', { name: 'b1__echo' });
    const drained = harness.router.drain(20_000);
    harness.ready(starting, ['echo']);
    await settled();
    harness.say(starting, { jsonrpc: '2.0', id: starting.last.id, result: { content: [] } });
    await drained;
    expect(client.last).toMatchObject({ id: 1, result: { content: [] } });
    expect(harness.clock.pending).toBe(0);
  });

  it('gives a subscription the same time to be confirmed, then an error', async () => {
    const backend = new ScriptedBackend('b1');
    const harness = createHarness([backend]);
    harness.ready(backend, { resources: ['memo://1'] });
    backend.held = [];
    const client = harness.client();
    client.initialize();
    client.request(1, 'resources/subscribe', { uri: 'memo://1' });
    const drained = harness.router.drain(20_000);
    await settled();
    expect(client.heard).toEqual([]);
    harness.clock.advance(20_000);
    await drained;
    expect(client.last).toMatchObject({ id: 1, error: shuttingDown() });
  });

  it('waits for nobody who has left, and for no stream', async () => {
    const starting = new ScriptedBackend('b1');
    const harness = createHarness([starting]);
    harness.move(starting, { kind: 'starting', sinceMs: 0 });
    const leaver = harness.client();
    leaver.initialize();
    leaver.request(1, 'tools/call', { name: 'b1__echo' });
    const listener = harness.client();
    listener.request(1, 'subscriptions/listen', {
      _meta: modernMeta(),
      notifications: { toolsListChanged: true },
    });
    const drained = harness.router.drain(20_000);
    leaver.leave();
    await drained;
    expect(listener.last).toMatchObject({ id: 1, result: { resultType: 'complete' } });
    expect(harness.clock.pending).toBe(0);
  });

  it('lets a call finish whose client is asked in the answer to its request', async () => {
    const backend = new ScriptedBackend('b1');
    const { client, clock, ready, router, say } = createHarness([backend]);
    ready(backend, ['echo']);
    const one = client();
    const _meta = modernMeta({ 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } });
    const call = { name: 'b1__echo', _meta };
    one.request(1, 'tools/call', call);
    const { id } = backend.last;
    say(backend, { jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params: { message: 'sure?' } });
    clock.advance(100);
    const drained = router.drain(20_000);
    const inputResponses = { q1: { action: 'accept' } };
    one.request(2, 'tools/call', { ...call, inputResponses, requestState: 'of somebody else' });
    expect(one.last).toMatchObject({ id: 2, error: { code: -31008 } });
    const [asked] = one.heard;
    one.request(3, 'tools/call', { ...call, inputResponses, requestState: asked?.result?.requestState });
    expect(backend.last).toMatchObject({ id: 'q', result: { action: 'accept' } });
    say(backend, { jsonrpc: '2.0', id, result: { content: [] } });
    await drained;
    expect(one.last).toMatchObject({ id: 3, result: { content: [] } });
  });
});
