import { describe, expect, it } from 'vitest';
import { eventually } from '../helpers/eventually.js';
import { fixture, scripted, tool } from '../helpers/fixture-backend.js';
import { startGateway } from '../helpers/gateway-process.js';
import { openSession } from '../helpers/test-client.js';

const own = { sharing: 'per-client' };
const runs = (pid: string) => (process: { readonly pid: number }) => String(process.pid) === pid;

describe('a backend with a process for each client', () => {
  it('keeps what one client does from the others, list and all', async () => {
    await using gateway = await startGateway({ config: { mcpServers: { b1: scripted({}, own) } } });
    expect(gateway.descendants()).toEqual([]);
    await using a = await openSession(gateway.url);
    await using b = await openSession(gateway.url);
    const before = await b.toolNames();
    expect(await a.toolNames()).toEqual(before);
    expect(await a.callText('b1__pid')).not.toBe(await b.callText('b1__pid'));
    await a.callText('b1__set-tools', { tools: [tool('mine')] });
    await a.next(({ method }) => method === 'notifications/tools/list_changed');
    expect(await a.toolNames()).toEqual(['b1__mine']);
    expect(await b.toolNames()).toEqual(before);
    expect(b.waiting).toEqual([]);
  });

  it('refuses the sixth of five clients with a clear error, until one has left', async () => {
    const b1 = scripted({}, { ...own, maxProcesses: 5 });
    await using gateway = await startGateway({ config: { mcpServers: { b1 } } });
    const five = await Promise.all(Array.from({ length: 5 }, () => openSession(gateway.url)));
    await Promise.all(five.map((client) => client.callText('b1__pid')));
    await using sixth = await openSession(gateway.url);
    const { error } = await sixth.call('b1__pid');
    expect(error).toMatchObject({ code: -31005, data: { backend: 'b1', limit: 'maxProcesses' } });
    expect(error?.message).toContain('5 run already');
    five[0]?.socket.close(1000);
    await eventually('a place is free', async () => (await sixth.call('b1__pid')).error === undefined);
    for (const client of five) client.socket.terminate();
  });

  it.each([
    ['closed its socket', (socket: { close(code: number): void }) => socket.close(1000)],
    ['vanished with a reset', (socket: { terminate(): void }) => socket.terminate()],
    ['vanished without a word', (socket: { pause(): void }) => socket.pause()],
  ])('is gone when its client has %s, also if it heeds neither stdin nor SIGTERM', async (_, leave) => {
    const stubborn = fixture('ignores-sigterm-and-eof', [], own);
    await using gateway = await startGateway({
      config: {
        heartbeat: { interval: '100ms', grace: '100ms' },
        stop: { endOfInput: '100ms', terminate: '100ms' },
        mcpServers: { b1: scripted({}, own), stubborn },
      },
    });
    await using stays = await openSession(gateway.url);
    const pid = await stays.callText('b1__pid');
    await using leaves = await openSession(gateway.url);
    await leaves.toolNames();
    expect(gateway.descendants()).toHaveLength(3);
    leave(leaves.socket);
    await eventually('its processes are gone', () => gateway.descendants().length === 1, 3_000);
    expect(gateway.descendants().some(runs(pid))).toBe(true);
    expect(await stays.callText('b1__pid')).toBe(pid);
  });
});
