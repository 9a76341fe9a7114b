import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { removeMembers } from '../../../src/eras/remove.js';
import { splice } from '../../../src/protocol/splice.js';

function without(text: string, keys: readonly string[]): string {
  const bytes = Buffer.from(text);
  const edits = removeMembers(bytes, { start: 0, end: bytes.length }, new Set(keys));
  return Buffer.concat(splice(bytes, edits)).toString();
}

describe('members taken out of an object', () => {
  it.each([
    ['{"a":1,"b":2,"c":3}', ['a'], '{"b":2,"c":3}'],
    ['{"a":1,"b":2,"c":3}', ['b'], '{"a":1,"c":3}'],
    ['{"a":1,"b":2,"c":3}', ['c'], '{"a":1,"b":2}'],
    ['{"a":1,"b":2,"c":3}', ['a', 'b'], '{"c":3}'],
    ['{"a":1,"b":2,"c":3}', ['b', 'c'], '{"a":1}'],
    ['{"a":1}', ['a'], '{}'],
    ['{ "a" : 1 , "b" : 2 }', ['b'], '{ "a" : 1 }'],
    ['{"\\u0061":1,"b":[{"a":2}]}', ['a'], '{"b":[{"a":2}]}'],
    ['{}', ['a'], '{}'],
    ['[1]', ['a'], '[1]'],
  ])('of %s: %j gives %s', (text, keys, expected) => {
    expect(without(text, keys)).toBe(expected);
  });

  it('are those asked for, and nothing else, whatever there is', () => {
    const key: fc.Arbitrary<string> = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    fc.assert(
      fc.property(
        fc.dictionary(key, fc.jsonValue()),
        fc.uniqueArray(key),
        fc.boolean(),
        (object, keys, pretty) => {
          const text = JSON.stringify(object, undefined, pretty ? 2 : undefined);
          const kept = Object.entries(JSON.parse(text) as object).filter(([name]) => !keys.includes(name));
          expect(JSON.parse(without(text, keys))).toEqual(Object.fromEntries(kept));
        },
      ),
    );
  });
});
