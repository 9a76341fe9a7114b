import { describe, expect, it } from 'vitest';
import { idKey, idText, readMessage, smallInteger, stringAt } from '../../../src/protocol/envelope.js';
import type { Malformed, Message, Span } from '../../../src/protocol/message.js';

const maxDepth = 256;

function read(text: string): Message | Malformed {
  return readMessage(Buffer.from(text), { maxDepth });
}

function readAs<K extends (Message | Malformed)['kind']>(
  kind: K,
  text: string,
): Extract<Message | Malformed, { kind: K }> {
  const message = read(text);
  if (!isA(kind, message)) throw new Error(`expected ${kind}, got ${JSON.stringify(message)}`);
  return message;
}

function isA<K extends (Message | Malformed)['kind']>(
  kind: K,
  message: Message | Malformed,
): message is Extract<Message | Malformed, { kind: K }> {
  return message.kind === kind;
}

function textOf(bytes: Buffer, span: Span | undefined): string | undefined {
  return span && bytes.toString('utf8', span.start, span.end);
}

function whole(text: string): Span {
  return { start: 0, end: Buffer.byteLength(text) };
}

describe('requests and notifications', () => {
  it('finds id, method and params of a request', () => {
    const text = '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a__b"}}';
    const request = readAs('request', text);
    expect(request.method).toBe('tools/call');
    expect(textOf(request.bytes, request.id)).toBe('7');
    expect(textOf(request.bytes, request.params)).toBe('{"name":"a__b"}');
    expect(request.multiline).toBe(false);
    expect(request.bytes.toString()).toBe(text);
  });

  it('takes a message with a method and without id for a notification', () => {
    const notification = readAs('notification', '{"jsonrpc":"2.0","method":"notifications/initialized"}');
    expect(notification.method).toBe('notifications/initialized');
    expect(notification.params).toBeUndefined();
  });

  it.each(['0', '""', '-3', '1.5', '1e400', '-0', '"1"', '"a:b:c"', '9007199254740993', '"7f3e-é-😀"'])(
    'keeps the id %s as it is written',
    (id) => {
      const request = readAs('request', `{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
      expect(idText(request.bytes, request.id)).toBe(id);
    },
  );

  it('keeps an id of 4 KiB as it is written', () => {
    const id = JSON.stringify('x'.repeat(4096));
    const request = readAs('request', `{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
    expect(idText(request.bytes, request.id)).toBe(id);
  });

  it('reads a method that the table does not know, and one that is written with escapes', () => {
    expect(readAs('request', '{"jsonrpc":"2.0","id":1,"method":"x/é"}').method).toBe('x/é');
    expect(readAs('request', '{"jsonrpc":"2.0","id":1,"method":"pin\\u0067"}').method).toBe('ping');
  });

  it('accepts a version that is written with escapes', () => {
    expect(read('{"jsonrpc":"2\\u002e0","id":1,"method":"ping"}').kind).toBe('request');
  });

  it('finds the fields of the table at all their depths', () => {
    const { bytes, fields } = readAs(
      'request',
      `{"method":"x","params":{"_meta":{"progressToken":"t","io.modelcontextprotocol/protocolVersion":"2026-07-28",
        "other":{"progressToken":1}},"ref":{"type":"ref/prompt","name":"p","uri":"u"},"name":"n","uri":null,
        "arguments":{"name":"inner","uri":"inner","_meta":{"progressToken":2}},"list":[{"name":"no"}]},
        "jsonrpc":"2.0","id":3}`,
    );
    const found = Object.entries(fields).flatMap(([name, span]) =>
      span === undefined || name === 'meta' || name === 'arguments' ? [] : [[name, textOf(bytes, span)]],
    );
    expect(Object.fromEntries(found)).toEqual({
      metaProgressToken: '"t"',
      metaRevision: '"2026-07-28"',
      refType: '"ref/prompt"',
      refName: '"p"',
      refUri: '"u"',
      name: '"n"',
      uri: 'null',
    });
    expect(textOf(bytes, fields.arguments)).toContain('"inner"');
  });

  it('takes a key written with escapes for the key it spells', () => {
    const { bytes, fields } = readAs(
      'request',
      '{"jsonrpc":"2.0","\\u0069d":1,"method":"x","params":{"\\u006eame":"n","_m\\u0065ta":{"progressTo\\u006Ben":5}}}',
    );
    expect(textOf(bytes, fields.name)).toBe('"n"');
    expect(textOf(bytes, fields.metaProgressToken)).toBe('5');
  });

  it('takes a key in other letter case for another key', () => {
    const text =
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"b1__safe","Name":"b1__danger"}}';
    const { bytes, fields } = readAs('request', text);
    expect(textOf(bytes, fields.name)).toBe('"b1__safe"');
  });

  it('forgets what the message before had', () => {
    read('{"jsonrpc":"2.0","id":1,"method":"x","params":{"name":"n","name":"m"}}');
    const { fields, params } = readAs('request', '{"jsonrpc":"2.0","id":1,"method":"x"}');
    expect(params).toBeUndefined();
    expect(Object.values(fields).every((span) => span === undefined)).toBe(true);
  });

  it.each(['\n', '\r', '\r\n'])('sees the raw line break %j between tokens', (lineBreak) => {
    expect(readAs('request', `{${lineBreak}"jsonrpc":"2.0","id":1,"method":"x"}`).multiline).toBe(true);
    expect(readAs('request', `{"jsonrpc":"2.0","id":1,"method":"x"}${lineBreak}`).multiline).toBe(true);
    expect(readAs('response', `{"jsonrpc":"2.0","id":1,"result":[${lineBreak}]}`).multiline).toBe(true);
  });

  it('sees no line break in one that is written with an escape, nor in other white space', () => {
    expect(readAs('request', '{ "jsonrpc":\t"2.0","id":1,"method":"a\\nb" }').multiline).toBe(false);
  });
});

