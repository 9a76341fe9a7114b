import { describe, expect, it } from 'vitest';
import {
  type Handshake,
  type HandshakeRules,
  judgeHandshake,
  judgePlainRequest,
} from '../../../src/sessions/handshake-checks.js';
import { listenRules } from '../../../src/sessions/listen-rules.js';

const good: Handshake = {
  method: 'GET',
  httpVersion: '1.1',
  path: '/mcp',
  upgrade: 'websocket',
  version: '13',
  webSocketKey: 'dGhlIHNhbXBsZSBub25jZQ==',
  hosts: ['127.0.0.1:8808'],
  origin: undefined,
  protocols: 'mcp',
  address: '127.0.0.1',
};

const rules: HandshakeRules = {
  ...listenRules({
    host: '127.0.0.1',
    port: 8808,
    paths: ['/mcp', '/mcp/ws'],
    allowedOrigins: undefined,
    allowedHosts: ['Gateway.example.com'],
  }),
  limits: { connections: 10, connectionsPerAddress: 2 },
  load: { draining: false, total: 0, ofAddress: 0 },
};

function outcome(change: Partial<Handshake>, load: Partial<HandshakeRules['load']> = {}) {
  const verdict = judgeHandshake({ ...good, ...change }, { ...rules, load: { ...rules.load, ...load } });
  return verdict.kind === 'accepted' ? 101 : verdict.refusal.status;
}

describe('judgeHandshake', () => {
  it('accepts a client without Origin and chooses its mcp subprotocol', () => {
    expect(judgeHandshake(good, rules)).toEqual({ kind: 'accepted', subprotocol: 'mcp' });
  });

  it('accepts a client that offers no subprotocol and chooses none', () => {
    expect(judgeHandshake({ ...good, protocols: undefined }, rules)).toEqual({
      kind: 'accepted',
      subprotocol: undefined,
    });
  });

  it.each<[string, Partial<Handshake>, number]>([
    ['the second path', { path: '/mcp/ws' }, 101],
    ['another path', { path: '/mcpx' }, 404],
    ['a path that only starts the same', { path: '/mcp/' }, 404],
    ['POST', { method: 'POST' }, 405],
    ['HTTP/1.0', { httpVersion: '1.0' }, 426],
    ['another upgrade', { upgrade: 'h2c' }, 426],
    ['Upgrade in capitals', { upgrade: 'WebSocket' }, 101],
    ['version 8', { version: '8' }, 426],
    ['no version', { version: undefined }, 426],
    ['no key', { webSocketKey: undefined }, 400],
    ['a short key', { webSocketKey: 'abc' }, 400],
    ['the Host localhost', { hosts: ['localhost'] }, 101],
    ['the Host [::1] with a port', { hosts: ['[::1]:8808'] }, 101],
    ['a configured Host', { hosts: ['gateway.EXAMPLE.com:443'] }, 101],
    ['a foreign Host', { hosts: ['evil.test:8808'] }, 421],
    ['a Host with a false port', { hosts: ['127.0.0.1:evil.com'] }, 421],
    ['a Host with a loopback prefix', { hosts: ['localhost.evil.test'] }, 421],
    ['no Host', { hosts: [] }, 400],
    ['two Hosts', { hosts: ['127.0.0.1', 'evil.test'] }, 400],
    ['a foreign Origin', { origin: 'http://evil.test' }, 403],
    ['the Origin null', { origin: 'null' }, 403],
    ['an Origin with a loopback prefix', { origin: 'http://localhost.evil.test' }, 403],
    ['an Origin of this machine', { origin: 'http://127.0.0.1:3000' }, 101],
    ['an IPv6 Origin of this machine', { origin: 'http://[::1]:3000' }, 101],
    [
      'a foreign Host with the same Origin',
      { hosts: ['evil.test:8808'], origin: 'http://evil.test:8808' },
      421,
    ],
    ['only unknown subprotocols', { protocols: 'foo' }, 400],
  ])('answers %s as documented', (_, change, status) => {
    expect(outcome(change)).toBe(status);
  });

  it('refuses with 503 while draining, and with 429 or 503 at the caps', () => {
    expect(outcome({}, { draining: true })).toBe(503);
    expect(outcome({}, { total: 9 })).toBe(101);
    expect(outcome({}, { total: 10 })).toBe(503);
    expect(outcome({ address: '192.0.2.1' }, { ofAddress: 1 })).toBe(101);
    expect(outcome({ address: '192.0.2.1' }, { ofAddress: 2 })).toBe(429);
  });

  it('does not count loopback peers by address, as they may be a proxy', () => {
    expect(outcome({ address: '127.0.0.1' }, { ofAddress: 5 })).toBe(101);
    expect(outcome({ address: '::1' }, { ofAddress: 5 })).toBe(101);
  });

  it('lets the earlier check have the word when several object', () => {
    const objections: [Partial<Handshake>, Partial<HandshakeRules['load']>, number][] = [
      [{ method: 'POST' }, {}, 405],
      [{ path: '/x' }, {}, 404],
      [{}, { draining: true, total: 10 }, 503],
      [{ address: '192.0.2.1' }, { ofAddress: 2 }, 429],
      [{ hosts: ['evil.test'] }, {}, 421],
      [{ origin: 'http://evil.test' }, {}, 403],
      [{ protocols: 'foo' }, {}, 400],
    ];
    for (const [index, [, , status]] of objections.entries()) {
      const rest = objections.slice(index).toReversed();
      const change = Object.assign({}, ...rest.map(([part]) => part));
      const load = Object.assign({}, ...rest.map(([, part]) => part));
      expect(outcome(change, load)).toBe(status);
    }
  });

  it('tells clients beyond a cap when to come again', () => {
    const verdict = judgeHandshake(good, { ...rules, load: { ...rules.load, total: 10 } });
    expect(verdict).toMatchObject({ refusal: { headers: { 'Retry-After': '5' } } });
  });

  it('names the spoken version to clients of another one', () => {
    const verdict = judgeHandshake({ ...good, version: '8' }, rules);
    expect(verdict).toMatchObject({
      refusal: { headers: { 'Sec-WebSocket-Version': '13', Upgrade: 'websocket' } },
    });
  });
});

describe('judgePlainRequest', () => {
  it.each<[string, Partial<Handshake>, number]>([
    ['the MCP path', {}, 426],
    ['another path', { path: '/' }, 404],
    ['a foreign Host', { hosts: ['evil.test'] }, 421],
    ['a foreign Host on another path', { hosts: ['evil.test'], path: '/status' }, 421],
  ])('gives directions for %s', (_, change, status) => {
    expect(judgePlainRequest({ ...good, upgrade: undefined, ...change }, rules).status).toBe(status);
  });
});
