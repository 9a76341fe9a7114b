import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { ListenError } from '../../../src/shared/listen-error.js';
import { eventually } from '../../helpers/eventually.js';
import { askRaw, sendRaw, upgradeLines, withHeaders } from '../../helpers/raw-client.js';
import { startTestListener, type TestListener } from '../../helpers/session-listener.js';

let gateway: TestListener;

beforeAll(async () => {
  gateway = await startTestListener();
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});

function upgrade(headers: Readonly<Record<string, string | undefined>> = {}, path = '/mcp') {
  return askRaw(gateway.port, withHeaders(upgradeLines(gateway.port, path), headers));
}

describe('the upgrade', () => {
  it('is answered with 101 and no extension, even to a client that offers compression', async () => {
    const answer = await upgrade({ 'Sec-WebSocket-Extensions': 'permessage-deflate' });
    expect(answer.status).toBe(101);
    expect(answer.headers.get('sec-websocket-accept')).toBe('s3pPLMBiTxaQ9kYGzzhZRbK+xOo=');
    expect(answer.headers.has('sec-websocket-extensions')).toBe(false);
  });

  it.each<[string, string | undefined, number, string | undefined]>([
    ['mcp', 'mcp', 101, 'mcp'],
    ['mcp behind another', 'foo, mcp', 101, 'mcp'],
    ['mcp before a credential', 'mcp, bearer.S3NT1NEL', 101, 'mcp'],
    ['mcp behind a credential', 'bearer.S3NT1NEL, mcp', 101, 'mcp'],
    ['mcp twice', 'mcp, mcp', 101, 'mcp'],
    ['no subprotocol', undefined, 101, undefined],
    ['only an unknown one', 'foo', 400, undefined],
    ['only a credential', 'bearer.S3NT1NEL', 400, undefined],
    ['mcp in capitals', 'MCP', 400, undefined],
  ])('handles an offer of %s', async (_, offer, status, chosen) => {
    const answer = await upgrade({ 'Sec-WebSocket-Protocol': offer });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('sec-websocket-protocol')).toBe(chosen);
    expect(answer.body).not.toContain('S3NT1NEL');
  });

  it('joins two subprotocol header lines', async () => {
    const lines = [
      ...upgradeLines(gateway.port),
      'Sec-WebSocket-Protocol: foo',
      'Sec-WebSocket-Protocol: mcp',
    ];
    const answer = await askRaw(gateway.port, lines);
    expect([answer.status, answer.headers.get('sec-websocket-protocol')]).toEqual([101, 'mcp']);
  });

  it.each<[string, string | undefined, number]>([
    ['none', undefined, 101],
    ['a page of this machine', 'http://127.0.0.1:3000', 101],
    ['a page of localhost', 'http://localhost:5173', 101],
    ['a foreign page', 'http://evil.test', 403],
    ['an opaque origin', 'null', 403],
    ['a name that starts like localhost', 'http://localhost.evil.test', 403],
    ['an address with a name for a port', 'http://127.0.0.1:evil.com', 403],
  ])('handles the Origin of %s', async (_, origin, status) => {
    expect((await upgrade({ Origin: origin })).status).toBe(status);
  });

  it.each<[string, string | undefined, number]>([
    ['localhost', 'localhost', 101],
    ['IPv6 loopback', '[::1]:8808', 101],
    ['a foreign name', 'evil.test:8808', 421],
    ['an address with a name for a port', '127.0.0.1:evil.com', 421],
    ['nothing', undefined, 400],
  ])('handles the Host of %s', async (_, host, status) => {
    expect((await upgrade({ Host: host })).status).toBe(status);
  });

  it('refuses a second Host header', async () => {
    const answer = await askRaw(gateway.port, [...upgradeLines(gateway.port), 'Host: evil.test']);
    expect(answer.status).toBe(400);
  });

  it('is available on the second path and with a query, and nowhere else', async () => {
    expect((await upgrade({}, '/mcp/ws')).status).toBe(101);
    expect((await upgrade({}, '/mcp?a=b')).status).toBe(101);
    expect((await upgrade({}, '/other?token=S3NT1NEL')).status).toBe(404);
    expect(gateway.logText()).toMatch(/"path":"\/other".*"msg":"upgrade refused"/);
  });

  it('names version 13 to clients of another version', async () => {
    const answer = await upgrade({ 'Sec-WebSocket-Version': '8' });
    expect([answer.status, answer.headers.get('sec-websocket-version')]).toEqual([426, '13']);
  });

  it('never logs credentials, whether they came as subprotocol or in the query', async () => {
    await upgrade({ 'Sec-WebSocket-Protocol': 'mcp, bearer.S3NT1NEL' }, '/mcp?token=S3NT1NEL');
    await upgrade({ 'Sec-WebSocket-Protocol': 'bearer.S3NT1NEL' }, '/mcp?token=S3NT1NEL');
    expect(gateway.logText()).toContain('upgrade refused');
    expect(gateway.logText()).toContain('session opened');
    expect(gateway.logText()).not.toContain('S3NT1NEL');
  });
});

