import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noBackends, scripted } from '../helpers/fixture-backend.js';
import { type GatewayProcess, startGateway } from '../helpers/gateway-process.js';
import { attemptUpgrade, connectClient, openSession } from '../helpers/test-client.js';

/** For tests that leave no trace in it. */
let gateway: GatewayProcess;

beforeAll(async () => {
  gateway = await emptyGateway();
});

afterAll(() => gateway[Symbol.asyncDispose]());

const emptyGateway = (settings: object = {}) =>
  startGateway({ config: { ...settings, mcpServers: noBackends } });

describe('subprotocols', () => {
  it.each([
    ['mcp', 101, 'mcp'],
    ['foo, mcp', 101, 'mcp'],
    ['mcp, bearer.abc', 101, 'mcp'],
    ['bearer.abc, mcp', 101, 'mcp'],
    [['foo', 'mcp'], 101, 'mcp'],
    [undefined, 101, undefined],
    ['foo', 400, undefined],
  ])('%s: answered with %s and %s', async (offered, status, chosen) => {
    const headers = offered === undefined ? {} : { 'Sec-WebSocket-Protocol': offered };
    const answer = await attemptUpgrade(gateway.url, headers);
    expect(answer.status).toBe(status);
    expect(answer.headers['sec-websocket-protocol']).toBe(chosen);
    if (status === 400) expect(answer.body).toContain('mcp');
  });

  it('are not needed', async () => {
    await using client = await connectClient(gateway.url, { protocols: [] });
    expect(client.protocol).toBe('');
    expect((await client.initialize()).result).toBeDefined();
  });
});

describe('who may connect', () => {
  it.each([
    ['http://evil.test', 403],
    ['null', 403],
    ['http://localhost.evil.test', 403],
    ['http://127.0.0.1.evil.test', 403],
    ['https://evil.test:443', 403],
    ['http://127.0.0.1:3000', 101],
    ['http://localhost:5173', 101],
    ['http://[::1]:80', 101],
    [undefined, 101],
  ])('a page of origin %s: %i', async (origin, status) => {
    const answer = await attemptUpgrade(gateway.url, origin === undefined ? {} : { Origin: origin });
    expect(answer.status).toBe(status);
  });

  it.each([
    ['evil.test', 421],
    ['evil.test:80', 421],
    ['localhost.evil.test', 421],
    ['localhost', 101],
    ['127.0.0.1:1', 101],
    ['[::1]:80', 101],
  ])('a request for host %s: %i', async (host, status) => {
    expect((await attemptUpgrade(gateway.url, { Host: host })).status).toBe(status);
    expect((await attemptUpgrade(gateway.url, { Host: host, Origin: `http://${host}` })).status).not.toBe(
      status === 101 ? 421 : 101,
    );
  });

  it('also configured origins and hosts, and no others then', async () => {
    await using gateway = await emptyGateway({
      listen: {
        allowedOrigins: ['https://app.example.com'],
        allowedHosts: ['gateway.example.com', '127.0.0.1'],
      },
    });
    const origin = { Origin: 'https://app.example.com' };
    expect((await attemptUpgrade(gateway.url, origin)).status).toBe(101);
    expect((await attemptUpgrade(gateway.url, { ...origin, Host: 'gateway.example.com' })).status).toBe(101);
    expect((await attemptUpgrade(gateway.url, { Origin: 'http://localhost:3000' })).status).toBe(403);
  });
});

