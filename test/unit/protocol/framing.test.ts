import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineSplitter, recogniseAnswerId } from '../../../src/protocol/framing.js';

type Delivery = { line: string; validUtf8: boolean } | { oversize: number; head: string; tail: string };

/** Everything a splitter delivers for these chunks, with bytes shown as Latin-1. */
function split(chunks: readonly (string | Buffer)[], maxLineBytes = 1000): Delivery[] {
  const deliveries: Delivery[] = [];
  const splitter = new LineSplitter({
    maxLineBytes,
    onLine: (line, validUtf8) => deliveries.push({ line: line.toString('latin1'), validUtf8 }),
    onOversize: ({ head, tail, length }) =>
      deliveries.push({ oversize: length, head: head.toString('latin1'), tail: tail.toString('latin1') }),
  });
  for (const chunk of chunks) splitter.push(Buffer.from(chunk));
  splitter.end();
  return deliveries;
}

function lines(chunks: readonly (string | Buffer)[], maxLineBytes?: number): string[] {
  return split(chunks, maxLineBytes).map((delivery) =>
    'line' in delivery ? Buffer.from(delivery.line, 'latin1').toString() : `${delivery.oversize} bytes`,
  );
}

describe('LineSplitter', () => {
  it('delivers several lines of one chunk, and one line of several chunks', () => {
    expect(lines(['a\nb\nc', 'd', 'e\nf\n'])).toEqual(['a', 'b', 'cde', 'f']);
  });

  it('delivers a last line without a line end when the stream ends', () => {
    expect(lines(['a\nlast'])).toEqual(['a', 'last']);
    expect(lines(['a\n'])).toEqual(['a']);
  });

  it('drops one carriage return before the line feed, also in another chunk', () => {
    expect(lines(['a\r\nb\r', '\nc\r\r\nd\r'])).toEqual(['a', 'b', 'c\r', 'd']);
  });

  it('drops a byte order mark', () => {
    expect(lines(['\ufeffa\n\ufeff', 'b\n'])).toEqual(['a', 'b']);
  });

  it('ignores blank lines', () => {
    expect(lines(['\n\n', '\r\n', ' \t\n', 'a\n\n', '\ufeff\r\n', '  '])).toEqual(['a']);
  });

  it('takes U+2028, U+0085 and a lone carriage return for ordinary characters', () => {
    expect(lines(['a\u2028b\u0085c\rd\n'])).toEqual(['a\u2028b\u0085c\rd']);
  });

  it('tells lines that are not UTF-8 from their neighbours in the same chunk', () => {
    const chunk = Buffer.concat([Buffer.from('é\n'), Buffer.from([0x61, 0xff, 0x0a]), Buffer.from('ü\n')]);
    expect(split([chunk])).toMatchObject([{ validUtf8: true }, { validUtf8: false }, { validUtf8: true }]);
  });

  it.each([
    ['a character cut off by the line end', [Buffer.from([0xe2, 0x82]), '\n']],
    ['a continuation byte without a beginning', [Buffer.from([0x61]), Buffer.from([0x82, 0x0a])]],
    ['an encoded surrogate in two chunks', [Buffer.from([0xed, 0xa0]), Buffer.from([0x80, 0x0a])]],
    ['an overlong form in two chunks', [Buffer.from([0xc0]), Buffer.from([0x80, 0x0a])]],
    ['a character cut off by the end of the stream', [Buffer.from([0xf0, 0x9f, 0x98])]],
  ])('tells %s', (_, chunks) => {
    expect(split(chunks)).toMatchObject([{ validUtf8: false }]);
  });

  it('forgets a bad line before the next one', () => {
    expect(split([Buffer.from([0xff]), 'a\nb', 'c\n'])).toMatchObject([
      { validUtf8: false },
      { line: 'bc', validUtf8: true },
    ]);
  });

  it('forgets the bytes of a long line before the next one', () => {
    const tooLong = [Buffer.from([0xff, 0xf0]), 'x'.repeat(5000), '\n'];
    expect(split([...tooLong, 'a', 'b\n'])).toMatchObject([
      { oversize: 5002 },
      { line: 'ab', validUtf8: true },
    ]);
  });

  it('accepts a line of the limit in any number of chunks, and refuses one byte more', () => {
    for (const pieceLength of [1, 7, 64, 1000, 2000]) {
      const chunks = (length: number) =>
        `${'x'.repeat(length)}\n`.match(new RegExp(`[^]{1,${pieceLength}}`, 'g')) ?? [];
      expect(lines(chunks(1000))).toEqual(['x'.repeat(1000)]);
      expect(lines(chunks(1001))).toEqual(['1001 bytes']);
    }
  });

  it('delivers small lines around a long one that came in the same chunk', () => {
    expect(lines([`small\n${'x'.repeat(5000)}\nafter\n`])).toEqual(['small', '5000 bytes', 'after']);
    expect(lines([`small\n${'x'.repeat(5000)}`, 'x\nafter\n'])).toEqual(['small', '5001 bytes', 'after']);
  });

  it('keeps the two ends of a long line, and tells of it once', () => {
    const line = Array.from({ length: 3000 }, (_, i) => `${i},`).join('');
    const expected = [{ oversize: line.length, head: line.slice(0, 4096), tail: line.slice(-256) }];
    for (const pieceLength of [100, 300, 5000, 100_000]) {
      const chunks = `${line}\n`.match(new RegExp(`[^]{1,${pieceLength}}`, 'g')) ?? [];
      expect(split(chunks)).toEqual(expected);
    }
    expect(split([line])).toEqual(expected);
  });

  it('lets go of a line without end as it grows', () => {
    const chunkBytes = 1 << 20;
    const chunks = 400;
    const oversize: number[] = [];
    const splitter = new LineSplitter({
      maxLineBytes: 4 * chunkBytes,
      onLine: () => expect.fail('the line is too long'),
      onOversize: ({ length }) => oversize.push(length),
    });
    const before = process.memoryUsage().arrayBuffers;
    for (let i = 0; i < chunks; i++) splitter.push(Buffer.alloc(chunkBytes, 'x'));
    // The garbage collector may be behind, but not by half of everything.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan((chunks / 2) * chunkBytes);
    expect(oversize).toEqual([]);
    splitter.end();
    expect(oversize).toEqual([chunks * chunkBytes]);
  });

  it('joins a line that came byte by byte', () => {
    const line = Array.from({ length: 9000 }, (_, i) => `${i},`).join('');
    expect(lines([...`${line}\n`], 1 << 20)).toEqual([line]);
  });

  it('keeps the order of many small chunks and large ones between them', () => {
    const chunks = Array.from({ length: 300 }, (_, i) => `${i},`.repeat(i % 7 === 0 ? 500 : 1));
    expect(lines([...chunks, '\n'], 1 << 20)).toEqual([chunks.join('')]);
  });

  it('delivers the same for any chunking as for single lines', () => {
    const piece = fc.oneof(
      fc
        .constantFrom('\n', '\n', '\r\n', '\ufeff', ' ', 'é', '字', '😀', 'x'.repeat(40))
        .map((text) => Buffer.from(text)),
      fc
        .constantFrom([0xff], [0xe2, 0x82], [0x80], [0xed, 0xa0, 0x80], [0xf0, 0x9f])
        .map((bytes) => Buffer.from(bytes)),
      fc.string({ maxLength: 8 }).map((text) => Buffer.from(text)),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 30 }),
        fc.array(fc.integer({ min: 1, max: 50 })),
        (pieces, sizes) => {
          const stream = Buffer.concat(pieces);
          expect(split(chunked(stream, sizes), 60)).toEqual(reference(stream, 60));
        },
      ),
      { numRuns: 2000 },
    );
  });
});