describe('plain HTTP', () => {
  it.each([
    ['GET', '/mcp', '127.0.0.1', 426],
    ['POST', '/mcp', '127.0.0.1', 426],
    ['GET', '/', '127.0.0.1', 404],
    ['GET', '/status', '127.0.0.1', 404],
    ['GET', '/mcp', 'evil.test', 421],
    ['GET', '/status', 'evil.test', 421],
  ])('answers %s %s for Host %s with %i', async (method, path, host, status) => {
    const answer = await askRaw(gateway.port, [`${method} ${path} HTTP/1.1`, `Host: ${host}`]);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('upgrade')).toBe(status === 426 ? 'websocket' : undefined);
  });

  it('answers bytes that are no HTTP with 400 and lives on', async () => {
    expect((await askRaw(gateway.port, ['\x16\x03\x01 no http'])).status).toBe(400);
    expect((await upgrade()).status).toBe(101);
  });

  it('answers headers that are too large with 431', async () => {
    const lines = withHeaders(upgradeLines(gateway.port), { 'X-Large': 'x'.repeat(20_000) });
    expect((await askRaw(gateway.port, lines)).status).toBe(431);
  });
});

describe('a peer that resets the connection', () => {
  it('harms nobody, be it before, during or right after the upgrade', async () => {
    for (let round = 0; round < 20; round += 1) {
      const partial = connect(gateway.port, '127.0.0.1');
      await once(partial, 'connect');
      partial.write(upgradeLines(gateway.port).slice(0, 3).join('\r\n'));
      partial.resetAndDestroy();
      (await sendRaw(gateway.port, upgradeLines(gateway.port))).resetAndDestroy();
      (await sendRaw(gateway.port, upgradeLines(gateway.port, '/other'))).resetAndDestroy();
    }
    expect((await upgrade()).status).toBe(101);
    await eventually('every session has left', () => gateway.listener.sessions === 0);
    expect(gateway.seen.every(({ endings }) => endings === 1)).toBe(true);
  });
});

describe('a flood of connections', () => {
  it('is refused with 503 above the cap, and a place that becomes free is given again', async () => {
    await using small = await startTestListener({ limits: { connections: 3 } });
    const clients = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const client = new WebSocket(small.url, 'mcp');
        await once(client, 'open');
        return client;
      }),
    );
    const refused = await Promise.all(
      Array.from({ length: 40 }, () => askRaw(small.port, upgradeLines(small.port))),
    );
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]));
    expect(refused[0]?.headers.get('retry-after')).toBe('5');
    expect(small.listener.sessions).toBe(3);

    clients[0]?.close();
    await eventually('a place is free', () => small.listener.sessions === 2);
    expect((await askRaw(small.port, upgradeLines(small.port))).status).toBe(101);
  });
});

describe('a listener that cannot be opened', () => {
  it('says which port is in use', async () => {
    const second = startTestListener({ listen: { port: gateway.port } });
    await expect(second).rejects.toThrow(ListenError);
    await expect(second).rejects.toThrow(`127.0.0.1:${gateway.port} (listen): the port is in use`);
  });

  it('refuses an address beyond loopback', async () => {
    await expect(startTestListener({ listen: { host: '0.0.0.0' } })).rejects.toThrow(/beyond loopback/);
  });
});
