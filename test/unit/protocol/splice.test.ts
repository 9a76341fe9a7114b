import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Edit, splice } from '../../../src/protocol/splice.js';

const large = Buffer.from(`{"id":1,"text":"${'x'.repeat(100_000)}"}`);

function spliced(text: string, edits: readonly Edit[], options?: Parameters<typeof splice>[2]): string {
  return Buffer.concat(splice(Buffer.from(text), edits, options)).toString();
}

describe('splice', () => {
  it('replaces spans by longer, shorter and empty texts and keeps the rest', () => {
    const edits = [
      { start: 0, end: 1, text: 'long' },
      { start: 2, end: 5, text: Buffer.from('é') },
      { start: 5, end: 6, text: '' },
      { start: 7, end: 7, text: '+' },
    ];
    expect(spliced('abcdefgh', edits)).toBe('longbég+h');
  });

  it('writes texts beyond ASCII and long texts', () => {
    const text = `${'名'.repeat(10)}${'n'.repeat(500)}😀`;
    expect(spliced('"a"', [{ start: 1, end: 2, text }])).toBe(`"${text}"`);
    expect(spliced('"a"', [{ start: 1, end: 2, text: 'é名😀' }])).toBe('"é名😀"');
  });

  it('copies a message without edits', () => {
    expect(spliced('{"a":1}', [])).toBe('{"a":1}');
  });

  it('gives a small message as one buffer', () => {
    const pieces = splice(Buffer.from('{"id":1}'), [{ start: 6, end: 7, text: '12' }], { lineEnd: true });
    expect(pieces.map(String)).toEqual(['{"id":12}\n']);
  });

  it('gives a large message in pieces that share its bytes', () => {
    const pieces = splice(large, [{ start: 6, end: 7, text: '12' }], { lineEnd: true });
    const expected = `${large.toString().replace('1', '12')}\n`;
    expect(Buffer.concat(pieces).toString()).toBe(expected);
    expect(pieces.some((piece) => piece.length > 100_000 && piece.buffer === large.buffer)).toBe(true);
  });

  it('makes one line of a message with raw line breaks, and never changes the message itself', () => {
    for (const size of [0, 100_000]) {
      const text = `{\r\n "id":\n1,"t":"a\\nb${'x'.repeat(size)}"\n}`;
      const bytes = Buffer.from(text);
      const at = text.indexOf('1');
      const edits = [{ start: at, end: at + 1, text: '22' }];
      const line = Buffer.concat(splice(bytes, edits, { flatten: true, lineEnd: true })).toString();
      expect(line).toBe(`{   "id": 22,"t":"a\\nb${'x'.repeat(size)}" }\n`);
      expect(bytes.toString()).toBe(text);
    }
  });

  it('gives what slicing strings gives, whatever the sizes', () => {
    const size = fc.oneof(fc.nat(300), fc.integer({ min: 16_000, max: 17_000 }));
    fc.assert(
      fc.property(
        size,
        fc.array(fc.tuple(fc.nat(), fc.string({ maxLength: 200 })), { maxLength: 4 }),
        (length, cuts) => {
          const text = 'abc\n'.repeat(length / 4 + 1);
          const starts = [...new Set(cuts.map(([at]) => at % text.length))].sort((a, b) => a - b);
          const edits = starts.map((start, i) => ({
            start,
            end: Math.min(start + (i % 3), starts[i + 1] ?? text.length),
            text: cuts[i]?.[1] ?? '',
          }));
          let expected = '';
          let from = 0;
          for (const edit of edits) {
            expected += text.slice(from, edit.start) + edit.text;
            from = edit.end;
          }
          expect(spliced(text, edits)).toBe(expected + text.slice(from));
          expect(spliced(text, edits, { lineEnd: true })).toBe(`${expected}${text.slice(from)}\n`);
        },
      ),
      { numRuns: 500 },
    );
  });
});