describe('responses', () => {
  it('finds the result, wherever the id stands', () => {
    for (const text of [
      '{"jsonrpc":"2.0","id":12,"result":{"id":1}}',
      '{"result":{"id":1},"jsonrpc":"2.0","id":12}',
    ]) {
      const { bytes, id, outcome, value } = readAs('response', text);
      expect([textOf(bytes, id), outcome, textOf(bytes, value)]).toEqual(['12', 'result', '{"id":1}']);
    }
  });

  it('finds the error', () => {
    const { bytes, outcome, value } = readAs('response', '{"jsonrpc":"2.0","id":"a","error":{"code":7.5}}');
    expect([outcome, textOf(bytes, value)]).toEqual(['error', '{"code":7.5}']);
  });

  it.each([
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}',
    '{"jsonrpc":"2.0","error":{"code":-32700,"message":"m"}}',
  ])('accepts an error without a usable id: %s', (text) => {
    expect(readAs('response', text)).toMatchObject({ id: undefined, outcome: 'error' });
  });

  it.each([
    '{"jsonrpc":"2.0","id":3,"result":{},"error":{}}',
    '{"jsonrpc":"2.0","id":3}',
    '{"jsonrpc":"2.0","id":3,"result":null}',
    '{"jsonrpc":"2.0","id":3,"result":[{}]}',
    '{"jsonrpc":"2.0","id":3,"error":"boom"}',
    '{"jsonrpc":"2.0","id":3,"result":{},"error":null}',
  ])(
    'takes both or neither of result and error, and one that is no object, for an invalid answer: %s',
    (text) => {
      const { bytes, id, outcome } = readAs('response', text);
      expect([textOf(bytes, id), outcome]).toEqual(['3', 'invalid']);
    },
  );

  it.each([
    '{"jsonrpc":"2.0","id":null,"result":{}}',
    '{"jsonrpc":"2.0","result":{}}',
    '{"jsonrpc":"2.0","id":{},"error":{}}',
  ])('refuses an answer to nobody: %s', (text) => {
    expect(readAs('malformed', text)).toMatchObject({ code: -32600, idText: undefined, response: true });
  });
});

