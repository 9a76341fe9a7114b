import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Outbox } from '../../../src/sessions/outbox.js';
import type { Pressure } from '../../../src/sessions/slow-reader.js';
import type { ToClient } from '../../../src/shared/ids.js';

/** A socket whose peer reads only when the test says so. */
class FakeSocket extends Writable {
  readonly writes: string[][] = [];
  #take: (() => void) | undefined;
  reading = true;
  /** The time set last, in milliseconds. */
  timeoutMs = 0;

  setTimeout(ms: number): void {
    this.timeoutMs = ms;
  }

  override _writev(
    chunks: { chunk: Buffer; encoding: BufferEncoding }[],
    done: (error?: Error | null) => void,
  ): void {
    this.writes.push(chunks.map(({ chunk }) => payloadOf(chunk)));
    if (this.reading) done();
    else this.#take = done;
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this._writev([{ chunk, encoding }], done);
  }

  /** The operating system takes what was written. */
  take(): void {
    const done = this.#take;
    this.#take = undefined;
    done?.();
  }
}

/** The text of a frame of at most 65,535 bytes. */
function payloadOf(frame: Buffer): string {
  return frame.toString('utf8', frame[1] === 126 ? 4 : 2);
}

function message(text: string): ToClient {
  return [Buffer.from(text)] as readonly Buffer[] as ToClient;
}

function open({ pauseBytes = 100, maxBytes = 1_000 } = {}) {
  const socket = new FakeSocket();
  const pressures: Pressure[] = [];
  const state = { open: true, stalls: 0 };
  const outbox = new Outbox(
    socket,
    { pauseBytes, maxBytes, stallMs: 10_000 },
    {
      isOpen: () => state.open,
      pressure: (pressure) => pressures.push(pressure),
      stalled: () => {
        state.stalls += 1;
      },
    },
  );
  return { outbox, socket, pressures, state };
}

const big = 'x'.repeat(150);

describe('Outbox', () => {
  it('has the socket timed while bytes wait there, and at no other time', async () => {
    const { outbox, socket, state } = open();
    outbox.send(message('taken at once'));
    await setImmediate();
    expect(socket.timeoutMs).toBe(0);
    socket.reading = false;
    outbox.send(message('not taken'));
    await setImmediate();
    expect(socket.timeoutMs).toBe(10_000);
    socket.emit('timeout');
    expect(state.stalls).toBe(1);
    socket.take();
    await setImmediate();
    expect(socket.timeoutMs).toBe(0);
  });

  it('sends all messages of one turn of the event loop in one write', async () => {
    const { outbox, socket } = open();
    outbox.send(message('one'));
    outbox.sendProgress(message('two'), 't');
    outbox.send(message('three'));
    expect(socket.writes).toEqual([]);
    await setImmediate();
    expect(socket.writes).toEqual([['one', 'two', 'three']]);
  });

  it('starts another write in the next turn', async () => {
    const { outbox, socket } = open();
    outbox.send(message('one'));
    await setImmediate();
    outbox.send(message('two'));
    await setImmediate();
    expect(socket.writes).toEqual([['one'], ['two']]);
  });

  it('does not call a client slow that takes a large message at once', async () => {
    const { outbox, pressures } = open();
    outbox.send(message(big));
    await setImmediate();
    expect(pressures).toEqual([]);
  });

  it('holds messages of a slow client, replaces its progress, and sends all in order once it reads', async () => {
    const { outbox, socket, pressures } = open();
    socket.reading = false;
    outbox.send(message(big));
    expect(pressures).toEqual(['pressed']);
    outbox.sendProgress(message('progress 1'), 't');
    outbox.send(message('between'));
    outbox.sendProgress(message('progress 2'), 't');
    outbox.send(message('answer'));
    await setImmediate();
    expect(socket.writes).toEqual([[big]]);

    socket.reading = true;
    socket.take();
    await setImmediate();
    await setImmediate();
    expect(socket.writes.flat()).toEqual([big, 'progress 2', 'between', 'answer']);
    expect(pressures).toEqual(['pressed', 'flowing']);
    expect(outbox.unsentBytes).toBe(0);
  });

  it('does not forget what comes while the last of the held messages is being gathered', async () => {
    const { outbox, socket } = open();
    const middle = 'y'.repeat(60);
    socket.reading = false;
    outbox.send(message(big));
    outbox.send(message(middle));
    socket.reading = true;
    socket.take();
    outbox.send(message('last'));
    await setImmediate();
    await setImmediate();
    expect(socket.writes.flat()).toEqual([big, middle, 'last']);
  });

  it('lets nothing overtake what is held, at whatever moment it comes', async () => {
    const { outbox, socket } = open({ maxBytes: 1_000_000 });
    socket.reading = false;
    const sent: string[] = [];
    for (let round = 0; round < 200; round += 1) {
      const text = `${round} ${'x'.repeat((round * 37) % 90)}`;
      sent.push(text);
      outbox.send(message(text));
      if (round % 3 === 0) socket.take();
      if (round % 7 === 0) await Promise.resolve();
      if (round % 11 === 0) await setImmediate();
    }
    socket.reading = true;
    while (outbox.unsentBytes > 0) {
      socket.take();
      await setImmediate();
    }
    expect(socket.writes.flat()).toEqual(sent);
  });

  it('reports a client whose unsent bytes exceed the maximum', () => {
    const { outbox, socket, pressures } = open();
    socket.reading = false;
    for (let count = 0; count < 8; count += 1) outbox.send(message(big));
    expect(pressures).toEqual(['pressed', 'overflowing']);
  });

  it('keeps the unsent bytes of a progress flood at one message per token', () => {
    const { outbox, socket, pressures } = open();
    socket.reading = false;
    outbox.send(message(big));
    const before = outbox.unsentBytes;
    for (let count = 0; count < 1_000; count += 1) outbox.sendProgress(message('progress'), 't');
    expect(outbox.unsentBytes).toBe(before + 'progress'.length);
    expect(pressures).toEqual(['pressed']);
  });

  it('hands over what is held before a close frame', () => {
    const { outbox, socket } = open();
    socket.reading = false;
    outbox.send(message(big));
    outbox.send(message('answer'));
    outbox.release();
    socket.write(Buffer.from('..close'));
    socket.reading = true;
    socket.take();
    expect(socket.writes.flat()).toEqual([big, 'answer', 'close']);
  });

  it('writes nothing once the socket is closing', async () => {
    const { outbox, socket, state } = open();
    socket.reading = false;
    outbox.send(message(big));
    outbox.send(message('held'));
    state.open = false;
    outbox.send(message('late'));
    outbox.sendProgress(message('late'), 't');
    socket.reading = true;
    socket.take();
    await setImmediate();
    expect(socket.writes).toEqual([[big]]);
  });
});
