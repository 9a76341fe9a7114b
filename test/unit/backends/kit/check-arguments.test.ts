import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkArguments } from '../../../../backends/kit/check-arguments.js';
import type { ObjectSchema } from '../../../../backends/kit/schema.js';
import type { JsonObject } from '../../../../src/protocol/json.js';

const schema: ObjectSchema = {
  type: 'object',
  properties: {
    mode: { type: 'string', enum: ['fast', 'slow'] },
    label: { type: 'string' },
    count: { type: 'integer', minimum: 1, maximum: 6 },
    ratio: { type: 'number' },
    exact: { type: 'boolean' },
    values: { type: 'array', items: { type: 'number' }, minItems: 1 },
    place: {
      type: 'object',
      properties: { x: { type: 'number' } },
      required: ['x'],
      additionalProperties: false,
    },
  },
  required: ['mode'],
  additionalProperties: false,
};

const problem = (input: JsonObject) => checkArguments('draw', schema, input);

describe('checkArguments', () => {
  it('accepts what the schema describes', () => {
    expect(problem({ mode: 'fast' })).toBeUndefined();
    expect(
      problem({ mode: 'slow', label: '', count: 6, ratio: -0.5, exact: false, values: [1], place: { x: 0 } }),
    ).toBeUndefined();
  });

  it.each<[JsonObject, string]>([
    [{}, '"mode" is missing'],
    [{ mode: 'quick' }, '"mode" must be one of "fast", "slow", got "quick"'],
    [{ mode: 'fast', label: 7 }, '"label" must be a string, got 7'],
    [{ mode: 'fast', label: null }, '"label" must be a string, got null'],
    [{ mode: 'fast', count: 7 }, '"count" must be a finite integer from 1 up to 6, got 7'],
    [{ mode: 'fast', count: 1.5 }, '"count" must be a finite integer from 1 up to 6, got 1.5'],
    [{ mode: 'fast', ratio: '1' }, '"ratio" must be a finite number, got "1"'],
    [{ mode: 'fast', ratio: JSON.parse('1e400') }, '"ratio" must be a finite number, got Infinity'],
    [{ mode: 'fast', exact: 0 }, '"exact" must be true or false, got 0'],
    [{ mode: 'fast', values: [] }, '"values" must be an array of at least 1, got an array of 0'],
    [{ mode: 'fast', values: {} }, '"values" must be an array of at least 1, got an object'],
    [{ mode: 'fast', values: [1, 2, 'x', 'y'] }, '"values[2]" must be a finite number, got "x"'],
    [{ mode: 'fast', place: {} }, '"place.x" is missing'],
    [{ mode: 'fast', place: { x: true } }, '"place.x" must be a finite number, got true'],
    [{ mode: 'fast', constructor: 1 }, '"constructor" is not an argument of this tool'],
  ])('says of %j that %s', (input, text) => {
    expect(problem(input)).toContain(`invalid arguments for tool "draw": ${text}. The tool takes `);
  });

  it('names the problems of all arguments at once, so that one correction is enough', () => {
    expect(problem({ label: 1, count: 0, extra: 1 })).toMatch(
      /"mode" is missing; "label" must .*; "count" must .*; "extra" is not an argument/,
    );
  });

  it('says what the tool takes, so that a model can mend its call', () => {
    expect(problem({})).toContain(
      'The tool takes "mode" (one of "fast", "slow"), "label" (optional, a string)',
    );
    expect(
      checkArguments('now', { type: 'object', properties: {}, additionalProperties: false }, { a: 1 }),
    ).toBe(
      'invalid arguments for tool "now": "a" is not an argument of this tool. The tool takes no arguments',
    );
  });

  it('ignores unknown members unless the schema forbids them', () => {
    expect(checkArguments('open', { type: 'object', properties: {} }, { a: 1 })).toBeUndefined();
  });

  it('stays short however large the value is', () => {
    const long = 'x'.repeat(1_000_000);
    expect(problem({ mode: long, values: Array(100_000).fill(long), [long]: 1 })?.length).toBeLessThan(1_500);
  });

  it('does not take inherited names for arguments', () => {
    const inherited = {
      type: 'object',
      properties: { toString: { type: 'string' } },
      required: ['toString'],
    } as const;
    expect(checkArguments('t', inherited, {})).toContain('"toString" is missing');
  });

  it('agrees with a full JSON Schema validator, for any arguments', () => {
    const validate = new Ajv2020().compile(schema);
    const value = fc.oneof(
      fc.constantFrom(
        'fast',
        'slow',
        1,
        6,
        7,
        0.5,
        true,
        null,
        [],
        [1],
        [1, 'a'],
        {},
        { x: 1 },
        { x: 1, y: 2 },
      ),
      fc.jsonValue(),
    );
    const input = fc.dictionary(fc.constantFrom(...Object.keys(schema.properties), 'other'), value);
    fc.assert(
      fc.property(fc.tuple(input, fc.boolean()), ([members, withMode]) => {
        const candidate = (withMode ? { ...members, mode: 'fast' } : members) as JsonObject;
        expect(problem(candidate) === undefined).toBe(validate(candidate));
      }),
      { numRuns: 1_000 },
    );
  });
});