function chunked(stream: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks = [];
  let at = 0;
  for (const size of sizes) {
    chunks.push(stream.subarray(at, at + size));
    at += size;
  }
  return [...chunks, stream.subarray(at)];
}

/** The same by way of strings, with everything at hand. */
function reference(stream: Buffer, maxLineBytes: number): Delivery[] {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return stream
    .toString('latin1')
    .split('\n')
    .flatMap((line): Delivery[] => {
      if (line.length > maxLineBytes) {
        return [{ oversize: line.length, head: line.slice(0, 4096), tail: line.slice(-256) }];
      }
      const bare = line.replace(/^\xef\xbb\xbf/, '').replace(/\r$/, '');
      if (/^[ \t]*$/.test(bare)) return [];
      try {
        decoder.decode(Buffer.from(line, 'latin1'));
        return [{ line: bare, validUtf8: true }];
      } catch {
        return [{ line: bare, validUtf8: false }];
      }
    });
}

describe('recogniseAnswerId', () => {
  const long = 'x'.repeat(10_000);
  const recognise = (line: string) => {
    const bytes = Buffer.from(line, 'latin1');
    return recogniseAnswerId(bytes.subarray(0, 4096), bytes.subarray(-256));
  };

  it.each([
    [`{"jsonrpc":"2.0","id":12,"result":{"t":"${long}"}}`, 12],
    [`{"id":12,"jsonrpc":"2.0","result":"${long}"}`, 12],
    [`{"id":0,"error":{"message":"${long}"}}`, 0],
    [`{"result":{"t":"${long}"},"jsonrpc":"2.0","id":12}`, 12],
    [`{"result":{"t":"${long}"},"id":12}`, 12],
    [`{"jsonrpc":"2.0","error":{"t":"${long}"},"id":12}\r`, 12],
    [`{"result":{"t":"${long}"},"id":12,"jsonrpc":"2.0"}`, 12],
    [`\xef\xbb\xbf{ "jsonrpc" : "2.0" , "id" : 12 , "result" : "${long}" }`, 12],
    ['{"jsonrpc":"2.0","id":7,"result":"\xff"}', 7],
    [`{"jsonrpc":"2.0","id":9007199254740991,"result":"${long}"}`, 9007199254740991],
  ])('reads the id of an answer: %.60s', (line, id) => {
    expect(recognise(line)).toBe(id);
  });

  it.each([
    ['a request', `{"jsonrpc":"2.0","id":12,"method":"x","params":"${long}"}`],
    ['a notification', `{"jsonrpc":"2.0","method":"x","params":{"t":"${long}","id":12}}`],
    ['noise', long],
    ['an id inside the payload', `{"jsonrpc":"2.0","result":{"rows":"${long}","id":12}}`],
    ['an id inside a string', `{"jsonrpc":"2.0","result":"${long},\\"id\\":12}"}`],
    ['a key that only ends like id', `{"jsonrpc":"2.0","result":"${long}","my\\"id":12}`],
    ['a string id', `{"jsonrpc":"2.0","id":"12","result":"${long}"}`],
    ['a fraction', `{"jsonrpc":"2.0","id":1.5,"result":"${long}"}`],
    ['an id beyond 2^53', `{"jsonrpc":"2.0","id":9007199254740993,"result":"${long}"}`],
    ['a line that breaks off', `{"jsonrpc":"2.0","result":"${long}`],
    ['a prefix before the answer', `log: {"jsonrpc":"2.0","id":1,"result":"${long}"}`],
  ])('reads none from %s', (_, line) => {
    expect(recognise(line)).toBeUndefined();
  });
});
