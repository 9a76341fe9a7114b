import { afterEach, describe, expect, it } from 'vitest';
import { stopSignal } from '../../../src/command-line/stop-signals.js';

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const before = new Map(signals.map((signal) => [signal, process.listeners(signal)]));

afterEach(() => {
  for (const signal of signals) {
    for (const listener of process.listeners(signal)) {
      if (!before.get(signal)?.includes(listener)) process.off(signal, listener);
    }
  }
});

function listen() {
  const again: string[] = [];
  const first = stopSignal((signal) => again.push(signal));
  return { first, again };
}

describe('stopSignal', () => {
  it.each(signals)('resolves on the first %s', async (signal) => {
    const { first, again } = listen();
    process.emit(signal, signal);
    expect(await first).toEqual({ signal });
    expect(again).toEqual([]);
  });

  it('tells of a second SIGTERM at once', () => {
    const { again } = listen();
    process.emit('SIGTERM', 'SIGTERM');
    process.emit('SIGTERM', 'SIGTERM');
    expect(again).toEqual(['SIGTERM']);
  });

  it.each(['SIGINT', 'SIGHUP'] as const)('takes a %s that comes twice at once for one', (signal) => {
    const { again } = listen();
    process.emit(signal, signal);
    process.emit(signal, signal);
    expect(again).toEqual([]);
  });

  it('tells of a SIGTERM behind a SIGINT', () => {
    const { again } = listen();
    process.emit('SIGINT', 'SIGINT');
    process.emit('SIGTERM', 'SIGTERM');
    expect(again).toEqual(['SIGTERM']);
  });
});
