import { describe, expect, it } from 'vitest';
import { fixture, scripted } from '../helpers/fixture-backend.js';
import { startGateway } from '../helpers/gateway-process.js';
import { openSession, type TestClient } from '../helpers/test-client.js';

const callOf = (id: unknown, name: string, args: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});
const cancelOf = (requestId: unknown) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId, reason: 'test' },
});

interface Line {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly requestId?: unknown; readonly arguments?: Record<string, unknown> };
}

/** What the backend `b1` got on its stdin. */
async function linesAt(client: TestClient): Promise<Line[]> {
  return (JSON.parse(await client.callText('b1__received')) as string[]).map(
    (line) => JSON.parse(line) as Line,
  );
}

const cancels = (lines: readonly Line[]) =>
  lines.filter(({ method }) => method === 'notifications/cancelled').map(({ params }) => params?.requestId);

describe('a crash', () => {
  it('answers every call in flight with the exit and the last words, and the next call works', async () => {
    await using gateway = await startGateway({ config: { mcpServers: { b1: scripted() } } });
    await using client = await openSession(gateway.url);
    const lost = Array.from({ length: 5 }, (_, key) => client.call('b1__hold', { key }));
    const exit = client.call('b1__exit', { code: 137, stderr: 'out of memory\n' });
    for (const { error } of await Promise.all([...lost, exit])) {
      expect(error?.code).toBe(-31003);
      expect(error?.message).toContain('b1');
      expect(error?.data).toMatchObject({ source: 'gateway', backend: 'b1' });
      expect(JSON.stringify(error)).toContain('137');
      expect(JSON.stringify(error?.data)).toContain('out of memory');
    }
    expect((await gateway.status()).inFlight).toBe(0);
    expect(await client.callText('b1__echo', { v: 1 })).toBe('{"v":1}');
  });

  it('delivers first what was already written, down to the last bytes', async () => {
    await using gateway = await startGateway({ config: { mcpServers: { b1: scripted() } } });
    await using client = await openSession(gateway.url);
    const lost = ['x', 'y'].map((key) => client.call('b1__hold', { key }));
    const big = 'z'.repeat(300_000);
    const last = `{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"text","text":"${big}"}]}}`;
    expect(await client.callText('b1__exit', { code: 1, last })).toBe(big);
    for (const { error } of await Promise.all(lost)) expect(error?.code).toBe(-31003);
  });

  it('by a signal names the signal', async () => {
    await using gateway = await startGateway({ config: { mcpServers: { b1: scripted() } } });
    await using client = await openSession(gateway.url);
    const { error } = await client.call('b1__crash', { signal: 'SIGKILL' });
    expect(error?.code).toBe(-31003);
    expect(JSON.stringify(error)).toContain('SIGKILL');
  });

  it('is what closing stdout counts as, though the process lives', async () => {
    await using gateway = await startGateway({ config: { mcpServers: { b1: fixture('closes-stdout') } } });
    await using client = await openSession(gateway.url);
    const { pid } = await gateway.backend('b1');
    expect((await client.call('b1__echo')).error?.code).toBe(-31003);
    await gateway.backendWhen('b1', (backend) => backend.state === 'ready' && backend.pid !== pid);
  });

  it('never runs a call twice', async () => {
    await using gateway = await startGateway({ config: { mcpServers: { b1: scripted() } } });
    await using client = await openSession(gateway.url);
    await client.call('b1__crash');
    expect(await client.callText('b1__runs', { name: 'crash' })).toBe('0');
  });
});

