import { once } from 'node:events';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { ClientPort } from '../../../src/router/ports.js';
import { eventually } from '../../helpers/eventually.js';
import { sendRaw, upgradeLines } from '../../helpers/raw-client.js';
import { startTestListener, toClient } from '../../helpers/session-listener.js';

const mebibyte = 1024 * 1024;

async function connectTo(url: string): Promise<WebSocket> {
  const client = new WebSocket(url, 'mcp');
  await once(client, 'open');
  return client;
}

/** Sends until the kernel's buffers are full and `bytes` more wait in the gateway. */
function fill(port: ClientPort, bytes: number): void {
  const chunk = Buffer.alloc(mebibyte, 'a');
  // The kernel takes a few MiB on loopback before it stops.
  for (let sent = 0; sent < bytes + 8 * mebibyte; sent += chunk.length) port.send(toClient(chunk));
}

describe('a client that stops reading', () => {
  it('is cut off once too much waits for it, while another client is served', async () => {
    await using gateway = await startTestListener({ slowReader: { maxBytes: 8 * mebibyte } });
    const slow = await connectTo(gateway.url);
    const other = await connectTo(gateway.url);
    slow.pause();
    const session = gateway.seen[0];
    if (session === undefined) throw new Error('no session');
    fill(session.port, 16 * mebibyte);
    await eventually('the slow client is gone', () => session.endings === 1);
    expect(gateway.logText()).toContain('reads too slowly');
    other.send('{"id":1}');
    expect(String((await once(other, 'message'))[0])).toBe('{"id":1}');
    slow.terminate();
    other.terminate();
  });

  it('is cut off when nothing is taken for the stall time', async () => {
    await using gateway = await startTestListener({ slowReader: { stallMs: 200 } });
    const slow = await connectTo(gateway.url);
    slow.pause();
    const session = gateway.seen[0];
    if (session === undefined) throw new Error('no session');
    fill(session.port, 2 * mebibyte);
    await eventually('the slow client is gone', () => session.endings === 1);
    expect(gateway.logText()).toContain('stopped reading');
    slow.terminate();
  });

  it('is kept when it is merely quiet', async () => {
    await using gateway = await startTestListener({ slowReader: { stallMs: 30 } });
    const quiet = await connectTo(gateway.url);
    const busy = await startTestListener({ slowReader: { stallMs: 30 } });
    // Ten stall times pass for the quiet client while the stalled one of another listener is cut off ten times.
    for (let round = 0; round < 10; round += 1) {
      const stalled = await connectTo(busy.url);
      stalled.pause();
      const session = busy.seen.at(-1);
      if (session === undefined) throw new Error('no session');
      fill(session.port, 2 * mebibyte);
      await eventually('the stalled client is gone', () => session.endings === 1);
      stalled.terminate();
    }
    await busy[Symbol.asyncDispose]();
    quiet.send('{"id":1}');
    expect(String((await once(quiet, 'message'))[0])).toBe('{"id":1}');
    quiet.terminate();
  });

  it('is not read from meanwhile, and gets everything in order once it reads on', async () => {
    let inbound = 0;
    await using gateway = await startTestListener({
      receive() {
        inbound += 1;
        return 'accepted';
      },
    });
    const slow = await connectTo(gateway.url);
    const session = gateway.seen[0];
    if (session === undefined) throw new Error('no session');
    slow.pause();
    fill(session.port, 4 * mebibyte);
    for (let step = 0; step < 1_000; step += 1) session.port.sendProgress(toClient(`progress ${step}`), 't');
    session.port.send(toClient('answer'));
    slow.send('a request');

    const small: string[] = [];
    let large = 0;
    slow.on('message', (data: Buffer) => {
      if (data.length === mebibyte) large += 1;
      else small.push(data.toString());
    });
    // What comes later from somebody else is read, so there was every opportunity.
    for (let round = 0; round < 3; round += 1) (await connectTo(gateway.url)).terminate();
    await eventually(
      'the others came and went',
      () => gateway.seen.filter((s) => s.endings === 1).length === 3,
    );
    expect(inbound).toBe(0);
    slow.resume();
    await eventually('the answer is here', () => small.includes('answer'));
    expect(large).toBe(12);
    expect(small).toEqual(['progress 999', 'answer']);
    await eventually('the request is taken', () => inbound === 1);
    slow.terminate();
  });

  it('gets what waits for it before its socket is closed', async () => {
    await using gateway = await startTestListener();
    const slow = await connectTo(gateway.url);
    const session = gateway.seen[0];
    if (session === undefined) throw new Error('no session');
    slow.pause();
    fill(session.port, 2 * mebibyte);
    session.port.send(toClient('answer'));
    session.port.close(4_000, 'over');
    let last = '';
    slow.on('message', (data: Buffer) => {
      last = data.length < 100 ? data.toString() : '';
    });
    const closed = once(slow, 'close');
    slow.resume();
    expect((await closed)[0]).toBe(4_000);
    expect(last).toBe('answer');
  });

  it('is not cut off while it reads steadily, however long one large message takes', async () => {
    const stallMs = 1_000;
    await using gateway = await startTestListener({ slowReader: { stallMs } });
    const slow = await sendRaw(gateway.port, upgradeLines(gateway.port));
    await eventually('the session is open', () => gateway.seen.length === 1);
    const size = 24 * mebibyte;
    gateway.seen[0]?.port.send(toClient(Buffer.alloc(size, 'a')));
    // So fast that it takes three stall times. What a busy machine holds up is read as soon as it can be: the kernel
    // takes more from the gateway only every few MiB.
    const startedMs = performance.now();
    let taken = 0;
    while (taken < size && !slow.destroyed) {
      const due = (size * (performance.now() - startedMs)) / (3 * stallMs);
      await (taken < due ? nextTurn() : sleep(3));
      taken += (slow.read() as Buffer | null)?.length ?? 0;
    }
    expect(taken).toBeGreaterThan(size);
    expect(gateway.seen[0]?.endings).toBe(0);
    slow.destroy();
  });
});
