import { beforeEach, describe, expect, it } from 'vitest';
import { createHarness, ScriptedBackend } from '../../helpers/router-harness.js';

describe('calls', () => {
  let backend: ScriptedBackend;
  let harness: ReturnType<typeof createHarness>;

  beforeEach(() => {
    backend = new ScriptedBackend('b1');
    harness = createHarness([backend]);
    harness.ready(backend, ['echo']);
  });

  function client() {
    const made = harness.client();
    made.initialize();
    return made;
  }

  it('gives each of two clients with the same id its own answer, whatever the order', () => {
    const [a, b] = [client(), client()];
    a.request(1, 'tools/call', { name: 'b1__echo', arguments: { who: 'A' } });
    b.request(1, 'tools/call', { name: 'b1__echo', arguments: { who: 'B' } });
    const [forA, forB] = backend.seen;
    harness.say(backend, { jsonrpc: '2.0', id: forB?.id, result: { for: 'B' } });
    harness.say(backend, { jsonrpc: '2.0', id: forA?.id, result: { for: 'A' } });
    expect(a.heard).toEqual([{ jsonrpc: '2.0', id: 1, result: { for: 'A' } }]);
    expect(b.heard).toEqual([{ jsonrpc: '2.0', id: 1, result: { for: 'B' } }]);
  });

  it('sends the backend a small integer id and its own name for the tool, and leaves all else as it came', () => {
    const payload = '{"n":9223372036854775807,"f":1.0,"e":1e400,"z":-0,"b":1,"10":2,"9":3,"b":4}';
    client().say(
      `{"params":{"future":[1],"arguments":${payload},"name":"b1__echo","_meta":{"traceparent":"00-abc-01"}},"method":"tools/call","id":"a:b","jsonrpc":"2.0"}`,
    );
    expect(backend.lines).toEqual([
      `{"params":{"future":[1],"arguments":${payload},"name":"echo","_meta":{"traceparent":"00-abc-01"}},"method":"tools/call","id":1,"jsonrpc":"2.0"}`,
    ]);
  });

  it.each([
    ...['1', '"1"', '"a:b:c"', '""', '0', '-3', '1.0', '9007199254740993'].map((id) => [id, id]),
    ['of 4 KiB', `"${'x'.repeat(4096)}"`],
  ])('echoes the id %s as the same text', (_, id) => {
    const one = client();
    one.say(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"b1__echo"}}`);
    expect(backend.last.id).toBe(1);
    harness.say(backend, '{"result":{"x":1.0},"jsonrpc":"2.0","id":1}');
    expect(one.texts).toEqual([`{"result":{"x":1.0},"jsonrpc":"2.0","id":${id}}`]);
  });

  it('refuses a second request with an id in flight, without that id, and lets the first one finish', () => {
    const one = client();
    one.request(1, 'tools/call', { name: 'b1__echo', arguments: { v: 'first' } });
    one.request(1, 'tools/call', { name: 'b1__echo', arguments: { v: 'second' } });
    expect(one.last).toMatchObject({ error: { code: -32600 } });
    expect(one.last).not.toHaveProperty('id');
    expect(backend.lines).toHaveLength(1);
    harness.say(backend, { jsonrpc: '2.0', id: 1, result: {} });
    expect(one.last).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  });

  it('lets an id be used again once it was answered', () => {
    const one = client();
    for (const id of [1, 2]) {
      one.request(7, 'tools/call', { name: 'b1__echo' });
      harness.say(backend, { jsonrpc: '2.0', id, result: {} });
    }
    expect(one.heard.map((message) => message.result)).toEqual([{}, {}]);
  });

  it('passes a backend error on unchanged', () => {
    const one = client();
    one.request(1, 'tools/call', { name: 'b1__echo' });
    harness.say(
      backend,
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32042,"message":"m","data":{"elicitations":[{"u":1.0}]}}}',
    );
    expect(one.texts).toEqual([
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32042,"message":"m","data":{"elicitations":[{"u":1.0}]}}}',
    ]);
  });

  it.each([
    ['both result and error', '{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"m"}}'],
    ['neither', '{"jsonrpc":"2.0","id":1}'],
  ])('turns an answer with %s into one error of its own', (_, text) => {
    const one = client();
    one.request(1, 'tools/call', { name: 'b1__echo' });
    harness.say(backend, text);
    expect(one.last).toMatchObject({
      id: 1,
      error: { code: -32603, data: { source: 'gateway', backend: 'b1' } },
    });
    expect(harness.router.inFlight).toBe(0);
  });

  it('drops answers that nobody waits for: unknown, repeated, or from another backend', () => {
    const other = new ScriptedBackend('b2');
    harness = createHarness([backend, other]);
    harness.ready(backend, ['echo']);
    harness.ready(other, ['echo']);
    backend.lines.length = 0;
    const one = client();
    one.request(1, 'tools/call', { name: 'b1__echo' });
    harness.say(other, { jsonrpc: '2.0', id: 1, result: { stolen: true } });
    harness.say(backend, { jsonrpc: '2.0', id: 99, result: {} });
    harness.say(backend, { jsonrpc: '2.0', id: '1', result: {} });
    harness.say(backend, { jsonrpc: '2.0', id: 1, result: { right: true } });
    harness.say(backend, { jsonrpc: '2.0', id: 1, result: { again: true } });
    expect(one.heard).toEqual([{ jsonrpc: '2.0', id: 1, result: { right: true } }]);
  });

  it('carries progress to its caller in the own token of each, and to nobody else', () => {
    const callers = [client(), client(), client()];
    const tokens = [1, '1', undefined];
    callers.forEach((caller, index) => {
      const progressToken = tokens[index];
      const _meta = progressToken === undefined ? {} : { progressToken };
      caller.request(5, 'tools/call', { name: 'b1__echo', _meta });
    });
    for (const progressToken of [1, 2, 3, 'made-up', 77]) {
      harness.say(backend, {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken, progress: 0.5 },
      });
    }
    const heard = callers.map((caller) => caller.heard.map((message) => message.params));
    expect(heard).toEqual([
      [{ progressToken: 1, progress: 0.5 }],
      [{ progressToken: '1', progress: 0.5 }],
      [],
    ]);
  });

  it('cancels the right call of the right client under its id at the backend, once', () => {
    const [a, b] = [client(), client()];
    a.request(7, 'tools/call', { name: 'b1__echo' });
    b.request(7, 'tools/call', { name: 'b1__echo' });
    const cancel = (requestId: unknown) =>
      a.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason: 'enough' } });
    cancel('7');
    expect(backend.lines).toHaveLength(2);
    cancel(7);
    cancel(7);
    expect(backend.seen.slice(2)).toEqual([
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, reason: 'enough' } },
    ]);
    harness.say(backend, { jsonrpc: '2.0', id: 1, result: {} });
    harness.say(backend, { jsonrpc: '2.0', id: 2, result: {} });
    expect(a.heard).toEqual([]);
    expect(b.heard).toEqual([{ jsonrpc: '2.0', id: 7, result: {} }]);
  });

  it('cancels every call of a client that leaves', () => {
    const one = client();
    one.request(1, 'tools/call', { name: 'b1__echo' });
    one.request(2, 'tools/call', { name: 'b1__echo' });
    one.leave();
    expect(backend.seen.slice(2).map((message) => [message.method, message.params?.requestId])).toEqual([
      ['notifications/cancelled', 1],
      ['notifications/cancelled', 2],
    ]);
    expect(harness.router.inFlight).toBe(0);
  });

  it('flattens a pretty-printed message to one line', () => {
    client().say(
      '{\n  "jsonrpc": "2.0", "id": 5,\r\n  "method": "tools/call",\n  "params": {"name": "b1__echo", "arguments": {"t": "a\\nb"}}\n}',
    );
    expect(backend.last).toEqual({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'echo', arguments: { t: 'a\nb' } },
    });
  });

  it('answers the calls of a process that exits, with how it ended', () => {
    const one = client();
    one.request(1, 'tools/call', { name: 'b1__echo' });
    harness.crash(backend);
    expect(one.last).toMatchObject({
      id: 1,
      error: { code: -31003, data: { backend: 'b1', exitCode: 1, stderr: 'out of paper', retryable: true } },
    });
  });

  it('refuses more requests of one session than its limit', () => {
    const one = client();
    for (let id = 0; id < 64; id += 1) one.request(id, 'tools/call', { name: 'b1__echo' });
    expect(one.heard).toEqual([]);
    one.request(64, 'tools/call', { name: 'b1__echo' });
    expect(one.last).toMatchObject({ id: 64, error: { code: -31005 } });
  });

  it('refuses calls to a backend that does not read', () => {
    backend.unwrittenBytes = 9 * 1024 * 1024;
    const one = client();
    one.request(1, 'tools/call', { name: 'b1__echo' });
    expect(one.last).toMatchObject({ id: 1, error: { code: -31005, data: { backend: 'b1' } } });
  });
});

describe('deadlines of calls', () => {
  const limits = { requestTimeoutMs: 1_000, maxRequestTimeMs: 5_000 };

  function started() {
    const backend = new ScriptedBackend('b1', limits);
    const harness = createHarness([backend]);
    harness.ready(backend, ['slow']);
    harness.clock.advance(200);
    const client = harness.client();
    client.initialize();
    client.request(1, 'tools/call', { name: 'b1__slow', _meta: { progressToken: 't' } });
    const progress = () =>
      harness.say(backend, {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 1, progress: 1 },
      });
    return { backend, harness, client, progress };
  }

  it('times out, tells the backend, answers the client and frees the place', () => {
    const { backend, harness, client } = started();
    harness.clock.advance(950);
    expect(client.heard).toEqual([]);
    harness.clock.advance(100);
    expect(backend.last).toMatchObject({ method: 'notifications/cancelled', params: { requestId: 1 } });
    expect(client.last).toMatchObject({ id: 1, error: { code: -31004, data: { backend: 'b1' } } });
    expect(harness.router.inFlight).toBe(0);
  });

  it('says what is to be mended at a backend that did not answer in time', () => {
    const { backend, harness, client } = started();
    backend.advice = 'speaks in riddles';
    harness.clock.advance(1_050);
    expect(client.last.error?.message).toMatch(/was cancelled there; the backend speaks in riddles$/);
  });

  it('gives more time with each progress', () => {
    const { backend, harness, client, progress } = started();
    for (let sent = 0; sent < 7; sent += 1) {
      harness.clock.advance(400);
      progress();
    }
    harness.say(backend, { jsonrpc: '2.0', id: 1, result: {} });
    expect(client.last).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  });

  it('ends a call that reports progress for ever at the maximum', () => {
    const { harness, client, progress } = started();
    for (let sent = 0; sent < 14; sent += 1) {
      harness.clock.advance(400);
      progress();
    }
    expect(client.last).toMatchObject({ id: 1, error: { code: -31004, data: { limit: 'maxRequestTime' } } });
  });

  it('stops its sweep when no call is left', () => {
    const { backend, harness } = started();
    harness.say(backend, { jsonrpc: '2.0', id: 1, result: {} });
    harness.clock.advance(3_000);
    expect(harness.clock.pending).toBe(0);
  });
});
