import { describe, expect, it } from 'vitest';
import { createArgumentChecker, type Unchecked } from '../../../src/catalog/argument-check.js';
import type { Entry } from '../../../src/protocol/listing.js';
import type { BackendKey } from '../../../src/shared/ids.js';
import { entryFromText } from './listings.js';

const backend = 'b1' as BackendKey;

function checkerWithWarnings(now = () => 0) {
  const warnings: Unchecked[] = [];
  const warn = (unchecked: Unchecked) => warnings.push(unchecked);
  const { check, warmUp } = createArgumentChecker({ warn, now });
  const checker = {
    check: (entry: Entry, text: Buffer | undefined) => check(backend, entry, text),
    warmUp,
  };
  return { checker, warnings };
}

const tool = (inputSchema?: string) =>
  entryFromText('tools', `{"name":"t"${inputSchema === undefined ? '' : `,"inputSchema":${inputSchema}`}}`);

/** The problems of one call, and `ok` for none; no warning may come. */
function verdict(inputSchema: string, argumentsText: string | undefined) {
  const { checker, warnings } = checkerWithWarnings();
  const check = checker.check(
    tool(inputSchema),
    argumentsText === undefined ? undefined : Buffer.from(argumentsText),
  );
  expect(warnings).toEqual([]);
  return check.ok ? 'ok' : check.problems;
}

const conjugation =
  '{"type":"object","properties":{"verb":{"type":"string"},"tense":{"enum":["past","future"]},' +
  '"times":{"type":"integer","minimum":1},"numbers":{"type":"array","items":{"type":"number"}},' +
  '"note":{"type":["string","null"]}},"required":["verb","tense"],"additionalProperties":false}';

describe('arguments that fit', () => {
  it.each([
    '{"verb":"eat","tense":"past"}',
    '{"verb":"eat","tense":"past","times":3,"numbers":[1,2.5],"note":null}',
    '{"verb":"eat","tense":"past","times":1.0}',
    '{"verb":"eat","tense":"past","times":9007199254740993}',
    '{"verb":"eat","tense":"past","numbers":[1e400,-0]}',
  ])('pass: %s', (text) => {
    expect(verdict(conjugation, text)).toBe('ok');
  });

  it('pass when a multiple is one in decimal notation', () => {
    expect(verdict('{"type":"object","properties":{"a":{"multipleOf":0.01}}}', '{"a":19.99}')).toBe('ok');
  });

  it('pass when there are none and none are required', () => {
    expect(verdict('{"type":"object","properties":{"a":{"type":"string"}}}', undefined)).toBe('ok');
  });

  it('pass when a format is violated, because formats are for the backend to judge', () => {
    expect(
      verdict('{"type":"object","properties":{"a":{"format":"ipv9"},"b":{"format":"email"}}}', '{"b":"x"}'),
    ).toBe('ok');
  });
});

describe('the problems of arguments that do not fit', () => {
  it.each([
    [
      '{"verb":"eat","tense":"past","times":"five"}',
      ['property "times": expected integer, got string "five"'],
    ],
    ['{"verb":"eat"}', ['property "tense": required, but missing']],
    [
      '{"verb":"eat","tense":"now"}',
      ['property "tense": expected one of "past", "future", got string "now"'],
    ],
    ['{"verb":7,"tense":"past"}', ['property "verb": expected string, got number 7']],
    ['{"verb":null,"tense":"past"}', ['property "verb": expected string, got null']],
    ['{"verb":"eat","tense":"past","times":0}', ['property "times": must be >= 1, got number 0']],
    [
      '{"verb":"eat","tense":"past","note":[1]}',
      ['property "note": expected string or null, got array of 1'],
    ],
    [
      '{"verb":"eat","tense":"past","numbers":[1,"2"]}',
      ['property "numbers.1": expected number, got string "2"'],
    ],
    [
      '{"verb":"eat","tense":"past","extra":1}',
      ['property "extra": not known; known are "verb", "tense", "times", "numbers", "note"'],
    ],
    ['[]', ['arguments: expected object, got array of 0']],
    ['null', ['arguments: expected object, got null']],
    ['"verb"', ['arguments: expected object, got string "verb"']],
  ])('are told for %s', (text, problems) => {
    expect(verdict(conjugation, text)).toEqual(problems);
  });

  it('are told all at once', () => {
    expect(verdict(conjugation, '{"times":true}')).toEqual([
      'property "verb": required, but missing',
      'property "tense": required, but missing',
      'property "times": expected integer, got boolean true',
    ]);
  });

  it('are told for missing arguments as for an empty object', () => {
    expect(verdict(conjugation, undefined)).toEqual(verdict(conjugation, '{}'));
  });

  it('name a constant and properties below others', () => {
    const schema = '{"type":"object","properties":{"a/b":{"properties":{"c":{"const":"x"}}}}}';
    expect(verdict(schema, '{"a/b":{"c":1}}')).toEqual(['property "a/b.c": expected "x", got number 1']);
  });

  it('are ten at most and quote little of long values', () => {
    const schema = '{"type":"object","additionalProperties":{"type":"integer"}}';
    const values = Object.fromEntries(
      Array.from({ length: 13 }, (_, index) => [`p${index}`, 'x'.repeat(500)]),
    );
    const problems = verdict(schema, JSON.stringify(values));
    expect(problems).toHaveLength(11);
    expect(problems.at(0)).toBe(`property "p0": expected integer, got string "${'x'.repeat(59)}…`);
    expect(problems.at(-1)).toBe('and 3 more problems');
  });
});

