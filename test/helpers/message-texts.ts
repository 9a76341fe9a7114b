import fc from 'fast-check';
import { paramFields } from '../../src/protocol/fields.js';
import { jsonText, objectText, spelled } from './json-texts.js';

const envelopeKeys = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'];

/** Any JSON text, in which the keys that the gateway looks at stand in all sorts of places, also repeatedly. */
export const anyText = jsonText([...envelopeKeys, ...Object.values(paramFields).flat()]);

/** Mostly simple, for the many members of a message. */
const memberText = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('0', '-1.50', 'null', '"é\\n"', '{}', '[[], "name"]', '{"name":1}'),
  },
  { weight: 1, arbitrary: anyText },
);
/** For objects inside which keys are looked at: any text could repeat one of those. */
const plainText = fc.constantFrom('0', 'null', '"é\\n"', '{}', '[[], "name"]', '{"other":1}');
const idText = fc.oneof(
  fc.constantFrom('0', '""', '9007199254740993', '-0', '1e400', '1.0', '"\\ud800"', '"\\u0061😀"'),
  fc.nat().map(String),
);
const methodText = fc.oneof(
  fc.constantFrom('"tools/call"', '"ping"', '"x\\/y"'),
  fc.constant('ping').chain(spelled),
);
const tokenText = fc.constantFrom('0', '"t"', '9007199254740993');

const metaText = recordText({
  ...Object.fromEntries(keysBelow('_meta').map((key) => [key, plainText])),
  progressToken: tokenText,
  other: memberText,
});
const refText = recordText({
  ...Object.fromEntries(keysBelow('ref').map((key) => [key, memberText])),
  other: memberText,
});
const paramsText = recordText({
  ...Object.fromEntries(Object.values(paramFields).map(([key]) => [key, memberText])),
  Name: memberText,
  _meta: fc.oneof({ weight: 4, arbitrary: metaText }, { weight: 1, arbitrary: plainText }),
  ref: fc.oneof({ weight: 4, arbitrary: refText }, { weight: 1, arbitrary: plainText }),
});

/** Good requests: members in any order, keys in any spelling, nothing repeated. */
export const requestText = recordText(
  { jsonrpc: fc.constant('"2.0"'), id: idText, method: methodText, params: paramsText, extra: memberText },
  ['jsonrpc', 'id', 'method'],
);

/** Objects that are near a message of any kind; nothing is repeated in the envelope, but anything may be wrong. */
export const messageText = fc.oneof(
  requestText,
  recordText({ jsonrpc: fc.constant('"2.0"'), id: idText, result: anyText }, ['jsonrpc', 'result']),
  recordText({ jsonrpc: fc.constant('"2.0"'), method: methodText, params: paramsText }, [
    'jsonrpc',
    'method',
  ]),
  recordText(
    {
      jsonrpc: fc.constantFrom('"2.0"', '"2.0"', '"2.0"', '"2.\\u0030"', '2.0', '"1.0"'),
      id: fc.oneof(idText, memberText),
      method: fc.oneof(methodText, memberText),
      params: memberText,
      result: memberText,
      error: memberText,
    },
    ['jsonrpc'],
  ),
);

function keysBelow(parent: string): string[] {
  return Object.values(paramFields).flatMap(([first, second]) =>
    first === parent && second !== undefined ? [second] : [],
  );
}

/** An object's text from arbitraries for its values; those that are not required may be left out. */
function recordText(
  members: Record<string, fc.Arbitrary<string>>,
  requiredKeys: string[] = [],
): fc.Arbitrary<string> {
  return fc
    .record(members, { requiredKeys })
    .chain((record) => fc.shuffledSubarray(Object.entries(record), { minLength: Object.keys(record).length }))
    .chain((entries) =>
      objectText(
        fc.tuple(
          ...entries.map(([key, value]) =>
            spelled(key).map((text): readonly [string, string] => [text, value ?? '']),
          ),
        ),
      ),
    );
}
