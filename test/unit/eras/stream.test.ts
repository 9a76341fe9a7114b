import { describe, expect, it } from 'vitest';
import { untag } from '../../../src/eras/legacy/unasked.js';
import { inputRequired } from '../../../src/eras/modern/input-required.js';
import { noticeOnStream, streamEnded, tagForStream } from '../../../src/eras/modern/stream.js';
import { metaKeys } from '../../../src/protocol/fields.js';
import { edited, notification, request } from './messages.js';

const key = metaKeys.subscriptionId;
const updated = 'notifications/resources/updated';
const text = (message: readonly Buffer[]) => Buffer.concat(message).toString();

describe('a notice on a stream', () => {
  it.each(['1', '"1"', '1.50', '"a\\"b"', '0', '9007199254740993'])(
    'has the id %s as it was written',
    (id) => {
      expect(text(noticeOnStream(id, 'm'))).toBe(
        `{"jsonrpc":"2.0","method":"m","params":{"_meta":{"${key}":${id}}}}`,
      );
      expect(text(noticeOnStream(id, 'm', { a: 1 }))).toContain(`{"_meta":{"${key}":${id}},"a":1}`);
      expect(text(streamEnded(id))).toBe(
        `{"jsonrpc":"2.0","id":${id},"result":{"resultType":"complete","_meta":{"${key}":${id}}}}`,
      );
    },
  );

  it.each([
    ['{"uri":"a:1"}', `{"_meta":{"${key}":"s"},"uri":"a:1"}`],
    ['{}', `{"_meta":{"${key}":"s"}}`],
    ['{"uri":"a:1","_meta":{}}', `{"uri":"a:1","_meta":{"${key}":"s"}}`],
    ['{"_meta":{"x":1.0}}', `{"_meta":{"${key}":"s","x":1.0}}`],
    [`{"_meta":{"x":1,"${key}":77,"y":2}}`, `{"_meta":{"x":1,"${key}":"s","y":2}}`],
    ['{"_meta":7}', `{"_meta":{"${key}":"s"}}`],
  ])('of a backend, %s, gets the id of the client’s stream', (params, expected) => {
    const message = notification(updated, params);
    expect(edited(message, tagForStream(message, '"s"'))).toBe(expected);
  });

  it.each([
    ['{"uri":"a:1"}', '{"uri":"a:1"}'],
    ['{"_meta":{"x":1}}', '{"_meta":{"x":1}}'],
    [`{"_meta":{"${key}":77},"uri":"a:1"}`, '{"_meta":{},"uri":"a:1"}'],
    [`{"_meta":{"${key}":77,"x":1.0}}`, '{"_meta":{"x":1.0}}'],
    ['{"_meta":7}', '{"_meta":7}'],
  ])('of a backend, %s, is told unasked without', (params, expected) => {
    const message = notification(updated, params);
    expect(edited(message, untag(message))).toBe(expected);
  });
});

describe('a result that asks', () => {
  it('holds the questions byte for byte, and the state', () => {
    const questions = [
      { key: 'q1', message: request('elicitation/create', '{"message":"ñ","n":1.0}') },
      { key: 'q"2', message: request('roots/list') },
    ];
    expect(text(inputRequired('"x"', questions, 's"t'))).toBe(
      '{"jsonrpc":"2.0","id":"x","result":{"resultType":"input_required","inputRequests":{' +
        '"q1":{"method":"elicitation/create","params":{"message":"ñ","n":1.0}},' +
        '"q\\"2":{"method":"roots/list"}},"requestState":"s\\"t"}}',
    );
  });
});