describe('texts that are no message', () => {
  it.each([
    ['{oops', 1, '"o"'],
    ['', 0, 'too early'],
    ['{"a":1', 6, 'too early'],
    ['{"a":1}x', 7, '"x"'],
    ['\ufeff{}', 0, '0xef'],
    ['{"a":"\u0001"}', 6, '0x01'],
    ['[1,]', 3, '"]"'],
  ])('answers -32700 with the place: %j', (text, at, what) => {
    const { code, reason, idText: id, response } = readAs('malformed', text);
    expect([code, id, response]).toEqual([-32700, undefined, false]);
    expect(reason).toContain(what);
    expect(reason).toMatch(new RegExp(`\\b${at}\\b`));
  });

  it.each([
    ['null', undefined, 'null'],
    ['42', undefined, '42'],
    ['"text"', undefined, '"text"'],
    ['{}', undefined, '"jsonrpc"'],
    ['{"status":200}', undefined, '"jsonrpc"'],
    ['{"jsonrpc":"2.0"}', undefined, '"method"'],
    ['{"jsonrpc":"2.0","id":null}', undefined, '"method"'],
    ['{"jsonrpc":"2.0","id":8,"params":{}}', '8', '"method"'],
    ['{"jsonrpc":"2.0","id":2,"method":5}', '2', '5'],
    ['{"jsonrpc":"2.0","id":2,"method":{}}', '2', 'an object'],
    ['{"jsonrpc":"2.0","id":3,"method":"tools/call","params":null}', '3', 'null'],
    ['{"jsonrpc":"2.0","id":3,"method":"tools/call","params":[1]}', '3', 'an array'],
    ['{"jsonrpc":"2.0","method":"x","params":"p"}', undefined, '"p"'],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', undefined, 'null'],
    ['{"jsonrpc":"2.0","id":true,"method":"ping"}', undefined, 'true'],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', undefined, 'an object'],
    ['{"jsonrpc":"2.0","id":[1],"method":"ping"}', undefined, 'an array'],
    ['{"jsonrpc":"1.0","id":5,"method":"ping"}', '5', '"1.0"'],
    ['{"jsonrpc":2.0,"id":5,"method":"ping"}', '5', '2.0'],
    ['{"jsonrpc":12.03,"id":5,"method":"ping"}', '5', '12.03'],
    ['{"jsonrpc":[2.0],"id":5,"method":"ping"}', '5', 'an array'],
    ['{"id":"five","method":"ping"}', '"five"', 'missing'],
    [`{"jsonrpc":"${'v'.repeat(99)}","id":0,"method":"ping"}`, '0', 'a long string'],
    ['{"jsonrpc":"2.0","id":6,"method":"x","result":1}', '6', '"result"'],
    ['{"jsonrpc":"2.0","id":6,"method":"x","error":1}', '6', '"error"'],
  ])('answers -32600 and echoes a readable id: %s', (text, id, what) => {
    const malformed = readAs('malformed', text);
    expect(malformed).toMatchObject({ code: -32600, idText: id, response: false });
    expect(malformed.reason).toContain(what);
  });

  it('marks a bad envelope that has an outcome and no method as an answer', () => {
    expect(readAs('malformed', '{"id":4,"result":{}}')).toMatchObject({ idText: '4', response: true });
  });
});

