import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { originalUri, prefixedUri } from '../../../src/catalog/uris.js';

describe('prefixedUri', () => {
  it('puts the namespace in front, with a plus', () => {
    expect(prefixedUri('notes', 'file:///a')).toBe('notes+file:///a');
    expect(prefixedUri('notes', 'db://{table}/{id}')).toBe('notes+db://{table}/{id}');
  });

  it.each([
    ['my_notes', 'my-notes+file:///a'],
    ['1st', 'x-1st+file:///a'],
    ['two words', 'two-words+file:///a'],
    ['-a', 'x--a+file:///a'],
  ])('makes a legal scheme of namespace %j', (namespace, expected) => {
    expect(prefixedUri(namespace, 'file:///a')).toBe(expected);
    expect(new URL(expected).protocol).toBe(expected.replace('///a', ''));
  });
});

describe('originalUri', () => {
  it('gives back exactly what was prefixed', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (namespace, uri) => {
        expect(originalUri(namespace, prefixedUri(namespace, uri))).toBe(uri);
      }),
    );
  });

  it('knows its prefix again when a URL parser has lower-cased it', () => {
    expect(originalUri('My_Notes', new URL('My-Notes+file:///README.md').href)).toBe('file:///README.md');
  });

  it.each(['file:///a', 'note+file:///a', 'notes2+file:///a', 'notes', ''])('refuses %j', (uri) => {
    expect(originalUri('notes', uri)).toBeUndefined();
  });
});
