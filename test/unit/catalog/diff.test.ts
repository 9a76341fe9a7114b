import { describe, expect, it } from 'vitest';
import { changedKinds } from '../../../src/catalog/diff.js';
import { mergeListings } from '../../../src/catalog/merge.js';
import type { CatalogSource } from '../../../src/catalog/source.js';
import type { Listing } from '../../../src/protocol/listing.js';
import { emptyListing, entryFromText, listing, naming, source } from './listings.js';

const all = () =>
  listing({ tools: ['a', 'b'], prompts: ['p'], resources: ['x:1'], resourceTemplates: ['x:{id}'] });
const view = (...sources: readonly CatalogSource<string>[]) => mergeListings(sources, naming);
const withTool = (text: string): Listing => ({
  entries: { ...emptyListing.entries, tools: [entryFromText('tools', text)] },
  warnings: [],
});

describe('changedKinds', () => {
  it('finds no difference when a backend lists the same again', () => {
    expect(changedKinds(view(source('s', all())), view(source('s', all())))).toEqual([]);
  });

  it('names exactly the kinds that differ', () => {
    const other = listing({
      tools: ['a', 'b'],
      prompts: ['p', 'q'],
      resources: ['x:2'],
      resourceTemplates: ['x:{id}'],
    });
    expect(changedKinds(view(source('s', all())), view(source('s', other)))).toEqual([
      'prompts',
      'resources',
    ]);
  });

  it('names all kinds of a backend that goes', () => {
    expect(changedKinds(view(source('s', all())), view())).toEqual([
      'tools',
      'prompts',
      'resources',
      'resourceTemplates',
    ]);
  });

  it('sees another order and another text under the same name', () => {
    const before = view(source('s', listing({ tools: ['a', 'b'] })));
    expect(changedKinds(before, view(source('s', listing({ tools: ['b', 'a'] }))))).toEqual(['tools']);
    const one = view(source('s', withTool('{"name":"a","x":1}')));
    expect(changedKinds(one, view(source('s', withTool('{"name":"a","x":1.0}'))))).toEqual(['tools']);
  });

  it('does not see what clients do not: the way a replaced name was written, warnings, filtered tools', () => {
    const one = view(source('s', withTool('{"name":"a","x":1}')));
    expect(changedKinds(one, view(source('s', withTool('{"name":"\\u0061","x":1}'))))).toEqual([]);
    const filter = { tools: { allow: ['a'], deny: [] } };
    const before = view(source('s', listing({ tools: ['a'] }), filter));
    expect(changedKinds(before, view(source('s', listing({ tools: ['a', 'b'] }, ['w']), filter)))).toEqual(
      [],
    );
  });
});
