import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UriTemplate } from '../../../src/catalog/uri-template.js';

const matches = (template: string, uri: string) => new UriTemplate(template).matches(uri);

describe('a URI template', () => {
  // Variables and expansions of RFC 6570 §§ 1.2 and 3.2.
  it.each([
    ['{var}', 'value'],
    ['{hello}', 'Hello%20World%21'],
    ['{+var}', 'value'],
    ['{+hello}', 'Hello%20World!'],
    ['{+path}/here', '/foo/bar/here'],
    ['here?ref={+path}', 'here?ref=/foo/bar'],
    ['X{#var}', 'X#value'],
    ['X{#hello}', 'X#Hello%20World!'],
    ['map?{x,y}', 'map?1024,768'],
    ['{x,hello,y}', '1024,Hello%20World%21,768'],
    ['{+x,hello,y}', '1024,Hello%20World!,768'],
    ['{+path,x}/here', '/foo/bar,1024/here'],
    ['{#x,hello,y}', '#1024,Hello%20World!,768'],
    ['{#path,x}/here', '#/foo/bar,1024/here'],
    ['X{.var}', 'X.value'],
    ['X{.x,y}', 'X.1024.768'],
    ['{/var}', '/value'],
    ['{/var,x}/here', '/value/1024/here'],
    ['{;x,y}', ';x=1024;y=768'],
    ['{;x,y,empty}', ';x=1024;y=768;empty'],
    ['{?x,y}', '?x=1024&y=768'],
    ['{?x,y,empty}', '?x=1024&y=768&empty='],
    ['?fixed=yes{&x}', '?fixed=yes&x=1024'],
    ['{&x,y,empty}', '&x=1024&y=768&empty='],
    ['{var:3}', 'val'],
    ['{list*}', 'red,green,blue'],
    ['{/list*,path:4}', '/red/green/blue/%2Ffoo'],
    ['{?keys*}', '?semi=%3B&dot=.&comma=%2C'],
    ['O{undef}X', 'OX'],
    ['{/id*}{?fields,first_name,last.name,token}', '/person/albums?fields=id,name'],
    ['db://{table}/{id}', 'db://t/a%2Fb'],
    ['file:///{+path}', 'file:///a/b c/ö.txt'],
    ['no expression', 'no expression'],
    ['', ''],
    ['{x}a{+y}b', 'a/ab'],
    ['{+x}x{y}y', 'x/xby'],
    ['a{}b', 'a{}b'],
    ['a{x', 'a{x'],
    ['a}{x}', 'a}1'],
  ])('%s can be expanded to %s', (template, uri) => {
    expect(matches(template, uri)).toBe(true);
  });

  it.each([
    ['db://{table}/{id}', 'db://t'],
    ['db://{table}/{id}', 'db://t/1/2'],
    ['db://{table}/{id}', 'db://t/1?x=1'],
    ['db://{table}/{id}', 'DB://t/1'],
    ['db://{table}/{id}', 'x-db://t/1'],
    ['{var}/here', 'value/here/there'],
    ['{var}', 'a#b'],
    ['{/var}', '/a?b'],
    ['{?x}', '?x=1#b'],
    ['X{x}Y', 'X1'],
    ['XY{x}YZ', 'XYZ'],
    ['no expression', 'no expression at all'],
    ['', 'a'],
    ['a{}b', 'ab'],
    ['{+x}x{y}y', 'x/by'],
  ])('%s cannot be expanded to %s', (template, uri) => {
    expect(matches(template, uri)).toBe(false);
  });

  it('recognises whatever it is expanded to', () => {
    const piece = fc.oneof(
      fc.constantFrom('/', 'a', 'ab', '//', 'x:').map((text) => [text, text] as const),
      fc
        .tuple(fc.constantFrom('', '+', '.', '/', ';', '?', '&', '#'), fc.constantFrom('', 'a', 'ab', 'aba'))
        .map(([operator, value]) => [`{${operator}v}`, value] as const),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const template = pieces.map(([text]) => text).join('');
        expect(matches(template, pieces.map(([, value]) => value).join(''))).toBe(true);
      }),
    );
  });

  it('agrees with a regular expression on what it can be expanded to', () => {
    const classes: Record<string, string> = {
      '{v}': '[^/?#]*',
      '{+v}': '.*',
      '{/v}': '[^?#]*',
      '{?v}': '[^#]*',
    };
    const piece = fc.constantFrom('a', 'b', '/', 'ab', '{v}', '{+v}', '{/v}', '{?v}');
    const text = fc.array(fc.constantFrom('a', 'b', '/', '?', '#'), { maxLength: 10 });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), text, (pieces, letters) => {
        const uri = letters.join('');
        const expression = new RegExp(`^${pieces.map((each) => classes[each] ?? each).join('')}$`);
        expect(matches(pieces.join(''), uri)).toBe(expression.test(uri));
      }),
      { numRuns: 2_000 },
    );
  });

  // Each of these takes a backtracking matcher longer than the universe lasts.
  it.each([
    ['expressions side by side', '{a}{b}{c}{d}{e}{f}'.repeat(5), 'a'],
    ['expressions with text between them', '{a}a{b}a{+c}a{d}a'.repeat(8), 'a'],
    ['expressions with much text between them', `{a}${'a'.repeat(100)}{+b}aab`.repeat(16), 'a'],
    ['bounded expressions', '{a}/{b}/'.repeat(16), '/'],
    ['too many expressions', '{a}{b}{c}{d}{e}{f}'.repeat(1_000), 'a'],
  ])('is matched at once, however many ways there are: %s', (_, template, letter) => {
    for (const length of [10_000, 60_000]) {
      expect(matches(`${template}!`, letter.repeat(length))).toBe(false);
    }
  });

  it('with more than 32 expressions matches itself alone', () => {
    const template = '{a}/'.repeat(33);
    expect(matches(template, 'a/'.repeat(33))).toBe(false);
    expect(matches(template, template)).toBe(true);
    expect(matches('{a}/'.repeat(32), 'a/'.repeat(32))).toBe(true);
  });

  it('matches no URI of more than 64 KiB', () => {
    expect(matches('{+a}', 'a'.repeat(65_536))).toBe(true);
    expect(matches('{+a}', 'a'.repeat(65_537))).toBe(false);
  });
});