describe('a cancellation', () => {
  it("reaches the backend once, under the backend's id of that client's call; the other's goes on", async () => {
    await using gateway = await startGateway({ config: { mcpServers: { b1: scripted() } } });
    await using a = await openSession(gateway.url);
    await using b = await openSession(gateway.url);
    a.send(callOf(7, 'b1__hold', { key: 'a' }));
    b.send(callOf(7, 'b1__hold', { key: 'b' }));
    await gateway.backendWhen('b1', ({ inFlight }) => inFlight === 2);
    a.send(cancelOf('7'));
    a.send(cancelOf(7));
    a.send(cancelOf(7));
    a.send(cancelOf('c1'));
    const lines = await linesAt(a);
    const held = lines.find(({ params }) => params?.arguments?.key === 'a');
    expect(cancels(lines)).toEqual([held?.id]);
    await b.callText('b1__release', { key: 'b' });
    expect((await b.next(({ id }) => id === 7)).result).toBeDefined();
    // The backend answers in spite of the cancellation; nobody hears it.
    await b.callText('b1__release', { key: 'a' });
    expect((await a.request('ping')).result).toEqual({});
    expect(a.waiting).toEqual([]);
    expect((await gateway.status()).inFlight).toBe(0);
  });

  it('keeps a call that is still queued from ever being sent', async () => {
    await using gateway = await startGateway({
      config: { mcpServers: { b1: scripted({}, { maxInFlight: 1 }) } },
    });
    await using client = await openSession(gateway.url);
    client.send(callOf(1, 'b1__slow', { ms: 300, v: 'first' }));
    client.send(callOf(2, 'b1__echo', { v: 'never' }));
    await gateway.backendWhen('b1', ({ queued }) => queued === 1);
    client.send(cancelOf(2));
    expect((await client.next()).id).toBe(1);
    const lines = await linesAt(client);
    expect(lines.some(({ params }) => params?.arguments?.v === 'never')).toBe(false);
    expect(cancels(lines)).toEqual([]);
    expect(client.waiting).toEqual([]);
  });

  it('overtakes calls that wait in the queue', async () => {
    await using gateway = await startGateway({
      config: { mcpServers: { b1: scripted({}, { maxInFlight: 1 }) } },
    });
    await using client = await openSession(gateway.url);
    client.send(callOf(1, 'b1__hold', { key: 'k' }));
    client.send(callOf(2, 'b1__echo', { v: 'queued' }));
    await gateway.backendWhen('b1', ({ queued }) => queued === 1);
    client.send(cancelOf(1));
    expect((await client.next()).id).toBe(2);
  });

  it('is sent for each call of a client that disconnects, and for none of another', async () => {
    await using gateway = await startGateway({ config: { mcpServers: { b1: scripted() } } });
    await using stays = await openSession(gateway.url);
    {
      await using leaves = await openSession(gateway.url);
      leaves.send(callOf(1, 'b1__hold', { key: 'one' }));
      leaves.send(callOf(2, 'b1__hold', { key: 'two' }));
      stays.send(callOf(1, 'b1__hold', { key: 'mine' }));
      await gateway.backendWhen('b1', ({ inFlight }) => inFlight === 3);
    }
    await gateway.backendWhen('b1', ({ inFlight }) => inFlight === 1);
    const lines = await linesAt(stays);
    const gone = lines.filter(({ params }) => ['one', 'two'].includes(String(params?.arguments?.key)));
    expect(cancels(lines).sort()).toEqual(gone.map(({ id }) => id).sort());
    await stays.callText('b1__release', { key: 'mine' });
    expect((await stays.next(({ id }) => id === 1)).result).toBeDefined();
  });
});

