import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../src/config/config-error.js';
import { parseJson } from '../../../src/config/parse-json.js';
import { Place } from '../../../src/config/place.js';

function parse(text: string) {
  const problems: Problem[] = [];
  const value = parseJson(text, Place.root('g.json', problems));
  return { value, messages: problems.map((problem) => problem.message) };
}

describe('parseJson', () => {
  it('allows comments, trailing commas and a byte order mark', () => {
    expect(parse('\uFEFF// why\n{ "a": [1, 2,], /* and */ "b": null, }')).toEqual({
      value: new Map<string, unknown>([
        ['a', [1, 2]],
        ['b', null],
      ]),
      messages: [],
    });
  });

  it('keeps a key that is special to JavaScript as an ordinary one', () => {
    expect(parse('{"__proto__": {"a": 1}}').value).toEqual(new Map([['__proto__', new Map([['a', 1]])]]));
  });

  it('says where the first syntax error is', () => {
    expect(parse('{\n  "a": 1\n  "b": }')).toEqual({
      value: undefined,
      messages: ['g.json:3:3: not valid JSON: comma expected'],
    });
  });

  it.each([
    ['', 1, 1],
    ['{', 1, 2],
    ['{"a": tru}', 1, 7],
    ['{} {}', 1, 4],
    ['{"a": "x', 1, 7],
    [`{"a": 'x'}`, 1, 7],
    ['// nothing', 1, 11],
  ])('refuses %j at %d:%d', (text, line, column) => {
    const { value, messages } = parse(text);
    expect(value).toBeUndefined();
    expect(messages).toEqual([expect.stringContaining(`g.json:${line}:${column}: not valid JSON: `)]);
  });

  it('reports a duplicate key with its path and both lines, and goes on with the first', () => {
    expect(parse('{\n "m": {\n  "a": 1,\n  "b": 2,\n  "\\u0061": 3 } }')).toEqual({
      value: new Map([
        [
          'm',
          new Map([
            ['a', 1],
            ['b', 2],
          ]),
        ],
      ]),
      messages: ['g.json:5:3: m.a: duplicate key, first on line 3; keep one of the two'],
    });
  });

  it('never shows a value in an error', () => {
    expect(parse('{"env": {"K": "S3NT1NEL" "L": "S3NT1NEL"}}').messages.join()).not.toContain('S3NT1NEL');
    expect(parse('{"K": "S3NT1NEL", "K": "S3NT1NEL"}').messages.join()).not.toContain('S3NT1NEL');
  });
});
