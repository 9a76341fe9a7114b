import { describe, expect, it } from 'vitest';
import { eventually } from '../helpers/eventually.js';
import { fixture, scripted } from '../helpers/fixture-backend.js';
import { type GatewayProcess, startGateway } from '../helpers/gateway-process.js';
import { childrenOf } from '../helpers/processes.js';
import { attemptUpgrade, openSession } from '../helpers/test-client.js';

const hold = (id: number, key: string) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'b1__hold', arguments: { key } },
});

/** Waits until the gateway says that it drains. */
const draining = (gateway: GatewayProcess) =>
  expect.poll(async () => (await gateway.status()).draining, { timeout: 5_000 }).toBe(true);

describe.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s', (signal) => {
  it('lets calls finish, refuses new sockets, closes 1001 and exits 0 with nothing left', async () => {
    await using gateway = await startGateway({
      config: { drain: { timeout: '15s' }, mcpServers: { b1: scripted() } },
    });
    await using client = await openSession(gateway.url);
    client.send(hold(1, 'k'));
    await gateway.backendWhen('b1', ({ inFlight }) => inFlight === 1);
    gateway.signal(signal);
    await draining(gateway);
    expect((await fetch(`${gateway.adminUrl}/readyz`)).status).toBe(503);
    expect((await fetch(`${gateway.adminUrl}/livez`)).status).toBe(200);
    expect((await attemptUpgrade(gateway.url)).status).toBe(503);
    const { error } = await client.call('b1__echo');
    expect(error).toMatchObject({ code: -31008, data: { source: 'gateway', retryable: true } });
    // The one call that must still go through is not possible any more, so the backend is told to end.
    client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    expect((await client.closed).code).toBe(1001);
    expect(await gateway.ending).toEqual({ code: 0, signal: null });
    expect(gateway.descendants()).toEqual([]);
  });
});

describe('a drain', () => {
  it('gives the answer of a call that ends in time, and an error to one that does not', async () => {
    await using gateway = await startGateway({
      config: { drain: { timeout: '900ms' }, mcpServers: { b1: scripted() } },
    });
    await using client = await openSession(gateway.url);
    const quick = client.call('b1__slow', { ms: 400, v: 'in time' });
    const endless = client.call('b1__hold', { key: 'k' });
    await gateway.backendWhen('b1', ({ inFlight }) => inFlight === 2);
    gateway.signal('SIGTERM');
    expect((await quick).result?.content?.[0]?.text).toBe('in time');
    expect((await endless).error).toMatchObject({ code: -31008, data: { source: 'gateway' } });
    expect((await client.closed).code).toBe(1001);
    expect(await gateway.ending).toEqual({ code: 0, signal: null });
  });

  it('ends at once when nothing is in flight', async () => {
    await using gateway = await startGateway({
      config: { drain: { timeout: '60s' }, mcpServers: { b1: scripted() } },
    });
    await using client = await openSession(gateway.url);
    gateway.signal('SIGTERM');
    expect((await client.closed).code).toBe(1001);
    expect(await gateway.ending).toEqual({ code: 0, signal: null });
  });

  it('is not held up by a client that does not read', async () => {
    await using gateway = await startGateway({ config: { mcpServers: { b1: scripted() } } });
    await using stuck = await openSession(gateway.url);
    stuck.pause();
    const params = { name: 'b1__big', arguments: { bytes: 8_000_000 } };
    stuck.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    await expect.poll(async () => (await gateway.status()).inFlight).toBe(0);
    expect(await gateway.stop()).toEqual({ code: 0, signal: null });
  });

  it('is hurried by a second signal: everything ends by force, with exit code 1', async () => {
    await using gateway = await startGateway({
      config: {
        drain: { timeout: '60s' },
        stop: { endOfInput: '60s', terminate: '60s' },
        mcpServers: { b1: scripted(), stubborn: fixture('ignores-sigterm-and-eof') },
      },
    });
    await using client = await openSession(gateway.url);
    client.send(hold(1, 'k'));
    await gateway.backendWhen('b1', ({ inFlight }) => inFlight === 1);
    gateway.signal('SIGTERM');
    await draining(gateway);
    // The helper makes sure that nothing is left.
    expect(await gateway.stop('SIGTERM')).toEqual({ code: 1, signal: null });
  });

  it('works while backends start, crash and back off', async () => {
    await using gateway = await startGateway({
      config: {
        mcpServers: {
          starting: scripted({ startDelayMs: 600_000 }),
          crashing: fixture('crashes-in-loop'),
          missing: { command: 'no-such-binary' },
        },
      },
      until: 'listening',
    });
    expect(await gateway.stop()).toEqual({ code: 0, signal: null });
    expect(gateway.descendants()).toEqual([]);
  });
});

describe('a gateway that is killed outright', () => {
  it('leaves no ordinary backend behind: each sees the end of its input', async () => {
    await using gateway = await startGateway({
      config: { mcpServers: { a: scripted(), b: fixture('strict-handshake') } },
    });
    expect(gateway.descendants()).toHaveLength(2);
    expect(await gateway.stop('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
    await eventually('the end of the backends', () => gateway.descendants().length === 0);
  });
});

describe('an output that is closed', () => {
  it.each(['stdout', 'stderr'] as const)(
    '(%s) stops neither the gateway nor its clean end',
    async (stream) => {
      await using gateway = await startGateway({ config: { mcpServers: { b1: scripted() } } });
      await using client = await openSession(gateway.url);
      gateway.closeOutput(stream);
      // Each of these makes the gateway log.
      await client.call('b1__crash');
      expect(await client.callText('b1__stderr', { text: 'a line\n' })).toBe('written');
      await using other = await openSession(gateway.url);
      expect(await other.callText('b1__echo', { v: 1 })).toBe('{"v":1}');
      expect(await gateway.stop()).toEqual({ code: 0, signal: null });
      expect(gateway.descendants()).toEqual([]);
    },
  );
});

describe('an output that nobody reads any more', () => {
  it('holds up neither the gateway nor its clean end', async () => {
    const config = { log: { level: 'debug' }, mcpServers: { b1: scripted() } };
    await using gateway = await startGateway({ config });
    await using client = await openSession(gateway.url);
    const readOn = gateway.pauseOutput();
    // Each of these is a line of the log; together they are more than a pipe holds.
    for (let sent = 0; sent < 10_000; sent++) client.send({ jsonrpc: '2.0', method: 'notifications/none' });
    expect(await client.callText('b1__echo', { v: 1 })).toBe('{"v":1}');
    gateway.signal('SIGTERM');
    await eventually(
      'the end of the gateway',
      () => !childrenOf(process.pid).some(({ pid }) => pid === gateway.pid),
    );
    readOn();
    expect(await gateway.ending).toEqual({ code: 0, signal: null });
  });
});
