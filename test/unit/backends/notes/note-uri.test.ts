import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameInUri, noteUri } from '../../../../backends/notes/note-uri.js';

describe('the URI of a note', () => {
  it.each([
    ['Lecturas', 'note://Lecturas'],
    ['Presupuesto 2027', 'note://Presupuesto%202027'],
    ['Reunión', 'note://Reuni%C3%B3n'],
    ["a/b?c#d%e!'()*", 'note://a%2Fb%3Fc%23d%25e%21%27%28%29%2A'],
    ['a-b.c_d~e', 'note://a-b.c_d~e'],
  ])('encodes everything but the unreserved characters: %j', (name, uri) => {
    expect(noteUri(name)).toBe(uri);
  });

  it('gives back the name, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const name = text.normalize('NFC');
        expect(nameInUri(noteUri(name))).toBe(name);
      }),
    );
  });
});

describe('the name in a URI', () => {
  it.each([
    ['note://%4Cecturas', 'Lecturas'],
    ["note://d'accord!", "d'accord!"],
    ['note://reuni%c3%b3n', 'reunión'],
    ['note://reunio%CC%81n', 'reunión'],
    ['note://reunión', 'reunión'],
    ['note://../secret', '../secret'],
    ['note://%2Fetc%2Fpasswd', '/etc/passwd'],
  ])('is decoded, however it is spelled: %s', (uri, name) => {
    expect(nameInUri(uri)).toBe(name);
  });

  it.each(['', 'note:', 'note:/a', 'file:///a', 'NOTE://a', 'note://%', 'note://%zz', 'note://%ff'])(
    'is none in %j',
    (uri) => {
      expect(nameInUri(uri)).toBeUndefined();
    },
  );
});
