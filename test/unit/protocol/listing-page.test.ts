import { describe, expect, it } from 'vitest';
import { type ListKind, listKinds, lists } from '../../../src/protocol/listing.js';
import { readPage } from '../../../src/protocol/listing-page.js';
import type { ResponseMessage } from '../../../src/protocol/message.js';

function answer(value: string, outcome: 'result' | 'error' = 'result'): ResponseMessage {
  const before = `{"jsonrpc":"2.0","id":1,"${outcome}":`;
  const bytes = Buffer.from(`${before}${value}}`);
  return {
    kind: 'response',
    bytes,
    id: { start: 21, end: 22 },
    outcome,
    value: { start: before.length, end: bytes.length - 1 },
    multiline: false,
  };
}

const read = (value: string, kind: ListKind = 'tools') => readPage(kind, answer(value));
const texts = (page: ReturnType<typeof readPage>) => page.entries.map((entry) => entry.text.toString());

describe('readPage', () => {
  it.each(listKinds)('reads the identifiers of %s', (kind) => {
    const { identifier } = lists[kind];
    const page = read(`{"${kind}":[{"${identifier}":"one"},{"x":1,"${identifier}":"two"}]}`, kind);
    expect(page.entries.map((entry) => entry.identifier)).toEqual(['one', 'two']);
    expect(page.nextCursor).toBeUndefined();
    expect(page.warnings).toEqual([]);
  });

  it('keeps the exact text of an entry, members that nobody knows included', () => {
    const tool =
      '{ "name" : "a", "title":"T","icons":[{"src":"i"}],"annotations":{"readOnlyHint":true},"outputSchema":{"x":1.0},' +
      '"execution":{"taskSupport":"optional"},"_meta":{"b":9223372036854775807},"x-future": {"a":[1,null,-0,1e400]},' +
      '"inputSchema":{"maximum":9007199254740993,"10":1,"9":2,"dup":1,"dup":2} }';
    expect(texts(read(`{"tools":[ ${tool} ,\t${tool}]}`))).toEqual([tool, tool]);
  });

  it('points at the JSON string of the identifier, whatever characters stand before it', () => {
    const [entry] = read('{"tools":[{"title":"größe 🦊","name":"x\\u002ey \\"é\\""}]}').entries;
    expect(entry?.identifier).toBe('x.y "é"');
    const { start = 0, end = 0 } = entry?.identifierSpan ?? {};
    expect(entry?.text.toString('utf8', start, end)).toBe('"x\\u002ey \\"é\\""');
  });

  it('takes only the identifier of the entry itself', () => {
    const [entry] = read(
      '{"tools":[{"inputSchema":{"name":"inner"},"name":"outer","_meta":{"name":"m"}}]}',
    ).entries;
    expect(entry?.identifier).toBe('outer');
  });

  it('takes the last of two identifiers, as JSON.parse does', () => {
    expect(read('{"tools":[{"name":"a","n\\u0061me":"b"}]}').entries[0]?.identifier).toBe('b');
  });

  it('keeps tools whose schemas are odd', () => {
    const tools = [
      '{"name":"a","inputSchema":{"type":"unknown"}}',
      '{"name":"b","inputSchema":{"type":"string"}}',
      '{"name":"c","outputSchema":{"$schema":"http://json-schema.org/draft-07/schema#"}}',
      '{"name":"d","inputSchema":{"type":"object","properties":{"p":{"format":"ipv9","pattern":"("}}}}',
      '{"name":"e","inputSchema":{"$id":"same"}}',
      '{"name":"f","inputSchema":{"$id":"same"}}',
      '{"name":"g"}',
      '{"name":"h","inputSchema":null}',
    ];
    const page = read(`{"tools":[${tools.join(',')}]}`);
    expect(texts(page)).toEqual(tools);
    expect(page.warnings).toEqual([]);
  });

  it('skips what is no object or has no usable name, and says which and why', () => {
    const page = read(
      '{"tools":[{"name":"a"},null,[1],"b",{"name":""},{"title":"c"},{"name":7},{"name":null},{"name":"d"}]}',
    );
    expect(page.entries.map((entry) => entry.identifier)).toEqual(['a', 'd']);
    expect(page.warnings).toEqual([
      'tools/list: skipped tools[1]: it is null, expected an object',
      'tools/list: skipped tools[2]: it is an array, expected an object',
      'tools/list: skipped tools[3]: it is a string, expected an object',
      'tools/list: skipped tools[4]: its "name" is empty',
      'tools/list: skipped tools[5]: it has no "name"',
      'tools/list: skipped tools[6]: its "name" is a number, expected a string',
      'tools/list: skipped tools[7]: its "name" is null, expected a string',
    ]);
  });

  it('names twenty skipped entries and counts the others', () => {
    const page = read(`{"tools":[${Array(25).fill('0').join(',')}]}`);
    expect(page.warnings).toHaveLength(21);
    expect(page.warnings.at(-1)).toBe('tools/list: skipped 5 more entries');
  });

  it.each([
    ['{"tools":null}', 'null'],
    ['{"tools":{"0":{"name":"a"}}}', 'an object'],
    ['{"tools":"[]"}', 'a string'],
    ['{"Tools":[{"name":"a"}]}', 'missing'],
    ['{}', 'missing'],
  ])('takes %s for an empty list', (value, found) => {
    expect(read(value)).toEqual({
      entries: [],
      nextCursor: undefined,
      warnings: [`tools/list: "tools" is ${found}, expected an array`],
    });
  });

  it.each([answer('[]'), answer('null'), answer('{"code":-32601,"message":"m"}', 'error')])(
    'takes an answer without a result object for an empty list',
    (response) => {
      const page = readPage('prompts', response);
      expect(page).toEqual({
        entries: [],
        nextCursor: undefined,
        warnings: ['prompts/list was answered without a result object'],
      });
    },
  );

  it.each([
    ['"p2"', 'p2'],
    ['""', ''],
    ['"\\u00e9\\n"', 'é\n'],
  ])('gives the cursor %s', (text, cursor) => {
    expect(read(`{"nextCursor":${text},"tools":[]}`)).toMatchObject({ nextCursor: cursor, warnings: [] });
  });

  it.each([
    ['7', 'a number'],
    ['null', 'null'],
    ['false', 'false'],
    ['["p2"]', 'an array'],
  ])('ends the list with a warning when the cursor is %s', (text, found) => {
    const page = read(`{"tools":[{"name":"a"}],"nextCursor":${text}}`);
    expect(page.entries).toHaveLength(1);
    expect(page.nextCursor).toBeUndefined();
    expect(page.warnings).toEqual([
      `tools/list: "nextCursor" is ${found}, expected a string; the list ends here`,
    ]);
  });

  it('does not keep the memory of the answer around the list', () => {
    const response = answer(`{"_meta":"${'x'.repeat(100_000)}","tools":[{"name":"a"},{"name":"b"}]}`);
    const [first, second] = readPage('tools', response).entries;
    expect(first?.text.buffer).not.toBe(response.bytes.buffer);
    expect(first?.text.buffer).toBe(second?.text.buffer);
    expect(first?.text.buffer.byteLength).toBeLessThan(10_000);
  });
});
