import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { qualifiedName } from '../../../src/catalog/names.js';
import type { BackendKey } from '../../../src/shared/ids.js';
import { naming } from './listings.js';

const qualify = (key: string, localName: string, settings = naming) =>
  qualifiedName(key as BackendKey, key, localName, settings);

describe('qualifiedName', () => {
  it('puts namespace and separator in front of the local name', () => {
    expect(qualify('grammar', 'conjugate')).toBe('grammar__conjugate');
  });

  it('leaves a name bare when the namespace is empty', () => {
    expect(qualifiedName('grammar' as BackendKey, '', 'conjugate', naming)).toBe('conjugate');
  });

  it.each(['srv__run', 'get-item', '__init', 'x__', '_'])(
    'keeps %j as it is, separators included',
    (name) => {
      expect(qualify('a-b', name)).toBe(`a-b__${name}`);
    },
  );

  it('keeps the name of a chained gateway', () => {
    expect(qualify('g', 'my__srv__run')).toBe('g__my__srv__run');
  });

  it('cleans characters that are not allowed and marks the name with a hash', () => {
    const originals = ['x.y', 'x/y', 'x y', 'größe', '🦊'];
    const names = [...originals, 'x_y'].map((name) => qualify('b1', name));
    expect(new Set(names).size).toBe(6);
    for (const name of names.slice(0, -1)) expect(name).toMatch(/^b1__[A-Za-z0-9_-]+_[0-9a-f]{8}$/);
    expect(names.at(-1)).toBe('b1__x_y');
  });

  it('shortens what is too long and keeps names apart that begin alike', () => {
    const key = 'company-internal-knowledge-base';
    const common = 'n'.repeat(55);
    const originals = ['a'.repeat(40), `${common}aaaaa`, `${common}${'b'.repeat(73)}`];
    const names = originals.map((name) => qualify(key, name));
    expect(new Set(names).size).toBe(3);
    for (const name of names)
      expect(name).toMatch(/^company-internal-knowledge-base__[A-Za-z0-9_-]{22}_[0-9a-f]{8}$/);
  });

  it('keeps a name of exactly the longest length and shortens one of a character more', () => {
    const longest = 'n'.repeat(64 - 'b__'.length);
    expect(qualify('b', longest)).toBe(`b__${longest}`);
    expect(qualify('b', `${longest}n`)).toMatch(/^b__n{52}_[0-9a-f]{8}$/);
  });

  it('hashes the backend key too, so that equal names of two backends stay apart', () => {
    const names = ['a', 'b'].map((key) => qualifiedName(key as BackendKey, '', 'x.y', naming));
    expect(new Set(names).size).toBe(2);
  });

  it('gives the same name in every version of the gateway', () => {
    expect(qualify('b1', 'x.y')).toBe('b1__x_y_1c9094d1');
  });

  it('keeps apart names that differ only in lone surrogates', () => {
    expect(qualify('b1', 'x\ud800')).not.toBe(qualify('b1', 'x\ud801'));
  });

  it('obeys another separator, length and charset', () => {
    const dotted = { separator: '.', maxLength: 20, charset: 'A-Za-z0-9_.-' };
    expect(qualify('b1', 'x.y', dotted)).toBe('b1.x.y');
    expect(qualify('b1', 'x'.repeat(30), dotted)).toMatch(/^b1\.x{8}_[0-9a-f]{8}$/);
  });

  it('counts characters, not their halves, when the charset has some beyond the basic plane', () => {
    const foxes = { ...naming, maxLength: 14, charset: 'A-Za-z0-9_🦊-' };
    expect(qualify('b', '🦊'.repeat(11), foxes)).toBe(`b__${'🦊'.repeat(11)}`);
    expect(qualify('b', '🦊'.repeat(12), foxes)).toMatch(/^b__🦊🦊_[0-9a-f]{8}$/u);
  });

  it('always fits charset and length, whatever the backend calls its tools', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 200, unit: 'binary' }), (localName) => {
        const name = qualify('b1', localName);
        expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        expect(qualify('b1', localName)).toBe(name);
      }),
    );
  });

  it('gives distinct names to distinct originals of one backend', () => {
    const similar = fc.string({
      minLength: 1,
      maxLength: 90,
      unit: fc.constantFrom('a', '_', '.', ' ', 'é'),
    });
    fc.assert(
      fc.property(fc.uniqueArray(similar, { minLength: 2, maxLength: 30 }), (originals) => {
        const names = originals.map((name) => qualify('b1', name));
        expect(new Set(names).size).toBe(originals.length);
      }),
    );
  });
});
