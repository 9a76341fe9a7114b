import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idKey, idText, readMessage } from '../../../src/protocol/envelope.js';
import { type FieldName, paramFields } from '../../../src/protocol/fields.js';
import { isJsonObject } from '../../../src/protocol/json.js';
import type { Malformed, Message, Span } from '../../../src/protocol/message.js';
import { type Edit, splice } from '../../../src/protocol/splice.js';
import { damaged, embedded, spelled } from '../../helpers/json-texts.js';
import { anyText, messageText, requestText } from '../../helpers/message-texts.js';

const numRuns = 2000;
const noLimit = { maxDepth: Number.POSITIVE_INFINITY };
const fieldNames = Object.keys(paramFields) as FieldName[];
const lead = fc.integer({ min: 0, max: 7 });

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (parent, key) => (isJsonObject(parent) && Object.hasOwn(parent, key) ? parent[key] : undefined),
    value,
  );
}

/** Compares what was read from `bytes` with what `JSON.parse` makes of the same text. */
function expectAgreement(bytes: Buffer, message: Message | Malformed): void {
  const reference = parsed(bytes.toString());
  expect(message.kind === 'malformed' && message.code === -32700).toBe(reference === undefined);
  if (reference === undefined) return;
  const { value } = reference;
  const at = (span: Span | undefined) => span && JSON.parse(bytes.toString('utf8', span.start, span.end));
  switch (message.kind) {
    case 'malformed':
      if (message.idText !== undefined) expect(JSON.parse(message.idText)).toEqual(valueAt(value, ['id']));
      return;
    case 'batch':
      expect(message.elements.map(at)).toEqual(value);
      return;
    case 'response':
      expect(at(message.id) ?? null).toEqual(valueAt(value, ['id']) ?? null);
      if (message.outcome !== 'invalid') expect(at(message.value)).toEqual(valueAt(value, [message.outcome]));
      return;
    case 'request':
    case 'notification':
      expect(message.kind === 'request' ? at(message.id) : undefined).toEqual(valueAt(value, ['id']));
      expect(message.method).toBe(valueAt(value, ['method']));
      expect(at(message.params)).toEqual(valueAt(value, ['params']));
      for (const name of fieldNames) {
        expect(at(message.fields[name])).toEqual(valueAt(value, ['params', ...paramFields[name]]));
      }
      return;
    default:
      message satisfies never;
  }
}

describe('the scan beside JSON.parse', () => {
  it('agrees on generated texts', () => {
    fc.assert(
      fc.property(anyText, lead, (text, offset) => {
        const bytes = embedded(Buffer.from(text), offset);
        expectAgreement(bytes, readMessage(bytes, noLimit));
      }),
      { numRuns },
    );
  });

  it('agrees on generated messages', () => {
    const kinds = new Set<string>();
    fc.assert(
      fc.property(messageText, lead, (text, offset) => {
        const bytes = embedded(Buffer.from(text), offset);
        const message = readMessage(bytes, noLimit);
        kinds.add(message.kind);
        expectAgreement(bytes, message);
      }),
      { numRuns: numRuns / 2 },
    );
    expect([...kinds].sort()).toEqual(['malformed', 'notification', 'request', 'response']);
  });

  it('agrees on damaged texts', () => {
    const verdicts = { good: 0, bad: 0 };
    fc.assert(
      fc.property(fc.oneof(anyText, messageText).chain(damaged), lead, (damage, offset) => {
        fc.pre(isUtf8(damage));
        const bytes = embedded(damage, offset);
        const message = readMessage(bytes, noLimit);
        verdicts[message.kind === 'malformed' && message.code === -32700 ? 'bad' : 'good']++;
        expectAgreement(bytes, message);
      }),
      { numRuns },
    );
    expect(Math.min(verdicts.good, verdicts.bad)).toBeGreaterThan(100);
  });

  it('agrees on every text of up to four of the bytes that matter', () => {
    const alphabet = [...'{}[],:"\\01-.e \n'];
    let texts = [''];
    for (let length = 1; length <= 4; length++) {
      texts = texts.flatMap((text) => alphabet.map((character) => text + character));
      for (const text of texts) {
        const message = readMessage(Buffer.from(text), noLimit);
        const bad = message.kind === 'malformed' && message.code === -32700;
        if (bad !== (parsed(text) === undefined)) expect.fail(`disagrees on ${JSON.stringify(text)}`);
      }
    }
  });

  it('names the same place for a bad text and for what stands before that place', () => {
    fc.assert(
      fc.property(anyText.chain(damaged), (bytes) => {
        const at = faultOf(bytes);
        fc.pre(at !== undefined);
        expect([undefined, at]).toContain(faultOf(bytes.subarray(0, at)));
      }),
      { numRuns },
    );
  });
});

