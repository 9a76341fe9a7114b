import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanNamespace, foldKey } from '../../../src/config/namespace.js';

describe('cleanNamespace', () => {
  it.each([
    ['grammar', 'grammar'],
    ['text-stats', 'text-stats'],
    ['my server', 'my-server'],
    ['@scope/server.name', 'scope-server-name'],
    ['a__b___c', 'a_b_c'],
    ['--a--b--', 'a--b'],
    ['_-_a_-_', 'a'],
    ['größe', 'gr-e'],
    ['a / b', 'a-b'],
    ['日本', ''],
    ['', ''],
  ])('makes "%s" into "%s"', (key, expected) => {
    expect(cleanNamespace(key)).toBe(expected);
  });

  it('gives only safe text, which stays as it is when cleaned again', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'Z', '0', '_', '-', ' ', 'ü', '😀') }), (key) => {
        const cleaned = cleanNamespace(key);
        expect(cleaned).toMatch(/^(?!.*__)([A-Za-z0-9]([A-Za-z0-9_-]*[A-Za-z0-9])?)?$/);
        expect(cleanNamespace(cleaned)).toBe(cleaned);
      }),
    );
  });
});

describe('foldKey', () => {
  it('is the same for keys that differ in case, in _ and -, and in unsafe characters', () => {
    expect(new Set(['My_Server', 'my-server', 'my server', ' MY__SERVER '].map(foldKey))).toEqual(
      new Set(['my-server']),
    );
  });
});