describe('keys that occur twice', () => {
  const call = (id: string, params: string) =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}`;

  it.each([
    [call('1', '{"name":"b1__safe","name":"b1__danger","arguments":{}}'), '1', '"params.name"'],
    [call('1', '{"name":"b1__safe","\\u006eame":"b1__danger"}'), '1', '"params.name"'],
    [call('1', '{"_meta":{},"_meta":{"progressToken":1}}'), '1', '"params._meta"'],
    [call('1', '{"_meta":{"progressToken":1,"progressToken":2}}'), '1', '"params._meta.progressToken"'],
    [call('1', '{"ref":{"name":"a"},"ref":{"name":"b"}}'), '1', '"params.ref"'],
    [call('1', '{"arguments":{},"arguments":{}}'), '1', '"params.arguments"'],
    ['{"jsonrpc":"2.0","id":3,"method":"ping","method":"tools/call"}', '3', '"method"'],
    ['{"jsonrpc":"2.0","id":3,"method":"x","params":{},"params":{}}', '3', '"params"'],
    ['{"jsonrpc":"2.0","jsonrpc":"2.0","id":3,"method":"x"}', '3', '"jsonrpc"'],
    ['{"jsonrpc":"2.0","id":1,"id":2,"method":"x"}', undefined, '"id"'],
    ['{"jsonrpc":"2.0","method":"x","method":"x","id":1,"id":2}', undefined, '"method"'],
  ])('refuses %s', (text, id, what) => {
    const malformed = readAs('malformed', text);
    expect(malformed).toMatchObject({ code: -32600, idText: id, response: false });
    expect(malformed.reason).toContain(`${what} occurs twice`);
  });

  it.each(['"result":1,"result":2', '"error":{},"error":{}'])('refuses an answer with %s', (members) => {
    const text = `{"jsonrpc":"2.0","id":1,${members}}`;
    expect(readAs('malformed', text)).toMatchObject({ idText: '1', response: true });
  });

  it('lets them pass where the gateway does not look', () => {
    expect(read(call('1', '{"name":"a","arguments":{"name":1,"name":2},"x":1,"x":2}')).kind).toBe('request');
    expect(read('{"jsonrpc":"2.0","id":1,"result":{"name":1,"name":2,"id":1,"id":2}}').kind).toBe('response');
  });
});

describe('depth', () => {
  const nested = (levels: number) =>
    `{"jsonrpc":"2.0","id":9,"method":"x","params":{"a":${'['.repeat(levels - 2)}${']'.repeat(levels - 2)}}}`;

  it('accepts the limit and refuses one level more, with the id', () => {
    expect(read(nested(maxDepth)).kind).toBe('request');
    const malformed = readAs('malformed', nested(maxDepth + 1));
    expect(malformed).toMatchObject({ code: -32600, idText: '9' });
    expect(malformed.reason).toContain('257');
  });

  it('holds for arrays at the top level', () => {
    expect(readAs('malformed', '['.repeat(257) + ']'.repeat(257)).code).toBe(-32600);
  });

  it('reads two million levels when there is no limit', () => {
    const levels = 2_000_000;
    const text = `{"jsonrpc":"2.0","id":9,"result":{"a":${'['.repeat(levels)}${']'.repeat(levels)}}}`;
    const message = readMessage(Buffer.from(text), { maxDepth: Number.POSITIVE_INFINITY });
    expect(message).toMatchObject({ kind: 'response', outcome: 'result' });
  });

  it('reports brackets that are never closed as bad JSON', () => {
    expect(readAs('malformed', '['.repeat(100_000)).code).toBe(-32700);
    expect(readAs('malformed', '{"a":'.repeat(100_000)).code).toBe(-32700);
  });
});

describe('batches', () => {
  it('gives the elements of a top-level array as they stand', () => {
    const batch = readAs('batch', ' [ {"jsonrpc":"2.0","id":1,"method":"ping"} , 1,"a,b" ,[2,[3]]] ');
    const elements = batch.elements.map((span) => textOf(batch.bytes, span));
    expect(elements).toEqual(['{"jsonrpc":"2.0","id":1,"method":"ping"}', '1', '"a,b"', '[2,[3]]']);
  });

  it('gives none for an empty array', () => {
    expect(readAs('batch', '[]').elements).toEqual([]);
  });

  it('does not mind a key that occurs twice in an element', () => {
    expect(readAs('batch', '[{"id":1,"id":2}]').elements).toHaveLength(1);
  });
});

describe('fidelity', () => {
  it('leaves numbers that JSON.parse would change where they are', () => {
    const args =
      '{"n":9223372036854775807,"f":1.0,"e":1e400,"z":-0,"long":0.1234567890123456789,"b":1,"10":2,"9":3}';
    const { bytes, fields } = readAs(
      'request',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"e","arguments":${args}}}`,
    );
    expect(textOf(bytes, fields.arguments)).toBe(args);
  });
});

describe('idKey', () => {
  it.each([
    ['"a"', '"\\u0061"'],
    ['"a/b"', '"a\\/b"'],
    ['1', '1.0'],
    ['1', '1e0'],
    ['0', '-0'],
    ['100', '1E2'],
    ['9007199254740993', '9007199254740993'],
  ])('is the same for %s and %s', (one, other) => {
    expect(idKey(one)).toBe(idKey(other));
  });

  it.each([
    ['"3"', '3'],
    ['""', '0'],
    ['9007199254740993', '9007199254740992'],
    ['1.5', '1.25'],
    ['1e400', '2e400'],
    ['"a"', '"A"'],
    ['"\\u0022"', '"\\\\\\""'],
  ])('differs for %s and %s', (one, other) => {
    expect(idKey(one)).not.toBe(idKey(other));
  });
});

describe('smallInteger', () => {
  it.each([
    ['0', 0],
    ['17', 17],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', undefined],
    ['99999999999999999', undefined],
    ['-1', undefined],
    ['1.0', undefined],
    ['1e3', undefined],
    ['"1"', undefined],
    ['null', undefined],
  ])('of %s is %s', (text, value) => {
    expect(smallInteger(Buffer.from(text), whole(text))).toBe(value);
  });
});

describe('stringAt', () => {
  it.each(['', 'a', 'é😀', '"\\', '\u2028', '\ud800', 'line\nbreak'])('decodes %j', (value) => {
    const text = JSON.stringify(value);
    expect(stringAt(Buffer.from(text), whole(text))).toBe(value);
  });

  it('is undefined for other values', () => {
    expect(stringAt(Buffer.from('12'), whole('12'))).toBeUndefined();
  });
});