describe('properties with names of Object.prototype', () => {
  it('are missing unless the client sent them', () => {
    const schema = '{"type":"object","required":["toString","constructor"]}';
    expect(verdict(schema, '{"toString":1,"constructor":2}')).toBe('ok');
    expect(verdict(schema, '{}')).toEqual([
      'property "toString": required, but missing',
      'property "constructor": required, but missing',
    ]);
  });

  it('do no harm as __proto__', () => {
    expect(verdict(conjugation, '{"verb":"eat","tense":"past","__proto__":{"note":7}}')).toEqual([
      'property "__proto__": not known; known are "verb", "tense", "times", "numbers", "note"',
    ]);
    expect(verdict('{"type":"object","properties":{"a":{"type":"string"}}}', '{"__proto__":{"a":7}}')).toBe(
      'ok',
    );
    expect(({} as Record<string, unknown>).note).toBeUndefined();
  });
});

describe('the dialect of a schema', () => {
  const schema = (dialect: string, array: string) =>
    `{${dialect}"type":"object","properties":{"a":{${array}}}}`;
  const problem = ['property "a.0": expected string, got number 1'];

  it.each(['', '"$schema":"https://json-schema.org/draft/2020-12/schema",'])(
    'is 2020-12 when that or none is declared: %j',
    (dialect) => {
      expect(verdict(schema(dialect, '"prefixItems":[{"type":"string"}]'), '{"a":[1]}')).toEqual(problem);
    },
  );

  it.each(['http://json-schema.org/draft-07/schema#', 'https://json-schema.org/draft-07/schema'])(
    'is draft-07 when %s is declared',
    (uri) => {
      const dialect = `"$schema":"${uri}",`;
      expect(verdict(schema(dialect, '"prefixItems":[{"type":"string"}]'), '{"a":[1]}')).toBe('ok');
      expect(verdict(schema(dialect, '"items":[{"type":"string"}]'), '{"a":[1]}')).toEqual(problem);
    },
  );
});

