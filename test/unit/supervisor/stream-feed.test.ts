import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { modernBackendSide } from '../../../src/eras/modern/backend-side.js';
import { readMessage } from '../../../src/protocol/envelope.js';
import type { JsonObject } from '../../../src/protocol/json.js';
import type { ResponseMessage } from '../../../src/protocol/message.js';
import type { BackendKey, GatewayId } from '../../../src/shared/ids.js';
import { OwnRequests } from '../../../src/supervisor/own-requests.js';
import { StreamFeed } from '../../../src/supervisor/stream-feed.js';
import { createFakeClock } from '../../helpers/fake-clock.js';
import { settle } from './fake-process.js';

const tag = 'io.modelcontextprotocol/subscriptionId';
const listChanges = { tools: { listChanged: true } };

interface Written {
  readonly id?: number;
  readonly method: string;
  readonly params: JsonObject & { readonly notifications?: JsonObject; readonly requestId?: number };
}

function setUp(capabilities: JsonObject = listChanges) {
  const clock = createFakeClock();
  const side = modernBackendSide({ clientInfo: { name: 'gateway', version: '0' }, capabilities: {} });
  if (side.changes.on !== 'stream') throw new Error('expected a stream');
  const written: Written[] = [];
  const told: { missed: (readonly string[])[] } = { missed: [] };
  let lastId = 0;
  const requests = new OwnRequests({
    backend: 'b1' as BackendKey,
    side,
    clock,
    nextId: () => {
      lastId += 1;
      return lastId as GatewayId;
    },
    write: (message) => written.push(JSON.parse(Buffer.concat(message).toString())),
  });
  const feed = new StreamFeed({
    backend: 'b1' as BackendKey,
    changes: side.changes,
    requests,
    clock,
    log: pino({ level: 'silent' }),
    patienceMs: 5_000,
    missed: (uris) => void told.missed.push(uris),
  });
  feed.begin(capabilities);

  /** @returns whether the feed kept it for itself */
  function notify(method: string, params: JsonObject): boolean {
    const bytes = Buffer.from(JSON.stringify({ jsonrpc: '2.0', method, params }));
    const message = readMessage(bytes, { maxDepth: 9 });
    if (message.kind !== 'notification') throw new Error('expected a notification');
    return feed.take(message);
  }
  async function answer(id: number, outcome: object) {
    const message = readMessage(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, ...outcome })), {
      maxDepth: 9,
    });
    if (message.kind !== 'response') throw new Error('expected a response');
    requests.take(message);
    await settle();
  }
  return {
    clock,
    feed,
    requests,
    told,
    written,
    notify,
    answer,
    /** The streams that were asked for, as far as they ask for resources. */
    get asked() {
      return written
        .filter(({ method }) => method === 'subscriptions/listen')
        .map(({ params }) => params.notifications?.resourceSubscriptions ?? []);
    },
    get cancelled() {
      return written
        .filter(({ method }) => method === 'notifications/cancelled')
        .map(({ params }) => params.requestId);
    },
    acknowledge: (id: number, uris: readonly string[] = []) =>
      notify('notifications/subscriptions/acknowledged', {
        notifications: { resourceSubscriptions: uris },
        _meta: { [tag]: id },
      }),
    change: (id?: number | string) =>
      notify('notifications/tools/list_changed', id === undefined ? {} : { _meta: { [tag]: id } }),
  };
}

function contents({ bytes, outcome }: ResponseMessage): object {
  const { result, error } = JSON.parse(bytes.toString());
  return outcome === 'result' ? result : error;
}

