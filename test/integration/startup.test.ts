import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../helpers/config-file.js';
import { fixture, scripted, tool } from '../helpers/fixture-backend.js';
import { startGateway } from '../helpers/gateway-process.js';
import { connectClient, openSession } from '../helpers/test-client.js';

const isListChanged = ({ method }: { method?: string }) => method === 'notifications/tools/list_changed';

describe('the first lists', () => {
  it('wait for backends that start', async () => {
    await using gateway = await startGateway({
      config: {
        mcpServers: {
          now: scripted({ tools: [tool('a')] }),
          soon: scripted({ tools: [tool('b')], startDelayMs: 150 }),
        },
      },
      until: 'listening',
    });
    await using client = await openSession(gateway.url);
    expect(await client.toolNames()).toEqual(['now__a', 'soon__b']);
    expect(client.waiting).toEqual([]);
  });

  it('give what is there when the wait is over; the rest joins with one notice', async () => {
    using folder = temporaryFolder();
    await using gateway = await startGateway({
      config: {
        catalog: { grace: '100ms' },
        mcpServers: {
          now: scripted({ tools: [tool('a')] }),
          late: scripted({ tools: [tool('c')], startFile: `${folder.path}/go` }),
          never: fixture('crashes-in-loop'),
        },
      },
      until: 'listening',
    });
    await gateway.backendWhen('now', ({ tools }) => tools === 1);
    await using client = await openSession(gateway.url);
    expect(await client.toolNames()).toEqual(['now__a']);
    folder.write('go', '');
    await client.next(isListChanged);
    expect(await client.toolNames()).toEqual(['now__a', 'late__c']);
    expect(client.waiting.filter(isListChanged)).toEqual([]);
  });

  it('do not wait for backends that are not there at all', async () => {
    await using gateway = await startGateway({
      config: {
        mcpServers: {
          good: scripted({ tools: [tool('a')] }),
          missing: { command: 'no-such-binary-anywhere' },
          off: scripted({}, { disabled: true }),
        },
      },
      until: 'listening',
    });
    await using client = await openSession(gateway.url);
    expect(await client.toolNames()).toEqual(['good__a']);
  });
});

describe('calls before their backend is ready', () => {
  it('wait for it and are answered', async () => {
    await using gateway = await startGateway({
      config: { mcpServers: { slow: scripted({ startDelayMs: 500 }) } },
      until: 'listening',
    });
    await using client = await openSession(gateway.url);
    expect(await client.callText('slow__echo', { v: 1 })).toBe('{"v":1}');
  });

  it('are told that it is unavailable, and to try again, when it takes too long', async () => {
    await using gateway = await startGateway({
      config: {
        requestTimeout: '400ms',
        catalog: { grace: '100ms' },
        mcpServers: { slow: scripted({ startDelayMs: 60_000 }) },
      },
      until: 'listening',
    });
    await using client = await openSession(gateway.url);
    const { error } = await client.call('slow__echo');
    expect([-31001, -31004]).toContain(error?.code);
    expect(error?.data).toMatchObject({ source: 'gateway', retryable: true });
    expect(error?.message).toContain('slow');
  });

  it('never reach a strict backend before or beside its one handshake per process', async () => {
    await using gateway = await startGateway({
      config: { mcpServers: { strict: fixture('strict-handshake') } },
      until: 'listening',
    });
    await using hasty = await connectClient(gateway.url);
    const params = { name: 'strict__echo', arguments: {} };
    hasty.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    hasty.send({ jsonrpc: '2.0', id: 2, method: 'ping' });
    await hasty.initialize();
    await using second = await openSession(gateway.url);
    expect(await hasty.callText('strict__echo', { v: 1 })).toBe('{"v":1}');
    expect(await second.callText('strict__echo', { v: 2 })).toBe('{"v":2}');
    const { pid, restarts } = await gateway.backend('strict');
    expect(restarts).toBe(0);
    process.kill(pid as number, 'SIGKILL');
    await gateway.backendWhen('strict', (backend) => backend.restarts === 1 || backend.state !== 'ready');
    expect(await second.callText('strict__echo', { v: 3 })).toBe('{"v":3}');
    expect((await gateway.backend('strict')).restarts).toBe(1);
  });
});

describe('a backend that cannot be opened', () => {
  it('for its revision, says which it speaks and which we do', async () => {
    await using gateway = await startGateway({
      config: { mcpServers: { odd: fixture('unknown-revision', ['1999-01-01']) } },
    });
    const { reason } = await gateway.backendWhen('odd', ({ state }) => state !== 'starting');
    expect(reason).toContain('1999-01-01');
    expect(reason).toContain('2025-11-25');
  });

  it('for having no revision, says so', async () => {
    await using gateway = await startGateway({
      config: { mcpServers: { odd: fixture('unknown-revision') } },
    });
    const { reason } = await gateway.backendWhen('odd', ({ state }) => state !== 'starting');
    expect(reason).toContain('protocolVersion');
  });

  it('within its time, is stopped, and its last words are shown', async () => {
    await using gateway = await startGateway({
      config: { startTimeout: '400ms', mcpServers: { asks: fixture('asks-to-proceed') } },
      until: 'listening',
    });
    const status = await gateway.backendWhen(
      'asks',
      ({ state }) => state === 'backing-off' || state === 'failed',
    );
    expect(`${status.reason} ${status.lastNoise.join()}`).toContain('Ok to proceed? (y)');
  });

  it('yet shows what it printed while it is still starting', async () => {
    await using gateway = await startGateway({
      config: { mcpServers: { asks: fixture('asks-to-proceed') } },
      until: 'listening',
    });
    const status = await gateway.backendWhen('asks', ({ noiseLines }) => noiseLines > 0);
    expect(status.state).toBe('starting');
    expect(status.lastNoise).toEqual(['Ok to proceed? (y)']);
  });
});
