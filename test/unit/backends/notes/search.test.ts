import { describe, expect, it } from 'vitest';
import { matchingLines, maxLinesPerNote, wordsOf } from '../../../../backends/notes/search.js';

const numbers = (name: string, text: string, query: string) =>
  matchingLines(name, text, wordsOf(query))?.map(({ number }) => number);

describe('the words of a query', () => {
  it.each([
    ['  Presupuesto\t2027 ', ['presupuesto', '2027']],
    ['AÑO año ano', ['ano']],
    [' \n ', []],
  ])('are compared without case and accents: %j', (query, words) => {
    expect(wordsOf(query)).toEqual(words);
  });
});

describe('the matching lines of a note', () => {
  it.each([
    ['presupuesto 2027', 'Sin nombre', '# Presupuesto 2027\nnada', [1]],
    ['PRESUPUESTO', 'x', 'el présupuestó', [1]],
    ['calefacción', 'x', 'CALEFACCIO\u0301N', [1]],
    ['supuesto', 'x', 'presupuesto', [1]],
    ['uno dos', 'x', 'uno\r\nnada\rdos\nnada', [1, 3]],
    ['uno dos', 'Uno', 'nada\ndos', [2]],
    ['uno dos', 'Dos y uno', 'nada', []],
  ])('hold at least one word where all are in the note: %j in %j, %j', (query, name, text, lines) => {
    expect(numbers(name, text, query)).toEqual(lines);
  });

  it.each([
    ['uno tres', 'uno\ndos'],
    ['unodos', 'uno\ndos'],
    ['x', ''],
  ])('are not there where a word is missing: %j in %j', (query, text) => {
    expect(numbers('nota', text, query)).toBeUndefined();
  });

  it('are the first ones, each shortened without breaking a character, and without the blanks around', () => {
    const long = `  a${'🐈'.repeat(200)}`;
    const lines = matchingLines(
      'x',
      Array(maxLinesPerNote + 1)
        .fill(long)
        .join('\n'),
      ['a'],
    );
    expect(lines).toHaveLength(maxLinesPerNote);
    expect(lines?.[0]?.text).toBe(`a${'🐈'.repeat(149)}…`);
  });

  it('count a word that only a later line has, beyond those that are shown', () => {
    const text = `${'a\n'.repeat(maxLinesPerNote)}b`;
    expect(matchingLines('x', text, ['a', 'b'])).toHaveLength(maxLinesPerNote);
  });
});
