import { describe, expect, it } from 'vitest';
import { suggest } from '../../../src/config/suggest.js';

describe('suggest', () => {
  it.each([
    ['comand', 'command'],
    ['Command', 'command'],
    ['COMMAND', 'command'],
    ['prot', 'port'],
    ['maxinflight', 'maxInFlight'],
  ])('takes "%s" for "%s"', (word, expected) => {
    expect(suggest(word, ['command', 'port', 'maxInFlight'])).toBe(expected);
  });

  it.each(['', 'x', 'foo', 'entirelyDifferent'])('has nothing to say about "%s"', (word) => {
    expect(suggest(word, ['log', 'port', 'cwd'])).toBeUndefined();
  });

  it('has nothing to say where nothing is known', () => {
    expect(suggest('word', [])).toBeUndefined();
  });
});
