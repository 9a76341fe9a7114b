import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readIncoming } from '../../../../backends/kit/incoming.js';

const read = (text: string) => readIncoming(Buffer.from(text), true);

/** What a line that is no message is answered with. */
function refusal(text: string) {
  const incoming = read(text);
  return incoming.kind === 'malformed' ? { id: incoming.id, code: incoming.error.code } : incoming;
}

describe('readIncoming', () => {
  it('reads a request with its id, also when that is 0 or an empty text', () => {
    expect(read('{"jsonrpc":"2.0","id":0,"method":"ping"}')).toEqual({
      kind: 'request',
      id: 0,
      method: 'ping',
      params: {},
    });
    expect(read('{"jsonrpc":"2.0","id":"","method":"a","params":{"b":1}}')).toMatchObject({
      id: '',
      params: { b: 1 },
    });
  });

  it('reads a message without an id as a notification', () => {
    expect(read('{"jsonrpc":"2.0","method":"notifications/initialized"}')).toEqual({
      kind: 'notification',
      method: 'notifications/initialized',
      params: {},
    });
  });

  it.each(['{"jsonrpc":"2.0","id":1,"result":{}}', '{"jsonrpc":"2.0","id":null,"error":{}}', '{"result":1}'])(
    'takes %s for a response, which must not be answered',
    (line) => {
      expect(read(line)).toEqual({ kind: 'response' });
    },
  );

  it.each(['{', 'hello', '{"jsonrpc":"2.0","id":1,"method":"ping"', "{'id':1}", 'NaN', '1 2'])(
    'refuses %j as no JSON with -32700 and id null',
    (line) => {
      expect(refusal(line)).toEqual({ id: null, code: -32700 });
    },
  );

  it('refuses a line that is not UTF-8 with -32700', () => {
    const incoming = readIncoming(Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}'), false);
    expect(incoming).toMatchObject({ kind: 'malformed', id: null, error: { code: -32700 } });
  });

  it.each([
    ['[]', null],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', null],
    ['1', null],
    ['"text"', null],
    ['null', null],
    ['{}', null],
    ['{"id":1,"method":"ping"}', 1],
    ['{"jsonrpc":"1.0","id":"a","method":"ping"}', 'a'],
    ['{"jsonrpc":"2.0","id":0}', 0],
    ['{"jsonrpc":"2.0","id":2,"method":7}', 2],
    ['{"jsonrpc":"2.0","id":3,"method":"ping","params":"x"}', 3],
    ['{"jsonrpc":"2.0","id":4,"method":"ping","params":null}', 4],
    ['{"jsonrpc":"2.0","method":1,"params":"bar"}', null],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', null],
    ['{"jsonrpc":"2.0","id":true,"method":"ping"}', null],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', null],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', null],
    ['{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', null],
  ])('refuses %s as no request with -32600 and id %j', (line, id) => {
    expect(refusal(line)).toEqual({ id, code: -32600 });
  });

  it('refuses positional parameters with -32602, and ignores those of a notification', () => {
    expect(refusal('{"jsonrpc":"2.0","id":5,"method":"ping","params":[1]}')).toEqual({ id: 5, code: -32602 });
    expect(read('{"jsonrpc":"2.0","method":"x","params":[1]}')).toMatchObject({
      kind: 'notification',
      params: {},
    });
  });

  it('reads 100,000 brackets without falling over', () => {
    expect(refusal('['.repeat(100_000))).toEqual({ id: null, code: -32700 });
    expect(refusal('['.repeat(100_000) + ']'.repeat(100_000))).toEqual({ id: null, code: -32600 });
  });

  it('never throws, and calls only JSON anything but a parse error, for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const incoming = read(text);
        const isParseError = incoming.kind === 'malformed' && incoming.error.code === -32700;
        expect(isParseError).toBe(!isJson(text));
      }),
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
