import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixture, scripted } from '../helpers/fixture-backend.js';
import { type GatewayProcess, startGateway } from '../helpers/gateway-process.js';
import { connectClient, openSession } from '../helpers/test-client.js';

const scriptedGateway = () => startGateway({ config: { mcpServers: { b1: scripted() } } });

describe('request ids', () => {
  const ids = [
    '"1"',
    '"a:b:c"',
    '""',
    '0',
    '-3',
    '9007199254740993',
    '1.50',
    '"\\u0041"',
    `"${'x'.repeat(4096)}"`,
  ];

  it('come back as their exact text, while the backend sees whole numbers only', async () => {
    await using gateway = await startGateway({
      config: { mcpServers: { strict: fixture('rejects-string-ids') } },
    });
    await using client = await openSession(gateway.url);
    for (const id of ids) {
      client.send(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"strict__echo"}}`);
      const { raw, result } = await client.next();
      expect(raw).toContain(`"id":${id},`);
      expect(result?.content).toEqual([{ type: 'text', text: '{}' }]);
    }
    for (const id of ids) {
      client.send(`{"jsonrpc":"2.0","id":${id},"method":"tools/list"}`);
      const { raw, result } = await client.next();
      expect(raw).toContain(`"id":${id},`);
      expect(result?.tools).toHaveLength(1);
    }
    expect((await gateway.backend('strict')).restarts).toBe(0);
  });

  it('may be 0 or empty without being taken for a notification', async () => {
    await using gateway = await scriptedGateway();
    await using client = await connectClient(gateway.url);
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 't', version: '0' },
    };
    client.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
    expect((await client.next()).raw).toContain('"id":0,');
    client.send({ jsonrpc: '2.0', id: '', method: 'ping' });
    expect((await client.next()).raw).toContain('"id":"",');
  });
});

describe('bad messages', () => {
  let gateway: GatewayProcess;

  beforeAll(async () => {
    gateway = await scriptedGateway();
  });

  afterAll(() => gateway[Symbol.asyncDispose]());

  const cases: readonly [text: string, codes: readonly number[], id?: unknown][] = [
    ['{oops', [-32700]],
    ['', [-32700]],
    ['null', [-32600]],
    ['42', [-32600]],
    ['[]', [-32600]],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', [-32600]],
    ['{"jsonrpc":"2.0","id":2,"method":5}', [-32600], 2],
    ['{"jsonrpc":"2.0","id":3,"method":"tools/call","params":null}', [-32600, -32602], 3],
    ['{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"arguments":{}}}', [-32602], 4],
    ['{"jsonrpc":"2.0","id":4,"method":"tools/call"}', [-32602], 4],
    ['{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":7}}', [-32602], 4],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', [-32600]],
    ['{"jsonrpc":"1.0","id":5,"method":"ping"}', [-32600], 5],
    ['{"id":5,"method":"ping"}', [-32600], 5],
    ['{"jsonrpc":"2.0","id":6}', [-32600], 6],
    ['{"jsonrpc":"2.0","id":6,"Method":"ping"}', [-32600], 6],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', [-32600]],
    ['{"jsonrpc":"2.0","id":true,"method":"ping"}', [-32600]],
    ['{"jsonrpc":"2.0","id":8,"method":"no/such"}', [-32601], 8],
    ['{"jsonrpc":"2.0","id":9,"method":"server/discover"}', [-32602], 9],
    ['{"jsonrpc":"2.0","id":1,"method":"ping"} {"jsonrpc":"2.0","id":2,"method":"ping"}', [-32700]],
  ];

  it.each(cases)('get their error and leave the socket open: %s', async (text, codes, id) => {
    for (const revision of ['2025-06-18', '2025-11-25']) {
      await using client = await openSession(gateway.url, revision);
      client.send(text);
      const reply = await client.next();
      expect(codes).toContain(reply.error?.code);
      expect(reply.error?.data?.source).toBe('gateway');
      const unreadable = revision === '2025-06-18' ? null : undefined;
      expect(reply.id).toEqual(id ?? unreadable);
      expect((await client.request('ping')).result).toEqual({});
    }
  });

  it('say of a batch that batches are not supported', async () => {
    await using client = await openSession(gateway.url);
    client.send('[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]');
    expect((await client.next()).error?.message).toMatch(/batch/i);
    await client.request('ping');
    expect(client.waiting).toEqual([]);
  });

  it('that are answers to nothing, or unknown notifications, are dropped', async () => {
    await using client = await openSession(gateway.url);
    client.send('{"jsonrpc":"2.0","id":6,"result":{}}');
    client.send('{"jsonrpc":"2.0","id":6,"error":{"code":1,"message":"m"}}');
    client.send('{"jsonrpc":"2.0","id":6,"result":null}');
    client.send('{"jsonrpc":"2.0","id":6,"result":{},"error":{"code":1,"message":"m"}}');
    client.send('{"jsonrpc":"2.0","method":"notifications/no-such"}');
    client.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}');
    await client.request('ping');
    expect(client.waiting).toEqual([]);
  });

  it('nested 100,000 deep are refused, whether complete or not', async () => {
    await using client = await openSession(gateway.url);
    const open = '['.repeat(100_000);
    const deep = `${open}${']'.repeat(100_000)}`;
    client.send(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"b1__echo","arguments":{"a":${deep}}}}`,
    );
    expect((await client.next()).error?.code).toBe(-32600);
    client.send(open);
    expect([-32600, -32700]).toContain((await client.next()).error?.code);
    client.send(deep);
    expect((await client.next()).error?.code).toBe(-32600);
    expect(await client.callText('b1__echo', { a: 1 })).toBe('{"a":1}');
  });

  it('that are no JSON close the socket with 1008 when they keep coming; bad envelopes do not', async () => {
    await using patient = await openSession(gateway.url);
    for (let sent = 0; sent < 30; sent += 1) patient.send('42');
    for (let got = 0; got < 30; got += 1) expect((await patient.next()).error?.code).toBe(-32600);
    await patient.request('ping');

    await using client = await openSession(gateway.url);
    for (let sent = 0; sent < 10; sent += 1) client.send('{oops');
    await client.request('ping');
    client.send('{oops');
    expect((await client.closed).code).toBe(1008);
  });
});