function faultOf(bytes: Buffer): number | undefined {
  const message = readMessage(bytes, noLimit);
  if (message.kind !== 'malformed' || message.code !== -32700) return undefined;
  return Number(/(?:at byte|after) (\d+)/.exec(message.reason)?.[1]);
}

describe('keys that occur twice', () => {
  it('makes a message malformed, in whatever spelling and place the second stands', () => {
    const twice = fc.constantFrom('jsonrpc', 'id', 'method', 'params', 'result', 'error');
    fc.assert(
      fc.property(
        twice.chain((key) => fc.tuple(fc.constant(key), spelled(key), spelled(key), anyText, anyText)),
        fc.boolean(),
        ([key, one, other, value, otherValue], between) => {
          const text = `{${one}:${value},${between ? '"x":{},' : ''}${other}:${otherValue},"z":1}`;
          const message = readMessage(Buffer.from(text), noLimit);
          expect(message).toMatchObject({ kind: 'malformed', code: -32600 });
          expect(message.kind === 'malformed' && message.reason).toMatch(/occurs twice/);
          if (key === 'id') expect(message).toMatchObject({ idText: undefined });
        },
      ),
      { numRuns },
    );
  });
});

describe('splicing what was read', () => {
  it('changes id, name and progress token and no other byte', () => {
    fc.assert(
      fc.property(requestText, fc.string(), fc.boolean(), (text, name, flatten) => {
        const bytes = Buffer.from(text);
        const message = readMessage(bytes, noLimit);
        if (message.kind !== 'request') throw new Error(`no request: ${text}`);
        const { id, fields } = message;
        const edits: Edit[] = [{ start: id.start, end: id.end, text: '4711' }];
        if (fields.name) edits.push({ ...fields.name, text: JSON.stringify(name) });
        if (fields.metaProgressToken) edits.push({ ...fields.metaProgressToken, text: Buffer.from('4711') });
        edits.sort((a, b) => a.start - b.start);
        const spliced = Buffer.concat(splice(bytes, edits, { flatten, lineEnd: true })).toString();

        expect(bytes.toString()).toBe(text);
        expect(spliced.endsWith('\n')).toBe(true);
        if (flatten) expect(spliced.slice(0, -1)).not.toMatch(/[\r\n]/);
        const expected = JSON.parse(text);
        expected.id = 4711;
        if (fields.name) expected.params.name = name;
        if (fields.metaProgressToken) expected.params._meta.progressToken = 4711;
        expect(JSON.parse(spliced)).toEqual(expected);

        const kept = [];
        let from = 0;
        for (const edit of edits) {
          kept.push(bytes.toString('utf8', from, edit.start));
          from = edit.end;
        }
        kept.push(bytes.toString('utf8', from));
        let at = 0;
        for (const part of kept.map((part) => (flatten ? part.replace(/[\r\n]/g, ' ') : part))) {
          at = spliced.indexOf(part, at);
          expect(at).toBeGreaterThanOrEqual(0);
          at += part.length;
        }
      }),
      { numRuns: numRuns / 2 },
    );
  });
});

describe('ids', () => {
  it('are equal under idKey exactly when JSON.parse says so, for strings and safe integers', () => {
    const idValue = fc.oneof(fc.string({ unit: 'binary', maxLength: 3 }), fc.integer({ min: -3, max: 30 }));
    const spelling = idValue.chain((value) =>
      typeof value === 'string'
        ? spelled(value.replace(/[^ !#-Z^-~]/g, '_'))
        : fc.constantFrom(`${value}`, `${value}.0`, `${value}e0`),
    );
    fc.assert(
      fc.property(spelling, spelling, (one, other) => {
        expect(idKey(one) === idKey(other)).toBe(JSON.parse(one) === JSON.parse(other));
        expect(idKey(one)).toBe(idKey(one));
      }),
      { numRuns },
    );
  });

  it('come back as the text they were written in', () => {
    const id = fc.oneof(
      fc.string({ unit: 'binary' }).map((value) => JSON.stringify(value)),
      fc.integer().map(String),
      fc.bigInt().map(String),
      fc.constantFrom('1.0', '1e400', '-0', '0', '9007199254740993', '"\\u0061"'),
    );
    fc.assert(
      fc.property(id, (text) => {
        const bytes = Buffer.from(`{"jsonrpc":"2.0","id":${text},"method":"ping"}`);
        const message = readMessage(bytes, noLimit);
        expect(message.kind === 'request' && idText(bytes, message.id)).toBe(text);
      }),
      { numRuns },
    );
  });
});