describe('plain HTTP on the public listener', () => {
  it('gets 426 on the MCP paths, 404 elsewhere, and no admin pages', async () => {
    const base = gateway.url.replace('ws:', 'http:').replace('/mcp', '');
    const statusOf = async (path: string) => (await fetch(base + path)).status;
    expect(await statusOf('/mcp')).toBe(426);
    expect(await statusOf('/mcp/ws')).toBe(426);
    for (const path of ['/', '/status', '/livez', '/mcp/other']) expect(await statusOf(path)).toBe(404);
  });

  it('gets an answer to CONNECT, too', async () => {
    const { hostname, port } = new URL(gateway.url);
    const asked = request({ hostname, port, method: 'CONNECT', path: 'example.com:443' }).end();
    const [response] = (await once(asked, 'connect')) as [IncomingMessage];
    expect(response.statusCode).toBe(404);
  });

  it('gets 404 for an upgrade elsewhere and 426 for another WebSocket version', async () => {
    expect((await attemptUpgrade(gateway.url.replace('/mcp', '/other'))).status).toBe(404);
    expect((await attemptUpgrade(gateway.url.replace('/mcp', '/mcp/ws'))).status).toBe(101);
    const old = await attemptUpgrade(gateway.url, { 'Sec-WebSocket-Version': '8' });
    expect(old.status).toBe(426);
    expect(old.headers['sec-websocket-version']).toBe('13');
  });

  it('that is no HTTP at all is ended and hurts nobody', async () => {
    const { hostname, port } = new URL(gateway.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.resume().end('\u0000\u0001garbage\r\n\r\n');
    await new Promise((resolve) => socket.on('close', resolve));
    await using client = await openSession(gateway.url);
    await client.request('ping');
  });
});

describe('limits on connections', () => {
  it('answer 503 with Retry-After above the total, and accept again when one has gone', async () => {
    await using gateway = await emptyGateway({ limits: { connections: 2 } });
    await using stays = await openSession(gateway.url);
    {
      await using _goes = await openSession(gateway.url);
      const refused = await attemptUpgrade(gateway.url);
      expect(refused.status).toBe(503);
      expect(refused.headers['retry-after']).toBeDefined();
    }
    await expect.poll(async () => (await gateway.status()).sessions).toBe(1);
    await using next = await openSession(gateway.url);
    await next.request('ping');
    await stays.request('ping');
  });
});

describe('frames', () => {
  it('that are binary close the socket with 1003, and nobody else notices', async () => {
    await using other = await openSession(gateway.url);
    for (const frame of ['{"jsonrpc":"2.0","id":1,"method":"ping"}', '\u0000\u0001\u0002']) {
      await using client = await openSession(gateway.url);
      client.send(Buffer.from(frame));
      const { code, reason } = await client.closed;
      expect(code).toBe(1003);
      expect(reason).not.toBe('');
    }
    await other.request('ping');
  });

  it('may be fragments, torn inside a character', async () => {
    await using gateway = await startGateway({ config: { mcpServers: { b1: scripted() } } });
    await using client = await openSession(gateway.url);
    const bytes = Buffer.from(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"b1__echo","arguments":{"v":"🦊"}}}',
    );
    const middle = bytes.indexOf(0xf0) + 2;
    const cuts = [bytes.subarray(0, 10), bytes.subarray(10, middle), bytes.subarray(middle)];
    cuts.forEach((cut, index) => {
      client.socket.send(cut, { binary: false, fin: index === cuts.length - 1 });
    });
    expect((await client.next()).result?.content?.[0]?.text).toBe('{"v":"🦊"}');
  });

  it('that are not UTF-8 close the socket with 1007', async () => {
    await using client = await openSession(gateway.url);
    client.socket.send(Buffer.from([0x22, 0xff, 0x22]), { binary: false });
    expect((await client.closed).code).toBe(1007);
  });

  it('above the size limit close the socket with 1009; up to it they work', async () => {
    await using gateway = await startGateway({
      config: { limits: { maxMessageBytes: '64KiB' }, mcpServers: { b1: scripted() } },
    });
    await using client = await openSession(gateway.url);
    const v = 'x'.repeat(60_000);
    expect(await client.callText('b1__echo', { v })).toBe(JSON.stringify({ v }));
    client.send({ jsonrpc: '2.0', id: 1, method: 'ping', params: { x: 'x'.repeat(70_000) } });
    expect((await client.closed).code).toBe(1009);
    await using next = await openSession(gateway.url);
    await next.request('ping');
  });
});

describe('the heartbeat', () => {
  it('ends a peer that does not answer, cancels its calls, and keeps a quiet one that does', async () => {
    await using gateway = await startGateway({
      config: { heartbeat: { interval: '150ms', grace: '150ms' }, mcpServers: { b1: scripted() } },
    });
    await using quiet = await openSession(gateway.url);
    await using dead = await openSession(gateway.url);
    let pings = 0;
    const tenPings = new Promise<void>((resolve) => {
      quiet.socket.on('ping', () => {
        pings += 1;
        if (pings === 10) resolve();
      });
    });
    dead.send({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'b1__hold', arguments: { key: 'k' } },
    });
    await gateway.backendWhen('b1', ({ inFlight }) => inFlight === 1);
    dead.pause();
    await expect.poll(async () => (await gateway.status()).sessions, { timeout: 5_000 }).toBe(1);
    await gateway.backendWhen('b1', ({ inFlight }) => inFlight === 0);
    await tenPings;
    await quiet.request('ping');
  });
});

describe('a client that vanishes', () => {
  it('without a FIN of its own leaves nothing behind', async () => {
    await using gateway = await startGateway({ config: { mcpServers: { b1: scripted() } } });
    const client = await openSession(gateway.url);
    for (let id = 0; id < 10; id += 1) {
      const params = { name: 'b1__hold', arguments: { key: id } };
      client.send({ jsonrpc: '2.0', id, method: 'tools/call', params });
    }
    await gateway.backendWhen('b1', ({ inFlight }) => inFlight === 10);
    client.socket.terminate();
    await expect.poll(async () => (await gateway.status()).inFlight).toBe(0);
    expect((await gateway.status()).sessions).toBe(0);
  });
});