describe('a stream of changes', () => {
  it('is opened for what is promised, and says who asks', () => {
    const { written } = setUp();
    expect(written).toEqual([
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'subscriptions/listen',
        params: { notifications: { toolsListChanged: true }, _meta: expect.objectContaining({}) },
      },
    ]);
    expect(Object.keys(written[0]?.params._meta ?? {})).toContain('io.modelcontextprotocol/protocolVersion');
  });

  it('is not opened when there is nothing to hear', () => {
    const { clock, written } = setUp({});
    expect(written).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it('lets through what is tagged as its own or not at all, and keeps the rest', () => {
    const { change, acknowledge, notify } = setUp();
    expect(acknowledge(1)).toBe(true);
    expect([change(1), change(), change(2), change('1'), change('listen-1')]).toEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
    expect(notify('notifications/progress', { _meta: { [tag]: 99 } })).toBe(false);
    expect(notify('notifications/cancelled', { requestId: 99 })).toBe(false);
  });

  it('is relied on without an acknowledgement once 5 s are over', async () => {
    const set = setUp();
    const subscribed = set.feed.subscribe('a:b');
    set.clock.advance(4_999);
    expect(set.asked).toEqual([[]]);
    set.clock.advance(1);
    expect(set.asked).toEqual([[], ['a:b']]);
    set.clock.advance(5_000);
    expect(contents(await subscribed)).toEqual({});
    expect(set.cancelled).toEqual([1]);
  });
});

describe('another wish', () => {
  it('replaces the stream: the new one first, the old one once that is acknowledged', async () => {
    const set = setUp();
    set.acknowledge(1);
    const subscribed = set.feed.subscribe('a:b');
    expect(set.asked).toEqual([[], ['a:b']]);
    expect(set.cancelled).toEqual([]);
    expect(set.change(1)).toBe(false);
    set.acknowledge(2, ['a:b']);
    expect(set.cancelled).toEqual([1]);
    expect(set.written.at(-1)?.params._meta).toBeDefined();
    expect(contents(await subscribed)).toEqual({});
    expect([set.change(1), set.change(2)]).toEqual([true, false]);
  });

  it('waits while a stream is opening, and goes together with others', async () => {
    const set = setUp();
    const subscribed = ['a:1', 'a:2', 'a:3'].map((uri) => set.feed.subscribe(uri));
    expect(set.asked).toEqual([[]]);
    set.acknowledge(1);
    expect(set.asked).toEqual([[], ['a:1', 'a:2', 'a:3']]);
    set.acknowledge(2, ['a:1', 'a:2', 'a:3']);
    expect((await Promise.all(subscribed)).map(contents)).toEqual([{}, {}, {}]);
  });

  it('is an error when the acknowledgement lacks the resource, which is not asked for again', async () => {
    const set = setUp();
    set.acknowledge(1);
    const subscribed = set.feed.subscribe('a:b');
    set.acknowledge(2, []);
    expect(contents(await subscribed)).toMatchObject({
      code: -32602,
      message: 'backend "b1" does not send updates of "a:b"',
      data: { source: 'gateway', uri: 'a:b' },
    });
    void set.feed.subscribe('c:d');
    expect(set.asked.at(-1)).toEqual(['c:d']);
  });

  it('is answered with the error that the new stream was refused with; the old one stays', async () => {
    const set = setUp();
    set.acknowledge(1);
    const subscribed = set.feed.subscribe('a:b');
    await set.answer(2, { error: { code: -32603, message: 'full' } });
    expect(contents(await subscribed)).toEqual({ code: -32603, message: 'full' });
    expect(set.change(1)).toBe(false);
    expect(set.cancelled).toEqual([]);
    expect(set.clock.pending).toBe(0);
  });

  it('for nothing any more ends the stream', async () => {
    const set = setUp({ resources: { subscribe: true } });
    const subscribed = set.feed.subscribe('a:b');
    set.acknowledge(1, ['a:b']);
    await subscribed;
    expect(contents(await set.feed.unsubscribe('a:b'))).toEqual({});
    expect(set.asked).toEqual([['a:b']]);
    expect(set.cancelled).toEqual([1]);
  });
});

describe('a stream that the backend ends', () => {
  const ends: [string, (set: ReturnType<typeof setUp>) => Promise<void> | boolean][] = [
    ['a result', (set) => set.answer(1, { result: { resultType: 'complete' } })],
    ['an error', (set) => set.answer(1, { error: { code: -32601, message: 'no' } })],
    ['a cancellation', (set) => set.notify('notifications/cancelled', { requestId: 1 })],
  ];

  it.each(ends)('with %s is opened again after 1 s, and what was missed is looked up', async (_how, end) => {
    const set = setUp();
    set.acknowledge(1);
    await end(set);
    expect(set.change(1)).toBe(true);
    set.clock.advance(999);
    expect(set.asked).toHaveLength(1);
    set.clock.advance(1);
    expect(set.asked).toHaveLength(2);
    expect(set.told.missed).toEqual([]);
    set.acknowledge(2);
    expect(set.told.missed).toEqual([[]]);
    expect(set.cancelled).toEqual([]);
  });

  it('may have told of updates meanwhile: of what it told before, and tells again', async () => {
    const set = setUp();
    const first = ['a:b', 'a:c'].map((uri) => set.feed.subscribe(uri));
    set.acknowledge(1);
    set.acknowledge(2, ['a:b', 'a:c']);
    await Promise.all(first);
    await set.answer(2, { result: {} });
    const second = set.feed.subscribe('c:d');
    set.clock.advance(1_000);
    set.acknowledge(3, ['a:c', 'c:d']);
    await second;
    expect(set.told.missed).toEqual([['a:c']]);
  });

  it('again and again is opened ever more rarely', async () => {
    const set = setUp();
    for (let passedMs = 0; passedMs < 300_000; passedMs += 500) {
      await set.answer(set.asked.length, { error: { code: -32603, message: 'no' } });
      set.clock.advance(500);
    }
    expect(set.asked.length).toBeGreaterThan(8);
    expect(set.asked.length).toBeLessThan(17);
  });

  it('keeps its resources, and opens soon for a new wish', async () => {
    const set = setUp();
    const first = set.feed.subscribe('a:b');
    set.acknowledge(1);
    set.acknowledge(2, ['a:b']);
    await first;
    for (const id of [2, 3, 4]) {
      set.clock.advance(10_000);
      await set.answer(id, { result: {} });
    }
    const second = set.feed.subscribe('c:d');
    expect(set.asked).toHaveLength(4);
    set.clock.advance(0);
    expect(set.asked.at(-1)).toEqual(['a:b', 'c:d']);
    set.acknowledge(5, ['a:b', 'c:d']);
    expect(contents(await second)).toEqual({});
  });
});

describe('the end of the process', () => {
  it('rejects whoever waits, opens nothing any more and leaves no timer', async () => {
    const set = setUp();
    const waiting = [set.feed.subscribe('a:b')];
    set.acknowledge(1);
    waiting.push(set.feed.subscribe('c:d'));
    set.feed.end('exit code 1');
    set.requests.end('exit code 1');
    waiting.push(set.feed.unsubscribe('a:b'));
    for (const one of waiting) await expect(one).rejects.toMatchObject({ problem: 'ended' });
    set.clock.advance(100_000);
    expect(set.asked).toHaveLength(2);
    expect(set.clock.pending).toBe(0);
  });
});