describe('a time limit', () => {
  it('answers the client, cancels at the backend, frees the slot and repeats nothing', async () => {
    await using gateway = await startGateway({
      config: { requestTimeout: '400ms', mcpServers: { b1: scripted({}, { maxInFlight: 1 }) } },
    });
    await using client = await openSession(gateway.url);
    const { error } = await client.call('b1__hold', { key: 'k' });
    expect(error).toMatchObject({ code: -31004, data: { source: 'gateway', backend: 'b1' } });
    expect(error?.message).toContain('b1');
    const lines = await linesAt(client);
    const held = lines.filter(({ params }) => params?.arguments?.key === 'k');
    expect(held).toHaveLength(1);
    expect(cancels(lines)).toEqual([held[0]?.id]);
  });

  it('holds for calls that still wait in the queue', async () => {
    await using gateway = await startGateway({
      config: {
        requestTimeout: '1s',
        mcpServers: { b1: scripted({}, { maxInFlight: 1, maxRequestTime: '20s' }) },
      },
    });
    await using client = await openSession(gateway.url);
    const first = client.call('b1__progress', { count: 30, everyMs: 50, v: 'first' }, { progressToken: 1 });
    const queued = await client.call('b1__echo');
    expect(queued.error).toMatchObject({ code: -31004, data: { backend: 'b1', retryable: true } });
    expect(queued.error?.message).toContain('the request was not sent');
    expect((await first).result?.content?.[0]?.text).toBe('first');
  });

  it('starts anew with each progress note, up to the whole time', async () => {
    await using gateway = await startGateway({
      config: { requestTimeout: '800ms', maxRequestTime: '3s', mcpServers: { b1: scripted() } },
    });
    await using client = await openSession(gateway.url);
    const steps = { count: 8, everyMs: 120 };
    const [lively, silent, endless] = await Promise.all([
      client.call('b1__progress', steps, { progressToken: 'p' }),
      client.call('b1__progress', { ...steps, count: 30 }),
      client.call('b1__progress', { everyMs: 120, endless: true }, { progressToken: 'q' }),
    ]);
    expect(lively.result?.content?.[0]?.text).toBe('done');
    expect(silent.error?.code).toBe(-31004);
    expect(endless.error?.code).toBe(-31004);
    const notes = client.received.filter((raw) => raw.includes('"progressToken":"q"'));
    expect(notes.length).toBeGreaterThan(8);
  });

  it('of one backend does not hold for another', async () => {
    await using gateway = await startGateway({
      config: {
        requestTimeout: '200ms',
        mcpServers: { quick: scripted(), slow: scripted({}, { requestTimeout: '10s' }) },
      },
    });
    await using client = await openSession(gateway.url);
    const [quick, slow] = await Promise.all([
      client.call('quick__slow', { ms: 600, v: 1 }),
      client.call('slow__slow', { ms: 600, v: 2 }),
    ]);
    expect(quick.error?.code).toBe(-31004);
    expect(slow.result?.content?.[0]?.text).toBe('2');
  });
});

describe('limits', () => {
  it('refuse calls beyond the queue of a backend at once', async () => {
    await using gateway = await startGateway({
      config: { mcpServers: { b1: scripted({}, { maxInFlight: 1, maxQueued: 2 }) } },
    });
    await using client = await openSession(gateway.url);
    for (let id = 0; id < 4; id += 1) client.send(callOf(id, 'b1__slow', { ms: 300, v: id }));
    const refused = await client.next();
    expect(refused.id).toBe(3);
    expect(refused.error).toMatchObject({ code: -31005, data: { retryable: true } });
    for (let id = 0; id < 3; id += 1) expect((await client.next()).id).toBe(id);
  });

  it('refuse calls beyond those one session may have in flight', async () => {
    await using gateway = await startGateway({
      config: { limits: { inFlightPerSession: 2 }, mcpServers: { b1: scripted() } },
    });
    await using client = await openSession(gateway.url);
    await using other = await openSession(gateway.url);
    for (const id of [0, 1, 2]) client.send(callOf(id, 'b1__hold', { key: `k${id}` }));
    expect(await client.next()).toMatchObject({
      id: 2,
      error: { code: -31005, data: { limit: 'limits.inFlightPerSession' } },
    });
    expect(await other.callText('b1__release', { key: 'k0' })).toBe('released');
    expect((await client.next()).id).toBe(0);
  });
});

describe('arguments', () => {
  const strict = {
    name: 'echo',
    inputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
  };

  it.each([
    ['2025-06-18', { error: { code: -32602 } }],
    ['2025-11-25', { result: { isError: true } }],
  ])('that do not fit the schema never reach the backend (%s)', async (revision, expected) => {
    await using gateway = await startGateway({
      config: { mcpServers: { b1: scripted({ tools: [strict] }) } },
    });
    await using client = await openSession(gateway.url, revision);
    const reply = await client.call('b1__echo', { n: 'five' });
    expect(reply).toMatchObject(expected);
    expect(reply.raw).toContain('n');
    expect(await client.callText('b1__echo', { n: 5 })).toBe('{"n":5}');
  });

  it('pass unchecked where the configuration says so', async () => {
    await using gateway = await startGateway({
      config: { mcpServers: { b1: scripted({ tools: [strict] }, { validateArguments: false }) } },
    });
    await using client = await openSession(gateway.url);
    expect(await client.callText('b1__echo', { n: 'five' })).toBe('{"n":"five"}');
  });

  it('of an unknown tool are an error that suggests the likely name', async () => {
    await using gateway = await startGateway({ config: { mcpServers: { grammar: scripted() } } });
    await using client = await openSession(gateway.url);
    const { error } = await client.call('grammer__echo');
    expect(error?.code).toBe(-32602);
    expect(error?.message).toContain('did you mean "grammar__echo"');
  });
});
