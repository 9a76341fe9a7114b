import { describe, expect, it } from 'vitest';
import { mergeListings } from '../../../src/catalog/merge.js';
import { createPages } from '../../../src/catalog/pages.js';
import { type ListKind, listKinds, lists } from '../../../src/protocol/listing.js';
import { emptyListing, entryFromText, listing, naming, source } from './listings.js';

/** The members of a page as a result object; their text ends with its brace and that of the message around it. */
function result(page: Buffer | undefined): { nextCursor?: string } & Partial<Record<ListKind, object[]>> {
  const text = page?.toString() ?? 'no page';
  expect(text.at(-1)).toBe('}');
  return JSON.parse(`{${text.slice(0, -1)}`);
}

const viewOf = (texts: readonly string[], namespace = 'b') => {
  const tools = texts.map((text) => entryFromText('tools', text));
  const offered = { entries: { ...emptyListing.entries, tools }, warnings: [] };
  return mergeListings([source('b', offered, { namespace })], naming);
};

const names = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`);

describe('a page with everything', () => {
  const odd =
    '{ "title":"T é", "name" : "a\\u002e\\"b" ,"_meta":{"n":9223372036854775807},"x-future": {"a":[1,null,1.0,-0,1e400]}, ' +
    '"annotations":{"name":"a"},"icons":[],"outputSchema":{"10":1,"9":2},"execution":{} }';

  it('differs from what the backends wrote in the names alone', () => {
    const page = createPages(viewOf([odd, '{"name":"plain"}']), 0).page('tools', undefined);
    const shown = `"tools":[${odd.replace('"a\\u002e\\"b"', '"b__a_b_00000000"')},{"name":"b__plain"}]}}`;
    expect(page?.toString().replace(/a_b_[0-9a-f]{8}/, 'a_b_00000000')).toBe(shown);
  });

  it('keeps the bytes of entries whose names stay, even names written with escapes', () => {
    const text = '{"name":"pl\\u0061in", "x":1}';
    const page = createPages(viewOf([text], ''), 0).page('tools', undefined);
    expect(page?.toString()).toBe(`"tools":[${text}]}}`);
  });

  it.each(listKinds)('answers with an empty list where there are no %s', (kind) => {
    const pages = createPages(mergeListings([], naming), 0);
    expect(pages.page(kind, undefined)?.toString()).toBe(`"${kind}":[]}}`);
  });

  it('shows prefixed URIs and templates', () => {
    const offered = listing({ resources: ['x:1'], resourceTemplates: ['x:{id}'] });
    const pages = createPages(mergeListings([source('b', offered, { uris: 'prefixed' })], naming), 0);
    expect(result(pages.page('resources', undefined)).resources).toEqual([
      { uri: 'b+x:1', description: 'd' },
    ]);
    expect(result(pages.page('resourceTemplates', undefined)).resourceTemplates).toEqual([
      { uriTemplate: 'b+x:{id}', description: 'd' },
    ]);
  });

  it('is made once', () => {
    const pages = createPages(viewOf([odd]), 0);
    expect(pages.page('tools', undefined)).toBe(pages.page('tools', undefined));
  });

  it.each(['nonsense', 'p2', '', Buffer.from('tools 1').toString('base64url')])(
    'refuses the cursor %j, because it never gave one',
    (cursor) => {
      expect(createPages(viewOf([odd, odd]), 0).page('tools', cursor)).toBeUndefined();
    },
  );
});

describe('pages of a limited size', () => {
  it.each(listKinds)('give all %s, each once and in order', (kind) => {
    const view = mergeListings([source('b', listing({ [kind]: names(25) }))], naming);
    const pages = createPages(view, 10);
    const sizes: number[] = [];
    const seen: unknown[] = [];
    let cursor: string | undefined;
    do {
      const { nextCursor, [kind]: entries = [] } = result(pages.page(kind, cursor));
      sizes.push(entries.length);
      seen.push(
        ...entries.map((one) => Object.entries(one).find(([key]) => key === lists[kind].identifier)?.[1]),
      );
      cursor = nextCursor;
    } while (cursor !== undefined);
    expect(sizes).toEqual([10, 10, 5]);
    expect(seen).toEqual(view.entries(kind).map(({ shownAs }) => shownAs));
  });

  it('give no cursor when the last page is full', () => {
    const pages = createPages(mergeListings([source('b', listing({ tools: names(10) }))], naming), 10);
    expect(result(pages.page('tools', undefined)).nextCursor).toBeUndefined();
  });

  it('are made once each', () => {
    const pages = createPages(mergeListings([source('b', listing({ tools: names(25) }))], naming), 10);
    const { nextCursor } = result(pages.page('tools', undefined));
    expect(pages.page('tools', nextCursor)).toBe(pages.page('tools', nextCursor));
  });

  it('refuse cursors that are none of theirs', () => {
    const offered = listing({ tools: names(25), prompts: names(25) });
    const pages = createPages(mergeListings([source('b', offered)], naming), 10);
    const { nextCursor = '' } = result(pages.page('tools', undefined));
    expect(pages.page('prompts', nextCursor)).toBeUndefined();
    for (const place of ['tools 0', 'tools 5', 'tools 30', 'tools -10', 'tools 1e1']) {
      expect(pages.page('tools', Buffer.from(place).toString('base64url'))).toBeUndefined();
    }
    for (const foreign of ['', 'nonsense', 'p2', `${nextCursor}=`]) {
      expect(pages.page('tools', foreign)).toBeUndefined();
    }
  });

  it('go on where they were when the catalog changes in between, and refuse a place that is gone', () => {
    const pagesOf = (count: number) =>
      createPages(mergeListings([source('b', listing({ tools: names(count) }))], naming), 10);
    const { nextCursor } = result(pagesOf(25).page('tools', undefined));
    expect(result(pagesOf(12).page('tools', nextCursor)).tools).toHaveLength(2);
    expect(pagesOf(10).page('tools', nextCursor)).toBeUndefined();
  });
});
