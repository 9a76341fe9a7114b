import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countText } from '../../../../backends/text-stats/text.js';

describe('countText', () => {
  it.each([
    ['', 0, 0, 0],
    ['hola', 4, 1, 1],
    ['Hola, ¿qué tal?', 15, 3, 1],
    ['  dos  palabras  ', 17, 2, 1],
    ['uno\ndos', 7, 2, 2],
    ['uno\ndos\n', 8, 2, 2],
    ['uno\r\ndos\rtres', 13, 3, 3],
    ['\n\n', 2, 0, 2],
    ['   ', 3, 0, 1],
    ['👩‍👧 y 🐈', 7, 3, 1],
    ['a\u00a0b\u2003c', 5, 3, 1],
    ['\ud800', 1, 1, 1],
  ])('counts %j as %i code points, %i words, %i lines', (text, characters, words, lines) => {
    expect(countText(text)).toEqual({ characters, words, lines });
  });

  it('agrees with splitting the text, for any text', () => {
    const texts = fc
      .array(fc.constantFrom('a', 'ñ', '🐈', ' ', '\t', '\n', '\r', '\u3000', '.'))
      .map((c) => c.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        const parts = text.split(/\r\n|\r|\n/);
        expect(countText(text)).toEqual({
          characters: [...text].length,
          words: text.split(/\s+/).filter((word) => word !== '').length,
          lines: parts.at(-1) === '' ? parts.length - 1 : parts.length,
        });
      }),
    );
  });
});
