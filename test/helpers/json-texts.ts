import fc from 'fast-check';

const space = fc.constantFrom('', '', '', ' ', '\n', '\t', '\r\n  ');

const numberText = fc.oneof(
  fc.constantFrom('0', '-0', '1.0', '9007199254740993', '-9223372036854775808', '1e400', '1E-7', '-12.5e+3'),
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
);

/** Strings long enough to be read by words, with whatever ends a run of plain bytes at any place. */
const longStringText = fc
  .tuple(
    fc.integer({ min: 100, max: 400 }),
    fc.constantFrom('x', 'é', '字', '😀', '\u2028', '\u007f'),
    fc.string(),
    fc.integer({ min: 0, max: 40 }),
  )
  .map(([length, unit, middle, rest]) => JSON.stringify(unit.repeat(length) + middle + unit.repeat(rest)));

const stringText = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'binary' }).map((value) => JSON.stringify(value)) },
  { weight: 4, arbitrary: fc.string().map((value) => JSON.stringify(value)) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '"\\ud800"',
      '"\\udc00x"',
      '"\\ud83d\\ude00"',
      '"\\u0000"',
      '"\\/\\b\\f"',
      '"😀"',
      '""',
    ),
  },
  { weight: 1, arbitrary: longStringText },
);

/** A spelling of a JSON string in which some characters are written as escapes. */
export function spelled(text: string): fc.Arbitrary<string> {
  return fc.array(fc.boolean(), { minLength: text.length, maxLength: text.length }).map((escaped) => {
    const parts = [...text].map((character, i) =>
      escaped[i] === true && i % 3 === 0
        ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
        : character,
    );
    return `"${parts.join('')}"`;
  });
}

function keyText(names: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(fc.constantFrom(...names).chain(spelled), stringText);
}

/** An object's text from the texts of its keys and values, with white space of any kind around its tokens. */
export function objectText(
  members: fc.Arbitrary<readonly (readonly [string, string])[]>,
): fc.Arbitrary<string> {
  return fc.tuple(members, fc.array(space, { minLength: 8, maxLength: 8 })).map(([list, gaps]) => {
    const gap = (i: number) => gaps[i % gaps.length] ?? '';
    const inside = list.map(
      ([key, value], i) => `${gap(i)}${key}${gap(i + 1)}:${gap(i + 2)}${value}${gap(i + 3)}`,
    );
    return `{${gap(4)}${inside.join(',')}}`;
  });
}

/** Any JSON value as text; keys are often among `names`, also repeatedly. */
export function jsonText(names: readonly string[]): fc.Arbitrary<string> {
  return fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom('true', 'false', 'null'),
      numberText,
      stringText,
      fc
        .tuple(fc.array(tie('value'), { maxLength: 4 }), space)
        .map(([list, gap]) => `[${gap}${list.join(`${gap},`)}]`),
      objectText(fc.array(fc.tuple(keyText(names), tie('value')), { maxLength: 5 })),
    ),
  })).value;
}

/** The bytes of `text` after up to three small accidents. */
export function damaged(text: string): fc.Arbitrary<Buffer> {
  const bytes = Buffer.from(text);
  const position = fc.integer({ min: 0, max: bytes.length });
  const piece = fc.oneof(
    fc.constantFrom(...[...'{}[]:,"\\0-+.eEtfnu /\n\t\r\u0000\u001f\u007f\ufeff'].map((c) => Buffer.from(c))),
    fc.uint8Array({ maxLength: 2 }).map((array) => Buffer.from(array)),
  );
  const accident = fc.oneof(
    fc.record({ kind: fc.constant('insert' as const), at: position, piece }),
    fc.record({ kind: fc.constant('overwrite' as const), at: position, piece }),
    fc.record({ kind: fc.constant('delete' as const), at: position, length: fc.integer({ min: 1, max: 3 }) }),
    fc.record({
      kind: fc.constant('repeat' as const),
      at: position,
      length: fc.integer({ min: 1, max: 12 }),
    }),
    fc.record({ kind: fc.constant('cut' as const), at: position }),
  );
  return fc.array(accident, { minLength: 1, maxLength: 3 }).map((accidents) =>
    accidents.reduce<Buffer>((now, accident) => {
      const before = now.subarray(0, accident.at);
      const after = now.subarray(accident.at);
      switch (accident.kind) {
        case 'insert':
          return Buffer.concat([before, accident.piece, after]);
        case 'overwrite':
          return Buffer.concat([before, accident.piece, after.subarray(accident.piece.length)]);
        case 'delete':
          return Buffer.concat([before, after.subarray(accident.length)]);
        case 'repeat':
          return Buffer.concat([before, after.subarray(0, accident.length), after]);
        case 'cut':
          return Buffer.from(before);
        default:
          return accident satisfies never;
      }
    }, bytes),
  );
}

/** The same bytes at any alignment, between bytes that would end a string or go on with it. */
export function embedded(bytes: Buffer, lead: number): Buffer {
  const around = Buffer.from('"x"]}, 1x"'.repeat(2)).subarray(0, 16);
  const all = Buffer.alloc(lead + bytes.length + around.length, around);
  bytes.copy(all, lead);
  return all.subarray(lead, lead + bytes.length);
}
