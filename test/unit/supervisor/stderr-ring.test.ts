import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StderrRing } from '../../../src/supervisor/stderr-ring.js';

function ringOf(capacity: number, ...chunks: string[]): StderrRing {
  const ring = new StderrRing(capacity);
  for (const chunk of chunks) ring.push(Buffer.from(chunk));
  return ring;
}

describe('the stderr ring', () => {
  it('is empty before anything was written', () => {
    expect(new StderrRing().tail(100)).toBe('');
  });

  it('gives back what was written, without the last line end', () => {
    expect(ringOf(100, 'one\ntw', 'o\n').tail(100)).toBe('one\ntwo');
  });

  it('keeps a last line that has no end', () => {
    expect(ringOf(100, 'one\ntwo').tail(100)).toBe('one\ntwo');
  });

  it('leaves out a line that was cut at its start', () => {
    expect(ringOf(100, 'first line\nsecond\nthird\n').tail(16)).toBe('second\nthird');
  });

  it('forgets the oldest bytes beyond its capacity, across the wrap', () => {
    expect(ringOf(10, 'aaaa\n', 'bbbb\n', 'cccc\n').tail(100)).toBe('cccc');
  });

  it('shows the end of one endless line', () => {
    expect(ringOf(8, 'x'.repeat(100), 'end').tail(4)).toBe('xend');
  });

  it('escapes control characters and keeps the lines', () => {
    expect(ringOf(100, 'a\u001b[1m\r\nb\n').tail(100)).toBe('a\\x1b[1m\nb');
  });

  it('holds the last bytes, however they were cut into chunks', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 30 })), (chunks) => {
        const all = chunks.join('');
        expect(ringOf(16, ...chunks).tail(16)).toBe(all.slice(-16));
      }),
    );
  });
});