describe('a schema that cannot be used', () => {
  it.each([
    ['an illegal type', '{"type":"object","properties":{"a":{"type":"unknown"}}}'],
    ['an illegal outer type', '{"type":"unknown"}'],
    ['a type that is no object', '{"type":"string"}'],
    ['an invalid pattern', '{"type":"object","properties":{"a":{"pattern":"("}}}'],
    ['two equal $id', '{"type":"object","properties":{"a":{"$id":"x"},"b":{"$id":"x","type":"string"}}}'],
    ['a reference that leads nowhere', '{"type":"object","properties":{"a":{"$ref":"#/$defs/none"}}}'],
    [
      'a reference elsewhere',
      '{"type":"object","properties":{"a":{"$ref":"http://127.0.0.1:1/schema.json"}}}',
    ],
    ['a keyword of the wrong type', '{"type":"object","required":"ab"}'],
    ['an unknown dialect', '{"$schema":"http://example.com/own","type":"object","required":["a"]}'],
    ['asynchronous checks', '{"$async":true,"type":"object","required":["a"]}'],
    ['null', 'null'],
    ['a boolean', 'true'],
    ['an array', '[]'],
    ['a type of many words', `{"type":"${'x'.repeat(1000)}"}`],
    ['nesting without end', `{"type":"object","allOf":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
    ['no schema at all', undefined],
    ['endless text', `{"type":"object","required":["a"],"description":"${'x'.repeat(256 * 1024)}"}`],
  ])('lets all arguments pass and warns once: %s', (_, schema) => {
    const { checker, warnings } = checkerWithWarnings();
    for (const text of ['{}', '{"a":1,"b":2}', '{"c":{}}', '[]']) {
      expect(checker.check(tool(schema), Buffer.from(text))).toEqual({ ok: true });
    }
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatchObject({ backend, tool: 't' });
    expect(warnings[0]?.reason.length).toBeLessThan(300);
  });

  it('leaves another tool with an equal $id checked', () => {
    const { checker, warnings } = checkerWithWarnings();
    const check = (type: string, text: string) =>
      checker.check(
        tool(`{"$id":"same","type":"object","properties":{"a":{"type":"${type}"}}}`),
        Buffer.from(text),
      ).ok;
    expect([check('string', '{"a":"x"}'), check('integer', '{"a":1}')]).toEqual([true, true]);
    expect([check('string', '{"a":1}'), check('integer', '{"a":"x"}')]).toEqual([false, false]);
    expect(warnings).toEqual([]);
  });
});

describe('a schema that asks nothing', () => {
  const free =
    '{"$schema":"x","type":"object","title":"T","properties":{},"required":[],"additionalProperties":true}';

  it('lets every object pass without reading it', () => {
    expect(verdict(free, '{ this text would not parse')).toBe('ok');
    expect(verdict('{"type":"object"}', undefined)).toBe('ok');
    expect(verdict('{}', '{"a":1}')).toBe('ok');
  });

  it('refuses what is no object', () => {
    expect(verdict(free, '7')).toEqual(['arguments: expected object, got number 7']);
  });

  it('is another one as soon as it forbids additional properties', () => {
    const closed = '{"type":"object","properties":{},"additionalProperties":false}';
    expect(verdict(closed, '{"a":1}')).toEqual(['property "a": not known']);
  });
});

describe('schemas are compiled', () => {
  it('once for all tools and all restarts with the same text', () => {
    const { checker, warnings } = checkerWithWarnings();
    for (let start = 0; start < 3; start += 1) checker.check(tool('{"type":"string"}'), undefined);
    expect(warnings).toHaveLength(1);
  });

  it('again when more than five hundred others were used since', () => {
    const { checker, warnings } = checkerWithWarnings();
    const first = tool('{"type":"string"}');
    checker.check(first, undefined);
    for (let other = 0; other < 500; other += 1) checker.check(tool(`{"title":"${other}"}`), undefined);
    checker.check(first, undefined);
    expect(warnings).toHaveLength(2);
  });

  it('with the validator at hand after a warm-up', () => {
    const { checker } = checkerWithWarnings();
    checker.warmUp();
    expect(checker.check(tool(conjugation), undefined).ok).toBe(false);
  });
});

describe('what could take for ever', () => {
  it('gives up on a regular expression that backtracks, and on it alone', () => {
    const { checker, warnings } = checkerWithWarnings();
    const evil = tool('{"type":"object","properties":{"a":{"pattern":"^(a+)+$"}}}');
    const text = Buffer.from(JSON.stringify({ a: `${'a'.repeat(60)}b` }));
    expect(checker.check(evil, Buffer.from('{"a":"b"}'))).toEqual({
      ok: false,
      problems: ['property "a": must match pattern "^(a+)+$", got string "b"'],
    });
    expect(checker.check(evil, text)).toEqual({ ok: true });
    expect(checker.check(evil, text)).toEqual({ ok: true });
    const reason = 'checking them against its inputSchema failed: took longer than 250 ms';
    expect(warnings).toEqual([{ backend, tool: 't', reason }]);
    expect(checker.check(tool(conjugation), Buffer.from('{}')).ok).toBe(false);
  });

  it('lets pass what would take more than a tenth of the time, until enough has gone by', () => {
    let nowMs = 0;
    // Every look at the clock is 100 ms later: so long takes each check.
    const { checker, warnings } = checkerWithWarnings(() => {
      nowMs += 100;
      return nowMs;
    });
    const [slow, usual] = [tool('{"type":"object","properties":{"a":{"pattern":"^b$"}}}'), tool(conjugation)];
    const fits = () => checker.check(slow, Buffer.from('{"a":"c"}')).ok;
    expect([fits(), fits(), fits(), fits(), fits()]).toEqual([false, false, false, false, true]);
    expect(checker.check(usual, Buffer.from('{}')).ok).toBe(false);
    nowMs += 1_000;
    expect(fits()).toBe(false);
    expect(warnings).toEqual([]);
  });

  it('gives up on references that branch without end', () => {
    const schema =
      '{"type":"object","properties":{"a":{"anyOf":[{"$ref":"#"},{"$ref":"#"}]}},"required":["b"]}';
    const nested = `${'{"a":'.repeat(60)}{}${'}'.repeat(60)}`;
    const { checker, warnings } = checkerWithWarnings();
    expect(checker.check(tool(schema), Buffer.from(nested))).toEqual({ ok: true });
    expect(warnings).toHaveLength(1);
  });

  it('gives up on references that go in a circle', () => {
    const { checker, warnings } = checkerWithWarnings();
    const circle = tool('{"type":"object","allOf":[{"$ref":"#"}]}');
    expect(checker.check(circle, Buffer.from('{}'))).toEqual({ ok: true });
    expect(warnings).toHaveLength(1);
  });

  it('does not read arguments of more than 256 KiB', () => {
    const schema = '{"type":"object","properties":{"a":{"type":"integer"}}}';
    const ofSize = (size: number) => `{"a":"${'x'.repeat(size - '{"a":""}'.length)}"}`;
    expect(verdict(schema, ofSize(256 * 1024))).toHaveLength(1);
    expect(verdict(schema, ofSize(256 * 1024 + 1))).toBe('ok');
  });
});
