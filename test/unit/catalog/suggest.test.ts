import { describe, expect, it } from 'vitest';
import { suggest } from '../../../src/catalog/suggest.js';

const known = ['grammar__conjugate', 'grammar__check', 'text-stats__analizar_texto'];

describe('suggest', () => {
  it('finds the name with the fewest slips', () => {
    expect(suggest('grammer__check', known)).toBe('grammar__check');
    expect(suggest('text_stats__analizar_text', known)).toBe('text-stats__analizar_texto');
  });

  it('finds the name whose namespace was left out', () => {
    expect(suggest('conjugate', known)).toBe('grammar__conjugate');
  });

  it('does not take the end of a word for a name without its namespace', () => {
    expect(suggest('gate', known)).toBeUndefined();
  });

  it('suggests nothing when nothing is near', () => {
    expect(suggest('send_email', known)).toBeUndefined();
    expect(suggest('', known)).toBeUndefined();
    expect(suggest('x', ['y'])).toBeUndefined();
  });

  it('takes the first of equally near names', () => {
    expect(suggest('tool_c', ['tool_a', 'tool_b'])).toBe('tool_a');
  });

  it('looks at a thousand names and no more', () => {
    let looked = 0;
    function* endless() {
      for (;;) {
        looked += 1;
        yield `other${looked}`;
      }
    }
    expect(suggest('grammer__check', endless())).toBeUndefined();
    expect(looked).toBe(1001);
  });

  it('does not compare names of unreasonable length', () => {
    const long = 'n'.repeat(129);
    expect(suggest(long, [`${long}n`])).toBeUndefined();
  });
});