describe('fields that occur twice', () => {
  const safeOnly = { tools: { allow: ['echo', 'runs', 'received'] } };

  it.each([
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"b1__echo","name":"b1__whoami","arguments":{}}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"b1__echo","\\u006eame":"b1__whoami"}}',
    '{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":{"name":"b1__whoami"}}',
    '{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/call","params":{"name":"b1__whoami"}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"b1__echo"},"params":{"name":"b1__whoami"}}',
  ])('make the message invalid, so that no filter is walked round: %s', async (text) => {
    await using gateway = await startGateway({ config: { mcpServers: { b1: scripted({}, safeOnly) } } });
    await using client = await openSession(gateway.url);
    client.send(text);
    expect((await client.next()).error?.code).toBe(-32600);
    expect(await client.callText('b1__runs', { name: 'whoami' })).toBe('0');
    expect(await client.callText('b1__runs', { name: 'echo' })).toBe('0');
  });

  it('are other fields when they differ in case, and pass untouched inside arguments', async () => {
    await using gateway = await startGateway({ config: { mcpServers: { b1: scripted({}, safeOnly) } } });
    await using client = await openSession(gateway.url);
    const params = '{"name":"b1__echo","Name":"b1__whoami","arguments":{"name":1,"name":2,"id":3,"id":4}}';
    client.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":${params}}`);
    expect((await client.next()).result?.content?.[0]?.text).toBe('{"name":2,"id":4}');
    const lines = JSON.parse(await client.callText('b1__received')) as string[];
    expect(lines.join('\n')).toContain('"arguments":{"name":1,"name":2,"id":3,"id":4}');
  });
});

describe('before the handshake', () => {
  it('answers ping, and says how to open for anything else', async () => {
    await using gateway = await scriptedGateway();
    await using client = await connectClient(gateway.url);
    expect((await client.request('ping')).result).toEqual({});
    const reply = await client.request('tools/list');
    expect(reply.error?.message).toContain('initialize');
    expect(reply.error?.message).toContain('_meta');
    expect((await client.initialize()).result).toBeDefined();
    expect(await client.toolNames()).toContain('b1__echo');
  });
});
