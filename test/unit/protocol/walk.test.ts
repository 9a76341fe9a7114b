import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Span } from '../../../src/protocol/message.js';
import { elementSpans, kindAt, memberSpans } from '../../../src/protocol/walk.js';
import { anyText } from '../../helpers/message-texts.js';

const keys = ['name', 'id', 'params', 'result', 'uri', '_meta'] as const;

/** The value's bytes between others, and where it stands. */
function placed(text: string): { bytes: Buffer; span: Span } {
  const bytes = Buffer.from(`[${text},"]"]`);
  return { bytes, span: { start: 1, end: 1 + Buffer.byteLength(text) } };
}

function valueAt(bytes: Buffer, span: Span): unknown {
  return JSON.parse(bytes.toString('utf8', span.start, span.end));
}

/** The value of `text`, found by walking to it: white space around it does not belong to its span. */
function onlyElement(text: string): { bytes: Buffer; span: Span } {
  const bytes = Buffer.from(`[ ${text} ]`);
  const [span] = elementSpans(bytes, { start: 0, end: bytes.length });
  if (span === undefined) throw new Error(`no element in ${bytes}`);
  return { bytes, span };
}

describe('kindAt', () => {
  it.each([
    ['{}', 'object'],
    ['[]', 'array'],
    ['"a"', 'string'],
    ['0', 'number'],
    ['-1e3', 'number'],
    ['9', 'number'],
    ['true', 'literal'],
    ['false', 'literal'],
    ['null', 'literal'],
  ])('of %s is %s', (text, kind) => {
    const { bytes, span } = placed(text);
    expect(kindAt(bytes, span)).toBe(kind);
  });
});

describe('elementSpans', () => {
  it('finds elements of every kind, among white space', () => {
    const { bytes, span } = placed(' [ 1 ,\n"a],\\"b" ,{"c":[2,"}"]},[[]] ,\ttrue,null ] '.trim());
    const texts = elementSpans(bytes, span).map(({ start, end }) => bytes.toString('utf8', start, end));
    expect(texts).toEqual(['1', '"a],\\"b"', '{"c":[2,"}"]}', '[[]]', 'true', 'null']);
  });

  it.each(['[]', '[ \n ]', '{"a":1}', '"[1]"', '1'])('finds none in %s', (text) => {
    const { bytes, span } = placed(text);
    expect(elementSpans(bytes, span)).toEqual([]);
  });
});

describe('memberSpans', () => {
  it('finds the members asked for and no deeper ones', () => {
    const { bytes, span } = placed('{ "other":{"name":0}, "name" : "a" ,"id":[1, {"uri":2}]\n}');
    const found = memberSpans(bytes, span, keys);
    expect(found.name && valueAt(bytes, found.name)).toBe('a');
    expect(found.id && valueAt(bytes, found.id)).toEqual([1, { uri: 2 }]);
    expect(found.uri).toBeUndefined();
  });

  it('takes the last of several members with one key, as JSON.parse does', () => {
    const { bytes, span } = placed('{"name":1,"n\\u0061me":2,"Name":3}');
    const { name } = memberSpans(bytes, span, keys);
    expect(name && valueAt(bytes, name)).toBe(2);
  });

  it.each(['{}', '{ }', '["name",1]', '"name"', 'null'])('finds none in %s', (text) => {
    const { bytes, span } = placed(text);
    expect(Object.values(memberSpans(bytes, span, keys)).every((member) => member === undefined)).toBe(true);
  });
});

describe('walking beside JSON.parse', () => {
  it('sees the same elements and members', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { bytes, span } = onlyElement(text);
        const value: unknown = JSON.parse(text);
        expect(valueAt(bytes, span)).toEqual(value);
        const elements = elementSpans(bytes, span).map((element) => valueAt(bytes, element));
        expect(elements).toEqual(Array.isArray(value) ? value : []);
        const object = kindAt(bytes, span) === 'object' ? (value as Record<string, unknown>) : {};
        const members = memberSpans(bytes, span, keys);
        for (const key of keys) {
          const member = members[key];
          expect(member && valueAt(bytes, member)).toEqual(
            Object.hasOwn(object, key) ? object[key] : undefined,
          );
        }
      }),
      { numRuns: 2000 },
    );
  });
});
