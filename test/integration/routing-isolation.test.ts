import { describe, expect, it } from 'vitest';
import { fixture, scripted } from '../helpers/fixture-backend.js';
import { startGateway } from '../helpers/gateway-process.js';
import { openSession, type Received } from '../helpers/test-client.js';

const call = (id: unknown, name: string, args: object, meta?: object) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) },
});
const textOf = (message: Received) => message.result?.content?.[0]?.text;
const answers = (id: unknown) => (message: Received) => message.id === id && message.method === undefined;

describe('answers of one shared backend', () => {
  it('reach the client that asked when two clients use the same id and the answers come in reverse', async () => {
    await using gateway = await startGateway({ config: { mcpServers: { b1: scripted() } } });
    await using a = await openSession(gateway.url);
    await using b = await openSession(gateway.url);
    a.send(call(1, 'b1__hold', { key: 'a', v: 'A' }));
    await gateway.backendWhen('b1', ({ inFlight }) => inFlight === 1);
    b.send(call(1, 'b1__whoami', { who: 'B', ms: 0 }));
    expect(textOf(await b.next(answers(1)))).toBe('B');
    expect(await b.callText('b1__release', { key: 'a' })).toBe('released');
    expect(textOf(await a.next(answers(1)))).toBe('A');
    expect(a.waiting).toEqual([]);
    expect(b.waiting).toEqual([]);
  });

  it('reach their own among 50 clients with 20 calls each under equal ids and random delays', async () => {
    await using gateway = await startGateway({ config: { mcpServers: { b1: scripted() } } });
    const clients = await Promise.all(Array.from({ length: 50 }, () => openSession(gateway.url)));
    const ids = Array.from({ length: 20 }, (_, id) => id);
    // A fixed sequence that looks random: the same disorder in every run.
    let state = 42;
    const delayMs = () => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return state % 40;
    };
    for (const id of ids) {
      clients.forEach((client, index) => {
        client.send(call(id, 'b1__whoami', { who: `${index}/${id}`, ms: delayMs() }));
      });
    }
    for (const [index, client] of clients.entries()) {
      for (const id of ids) expect(textOf(await client.next(answers(id)))).toBe(`${index}/${id}`);
      expect(client.waiting).toEqual([]);
      await client[Symbol.asyncDispose]();
    }
    expect((await gateway.status()).inFlight).toBe(0);
  });

  it.each(['2025-06-18', '2025-11-25'])(
    'keep the first call when its id comes again while it is in flight (%s)',
    async (revision) => {
      await using gateway = await startGateway({ config: { mcpServers: { b1: scripted() } } });
      await using client = await openSession(gateway.url, revision);
      client.send(call(1, 'b1__hold', { key: 'k', v: 'first' }));
      client.send(call(1, 'b1__echo', { v: 'second' }));
      const refusal = await client.next(({ error }) => error !== undefined);
      expect(refusal.error?.code).toBe(-32600);
      expect(refusal.id).toBe(revision === '2025-06-18' ? null : undefined);
      await client.callText('b1__release', { key: 'k' });
      expect(textOf(await client.next(answers(1)))).toBe('first');
      expect(client.waiting).toEqual([]);
    },
  );

  it('free the id for the next request once they are given', async () => {
    await using gateway = await startGateway({ config: { mcpServers: { b1: scripted() } } });
    await using client = await openSession(gateway.url);
    for (const v of ['one', 'two']) {
      client.send(call(1, 'b1__whoami', { who: v }));
      expect(textOf(await client.next(answers(1)))).toBe(v);
    }
  });

  it.each(['wrong-ids', 'number-as-string', 'twice'])('are not taken from strange ones (%s)', async (how) => {
    await using gateway = await startGateway({
      config: { mcpServers: { odd: fixture('answers-strangely') } },
    });
    await using a = await openSession(gateway.url);
    await using b = await openSession(gateway.url);
    a.send(call(1, 'odd__answer', { how, v: 'A' }));
    b.send(call(1, 'odd__answer', { how, v: 'B' }));
    expect(textOf(await a.next(answers(1)))).toBe('A');
    expect(textOf(await b.next(answers(1)))).toBe('B');
    for (const client of [a, b]) {
      expect((await client.request('ping')).result).toEqual({});
      expect(client.waiting).toEqual([]);
    }
  });

  it('that come late, for calls that have ended, reach nobody', async () => {
    await using gateway = await startGateway({
      config: { requestTimeout: '200ms', mcpServers: { odd: fixture('answers-strangely') } },
    });
    await using client = await openSession(gateway.url);
    expect((await client.call('odd__answer', { how: 'never' })).error?.code).toBe(-31004);
    expect(await client.callText('odd__answer', { how: 'old-ids', v: 'now' })).toBe('now');
    expect((await client.request('ping')).result).toEqual({});
    expect(client.waiting).toEqual([]);
  });
});

describe('progress', () => {
  it('reaches the call that asked for it, under its own token and type, and nobody else', async () => {
    await using gateway = await startGateway({ config: { mcpServers: { b1: scripted() } } });
    const sessions = await Promise.all(Array.from({ length: 4 }, () => openSession(gateway.url)));
    const tokens = [1, 1, '1', undefined];
    const args = { count: 3, everyMs: 5 };
    for (const [index, client] of sessions.entries()) {
      const token = tokens[index];
      client.send(call(7, 'b1__progress', args, token === undefined ? undefined : { progressToken: token }));
    }
    const madeUp =
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":424242,"progress":1}}';
    await sessions[3]?.callText('b1__notify', { lines: [madeUp] });
    for (const [index, client] of sessions.entries()) {
      await client.next(answers(7));
      const notes = client.waiting.filter(({ method }) => method === 'notifications/progress');
      const expected = tokens[index] === undefined ? [] : [1, 2, 3];
      expect(notes.map(({ params }) => params?.progress)).toEqual(expected);
      for (const { params } of notes) expect(params?.progressToken).toBe(tokens[index]);
      await client[Symbol.asyncDispose]();
    }
  });

  it('is not delivered once its call is over', async () => {
    await using gateway = await startGateway({ config: { mcpServers: { b1: scripted() } } });
    await using client = await openSession(gateway.url);
    const note =
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":$TOKEN,"progress":9}}';
    const answer = '{"jsonrpc":"2.0","id":$ID,"result":{"content":[]}}';
    await client.call('b1__raw', { text: `${answer}\n${note}` }, { progressToken: 't' });
    await client.callText('b1__echo');
    expect(client.waiting).toEqual([]);
  });
});
