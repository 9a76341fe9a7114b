import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scripted } from '../helpers/fixture-backend.js';
import { type GatewayProcess, startGateway } from '../helpers/gateway-process.js';
import { connectClient, openSession } from '../helpers/test-client.js';

const newest = '2025-11-25';

describe('initialize', () => {
  let gateway: GatewayProcess;

  beforeAll(async () => {
    gateway = await startGateway({ config: { mcpServers: { b1: scripted() } } });
  });

  afterAll(() => gateway[Symbol.asyncDispose]());

  const rest = { capabilities: {}, clientInfo: { name: 't', version: '0' } };

  it.each([
    ['2024-11-05', '2024-11-05'],
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    [newest, newest],
    ['1999-01-01', newest],
    ['banana', newest],
    ['2026-07-28', newest],
    ['', newest],
  ])('asked for revision "%s" agrees on %s', async (asked, agreed) => {
    await using client = await connectClient(gateway.url);
    const { result } = await client.request('initialize', { protocolVersion: asked, ...rest });
    expect(result).toMatchObject({
      protocolVersion: agreed,
      serverInfo: { name: 'mcp-switchboard' },
      capabilities: { tools: { listChanged: true } },
    });
    expect(await client.toolNames()).toContain('b1__echo');
  });

  it.each([[{ protocolVersion: 5, ...rest }], [{ protocolVersion: null, ...rest }], [rest]])(
    'without a usable revision is an error that leaves the socket open: %j',
    async (params) => {
      await using client = await connectClient(gateway.url);
      expect((await client.request('initialize', params)).error?.code).toBe(-32602);
      expect((await client.initialize()).result).toBeDefined();
    },
  );

  it('follows a probe for the newer era, which lacks something and is told so', async () => {
    await using client = await connectClient(gateway.url);
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    expect((await client.request('server/discover', { _meta })).error?.code).toBe(-32602);
    expect((await client.initialize()).result).toBeDefined();
  });

  it('is never forwarded: the backend sees one, of the gateway, whatever clients ask', async () => {
    await using old = await openSession(gateway.url, '2024-11-05');
    await using young = await openSession(gateway.url, newest);
    await young.callText('b1__echo');
    const lines = JSON.parse(await old.callText('b1__received')) as string[];
    const openings = lines.map((line) => JSON.parse(line)).filter(({ method }) => method === 'initialize');
    expect(openings).toHaveLength(1);
    expect(openings[0].params).toMatchObject({
      protocolVersion: newest,
      clientInfo: { name: 'mcp-switchboard' },
    });
  });

  it.each(['2024-11-05', '2025-03-26', '2025-06-18'])(
    'lets a backend answer with revision %s',
    async (revision) => {
      await using gateway = await startGateway({ config: { mcpServers: { b1: scripted({ revision }) } } });
      await using client = await openSession(gateway.url);
      expect(await client.callText('b1__echo', { v: 1 })).toBe('{"v":1}');
      expect((await gateway.backend('b1')).revision).toBe(revision);
    },
  );
});
