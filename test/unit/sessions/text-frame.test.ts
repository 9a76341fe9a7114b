import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textFrame } from '../../../src/sessions/text-frame.js';

interface FrameReader {
  on(event: 'message', listener: (data: Buffer, isBinary: boolean) => void): void;
  write(chunk: Buffer): void;
}

const { Receiver } = createRequire(import.meta.url)('ws') as { Receiver: new () => FrameReader };

/** Reads frames the way a client of `ws` does. */
function readBack(buffers: readonly Buffer[]): { data: Buffer; isBinary: boolean }[] {
  const messages: { data: Buffer; isBinary: boolean }[] = [];
  const receiver = new Receiver();
  receiver.on('message', (data, isBinary) => messages.push({ data, isBinary }));
  for (const buffer of buffers) receiver.write(buffer);
  return messages;
}

describe('textFrame', () => {
  it.each([0, 1, 125, 126, 127, 65_535, 65_536, 65_537, 1_000_000])(
    'makes one unmasked text message of %i bytes',
    (length) => {
      const payload = Buffer.alloc(length, 'a');
      const [message, ...others] = readBack(textFrame([payload]));
      expect(others).toEqual([]);
      expect(message?.isBinary).toBe(false);
      expect(message?.data.equals(payload)).toBe(true);
    },
  );

  it('joins the pieces, however they are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 300 }), { maxLength: 8 }), (texts) => {
        const messages = readBack(textFrame(texts.map((text) => Buffer.from(text))));
        expect(messages.map(({ data }) => data.toString())).toEqual([texts.join('')]);
      }),
    );
  });

  it('puts a small message into one buffer', () => {
    expect(textFrame([Buffer.from('{"id":1,'), Buffer.from('"result":{}}')])).toHaveLength(1);
  });

  it('hands the pieces of a large message on without copying them', () => {
    const head = Buffer.from('{"id":1,"result":');
    const rest = Buffer.alloc(64 * 1024, 'a');
    const [, ...pieces] = textFrame([head, rest]);
    expect(pieces[0]).toBe(head);
    expect(pieces[1]).toBe(rest);
  });
});
