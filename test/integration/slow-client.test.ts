import { describe, expect, it } from 'vitest';
import { scripted } from '../helpers/fixture-backend.js';
import { startGateway } from '../helpers/gateway-process.js';
import { residentBytes } from '../helpers/processes.js';
import { openSession } from '../helpers/test-client.js';

const MiB = 1024 * 1024;
const big = (id: number, bytes: number) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'b1__big', arguments: { bytes } },
});

describe('a client that stops reading', () => {
  it('is ended above the byte limit, while another is served', async () => {
    await using gateway = await startGateway({
      config: { slowReader: { pauseBytes: '256KiB', maxBytes: '4MiB' }, mcpServers: { b1: scripted() } },
    });
    await using stuck = await openSession(gateway.url);
    await using other = await openSession(gateway.url);
    stuck.pause();
    for (let id = 0; id < 3; id += 1) stuck.send(big(id, 8 * MiB));
    await expect.poll(async () => (await gateway.status()).sessions, { timeout: 5_000 }).toBe(1);
    expect(await other.callText('b1__echo', { v: 1 })).toBe('{"v":1}');
    expect((await gateway.status()).inFlight).toBe(0);
  });

  it('is ended when nothing drains for too long, even below the byte limit', async () => {
    await using gateway = await startGateway({
      config: { slowReader: { pauseBytes: '64KiB', stall: '300ms' }, mcpServers: { b1: scripted() } },
    });
    await using stuck = await openSession(gateway.url);
    await using other = await openSession(gateway.url);
    stuck.pause();
    stuck.send(big(1, 9 * MiB));
    await expect.poll(async () => (await gateway.status()).sessions, { timeout: 5_000 }).toBe(1);
    await other.request('ping');
  });

  it('costs bounded memory under a flood of progress, keeps the newest, and loses no answer', async () => {
    await using gateway = await startGateway({
      config: {
        slowReader: { pauseBytes: '256KiB', stall: '30s' },
        mcpServers: { b1: scripted() },
      },
    });
    await using slow = await openSession(gateway.url);
    await using other = await openSession(gateway.url);
    await other.callText('b1__echo');
    const before = residentBytes(gateway.pid);
    slow.send({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'b1__spin',
        arguments: { perTick: 50, ms: 3_000, bytes: 8_192 },
        _meta: { progressToken: 't' },
      },
    });
    await slow.next(({ method }) => method === 'notifications/progress');
    slow.pause();
    await gateway.backendWhen('b1', ({ inFlight }) => inFlight === 0);
    // About 100 MB of notes went by; the socket's own buffers and the pause limit hold a few.
    expect(residentBytes(gateway.pid) - before).toBeLessThan(60 * MiB);
    expect(await other.callText('b1__echo', { v: 1 })).toBe('{"v":1}');
    slow.resume();
    const answer = await slow.next(({ id }) => id === 1);
    const sent = Number(answer.result?.content?.[0]?.text);
    const notes = slow.waiting.filter(({ method }) => method === 'notifications/progress');
    expect(notes.length).toBeLessThan(sent / 2);
    const values = notes.map(({ params }) => Number(params?.progress));
    expect(values).toEqual([...values].sort((a, b) => a - b));
    expect(values.at(-1)).toBe(sent);
  });
});
