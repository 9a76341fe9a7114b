import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CatalogView, mergeListings } from '../../../src/catalog/merge.js';
import { listKinds } from '../../../src/protocol/listing.js';
import type { BackendKey } from '../../../src/shared/ids.js';
import { emptyListing, entry, listing, naming, source } from './listings.js';

const shown = <O>(view: CatalogView<O>, kind: (typeof listKinds)[number] = 'tools') =>
  view.entries(kind).map((one) => one.shownAs);

describe('mergeListings', () => {
  it('lists everything in the order of the sources and of their listings', () => {
    const view = mergeListings(
      [
        source('b', listing({ tools: ['z', 'a'], prompts: ['p'] })),
        source('a', listing({ tools: ['m'], resources: ['x:1'], resourceTemplates: ['x:{id}'] })),
      ],
      naming,
    );
    expect(shown(view)).toEqual(['b__z', 'b__a', 'a__m']);
    expect(shown(view, 'prompts')).toEqual(['b__p']);
    expect(shown(view, 'resources')).toEqual(['x:1']);
    expect(shown(view, 'resourceTemplates')).toEqual(['x:{id}']);
    expect(view.warnings).toEqual([]);
  });

  it('routes names to owner and local name without ever splitting them', () => {
    const names = ['srv__run', 'get-item', '__init', 'x__', '_'];
    const keys = ['my-srv', 'my', 'a-b', 'g'];
    const view = mergeListings(
      keys.map((key) => source(key, listing({ tools: names, prompts: names }))),
      naming,
    );
    for (const key of keys) {
      for (const name of names) {
        const expected = { owner: `process of ${key}`, backend: key, localName: name };
        expect(view.tool(`${key}__${name}`)).toMatchObject(expected);
        expect(view.prompt(`${key}__${name}`)).toMatchObject(expected);
      }
    }
    expect(view.tool('my__my-srv__srv__run')).toBeUndefined();
  });

  it('routes the qualified name of a chained gateway', () => {
    const view = mergeListings([source('g', listing({ tools: ['my__srv__run'] }))], naming);
    expect(view.tool('g__my__srv__run')?.localName).toBe('my__srv__run');
  });

  it('tells tools and prompts of the same name apart', () => {
    const view = mergeListings([source('a', listing({ tools: ['t'], prompts: ['p'] }))], naming);
    expect(view.tool('a__p')).toBeUndefined();
    expect(view.prompt('a__t')).toBeUndefined();
  });

  it('does not mistake members of Object.prototype for names', () => {
    const view = mergeListings([source('a', emptyListing)], naming);
    for (const name of ['constructor', '__proto__', 'toString']) {
      expect(view.tool(name)).toBeUndefined();
      expect(view.resource(name)).toBeUndefined();
    }
    const bare = source('b', listing({ tools: ['__proto__', 'constructor'] }), { namespace: '' });
    expect(mergeListings([bare], naming).tool('__proto__')?.localName).toBe('__proto__');
  });

  it('gives cleaned names a route to the original and says so once per backend', () => {
    const originals = ['x.y', 'x_y', 'x/y', 'x y', 'größe', '🦊'];
    const view = mergeListings([source('b1', listing({ tools: originals }))], naming);
    expect(new Set(shown(view)).size).toBe(6);
    expect(shown(view).map((name) => view.tool(name)?.localName)).toEqual(originals);
    expect(view.warnings).toHaveLength(1);
    expect(view.warnings[0]?.backend).toBe('b1');
    expect(view.warnings[0]?.text).toMatch(
      /^5 tool names had to be cleaned .* "x\.y" to "b1__x_y_[0-9a-f]{8}"/,
    );
  });

  it('keeps names that are too long distinct, and the same when other tools come', () => {
    const common = 'n'.repeat(55);
    const originals = ['a'.repeat(40), `${common}aaaaa`, `${common}${'b'.repeat(73)}`];
    const key = 'company-internal-knowledge-base';
    const alone = shown(mergeListings([source(key, listing({ tools: originals }))], naming));
    const more = mergeListings(
      [
        source('first', listing({ tools: originals })),
        source(key, listing({ tools: ['new', ...originals] })),
      ],
      naming,
    );
    expect(new Set(alone).size).toBe(3);
    expect(alone.map((name) => more.tool(name)?.localName)).toEqual(originals);
    expect(alone.map((name) => more.tool(name)?.backend)).toEqual([key, key, key]);
  });

  it('lets the first backend own a bare name that two have, and says what cures it', () => {
    const bare = { namespace: '' };
    const view = mergeListings(
      [
        source('first', listing({ tools: ['search'] }), bare),
        source('second', listing({ tools: ['search', 'other'] }), bare),
      ],
      naming,
    );
    expect(shown(view)).toEqual(['search', 'other']);
    expect(view.tool('search')?.owner).toBe('process of first');
    expect(view.warnings).toEqual([
      {
        backend: 'second',
        text:
          'tool "search" of backend "second" is left out: "search" belongs to backend "first", which stands ' +
          'first in the configuration; give "second" another "namespace"',
      },
    ]);
  });

  it('keeps the first of two tools that one backend lists under one name', () => {
    const twice = { ...emptyListing.entries, tools: [entry('tools', 'a'), entry('tools', 'a')] };
    const view = mergeListings([source('b', { entries: twice, warnings: [] })], naming);
    expect(view.tool('b__a')?.entry).toBe(twice.tools[0]);
    expect(view.warnings.map(({ text }) => text)).toEqual([
      'tool "a" of backend "b" is left out: the backend lists that name more than once',
    ]);
  });

  it('neither lists nor routes tools that the settings filter out, by their local names', () => {
    const offered = listing({ tools: ['a', 'b', 'danger'], prompts: ['danger'] });
    const view = mergeListings(
      [source('x', offered, { tools: { allow: ['a', 'd*'], deny: ['danger'] } })],
      naming,
    );
    expect(shown(view)).toEqual(['x__a']);
    expect(view.tool('x__danger')).toBeUndefined();
    expect(view.prompt('x__danger')).toBeDefined();
  });

  it('passes on the warnings of the listings, at most twenty a backend', () => {
    const many = Array.from({ length: 25 }, (_, index) => `warning ${index}`);
    const view = mergeListings([source('a', listing({}, many)), source('b', listing({}, ['one']))], naming);
    const texts = view.warnings.filter(({ backend }) => backend === 'a').map(({ text }) => text);
    expect(texts).toEqual([...many.slice(0, 20), 'and 5 more warnings']);
    expect(view.warnings.at(-1)).toEqual({ backend: 'b', text: 'one' });
  });
});

describe('URIs in the merged view', () => {
  const readme = 'file:///README.md';
  const key = (name: string) => name as BackendKey;

  it('leaves a URI to the first backend that lists it and prefixes it for the others', () => {
    const view = mergeListings(
      ['a', 'b_2', 'c'].map((name) => source(name, listing({ resources: [readme] }))),
      naming,
    );
    expect(shown(view, 'resources')).toEqual([readme, `b-2+${readme}`, `c+${readme}`]);
    expect(view.resource(readme)?.owner).toBe('process of a');
    expect(view.resource(`b-2+${readme}`)).toMatchObject({
      owner: 'process of b_2',
      entry: { identifier: readme },
    });
    expect(view.warnings).toEqual([]);
  });

  it('does the same with templates', () => {
    const template = 'db://{table}/{id}';
    const view = mergeListings(
      ['a', 'b'].map((name) => source(name, listing({ resourceTemplates: [template] }))),
      naming,
    );
    expect(shown(view, 'resourceTemplates')).toEqual([template, `b+${template}`]);
  });

  it('prefixes all URIs of a backend whose settings ask for it', () => {
    const view = mergeListings(
      [
        source('a', listing({ resources: [readme], resourceTemplates: ['x:{y}'] }), { uris: 'prefixed' }),
        source('b', listing({ resources: [readme] })),
      ],
      naming,
    );
    expect(shown(view, 'resources')).toEqual([`a+${readme}`, readme]);
    expect(shown(view, 'resourceTemplates')).toEqual(['a+x:{y}']);
    expect(view.resource(readme)?.backend).toBe('b');
    expect(view.shownUri(key('a'), 'x:unlisted')).toBe('a+x:unlisted');
  });

  it('prefixes with the key where the namespace is empty', () => {
    const view = mergeListings(
      ['a', 'b'].map((name) => source(name, listing({ resources: [readme] }), { namespace: '' })),
      naming,
    );
    expect(shown(view, 'resources')).toEqual([readme, `b+${readme}`]);
  });

  it('shows a URI in a result as the form that leads back to the backend that wrote it', () => {
    const view = mergeListings(
      [source('a', listing({ resources: [readme] })), source('b', emptyListing)],
      naming,
    );
    expect(view.shownUri(key('a'), readme)).toBe(readme);
    expect(view.shownUri(key('b'), readme)).toBe(`b+${readme}`);
    expect(view.shownUri(key('b'), 'x:other')).toBe('x:other');
  });

  it('finds the backend of any prefixed URI', () => {
    const view = mergeListings([source('a', emptyListing), source('a-b', emptyListing)], naming);
    expect(view.prefixed('a-b+db://t/a%2Fb')).toEqual({ owner: 'process of a-b', uri: 'db://t/a%2Fb' });
    expect(view.prefixed('c+db://t/1')).toBeUndefined();
    expect(view.prefixed('db://t/1')).toBeUndefined();
  });

  it('leaves out a URI whose prefixed form is taken too, and says so', () => {
    const view = mergeListings(
      [
        source('a', listing({ resources: [readme, `b+${readme}`] })),
        source('b', listing({ resources: [readme] })),
      ],
      naming,
    );
    expect(shown(view, 'resources')).toEqual([readme, `b+${readme}`]);
    expect(view.warnings.map(({ backend, text }) => `${backend}: ${text}`)).toEqual([
      `b: resource "${readme}" of backend "b" is left out: "b+${readme}" belongs to backend "a", which stands ` +
        'first in the configuration; give "b" another "namespace"',
    ]);
  });

  it('keeps the first of two resources that one backend lists under one URI', () => {
    const view = mergeListings([source('a', listing({ resources: [readme, readme] }))], naming);
    expect(shown(view, 'resources')).toEqual([readme]);
    expect(view.warnings.map(({ text }) => text)).toEqual([
      `resource "${readme}" of backend "a" is left out: the backend lists that URI more than once`,
    ]);
  });
});

describe('any merge', () => {
  const identifiers = fc.array(fc.constantFrom('a', 'b', 'x.y', 'x_y', 'n'.repeat(70)), { maxLength: 5 });
  const sources = fc
    .array(
      fc.record({
        tools: identifiers,
        prompts: identifiers,
        resources: identifiers,
        namespace: fc.constantFrom('', 'same', 'own'),
        uris: fc.constantFrom<'original' | 'prefixed'>('original', 'prefixed'),
      }),
      { maxLength: 5 },
    )
    .map((all) =>
      all.map(({ namespace, uris, ...names }, index) =>
        source(`k${index}`, listing(names), {
          namespace: namespace === 'own' ? `k${index}` : namespace,
          uris,
        }),
      ),
    );

  it('shows every name once and routes it to the entry that it shows', () => {
    fc.assert(
      fc.property(sources, (all) => {
        const view = mergeListings(all, naming);
        for (const kind of listKinds) expect(new Set(shown(view, kind)).size).toBe(shown(view, kind).length);
        for (const one of view.entries('tools')) expect(view.tool(one.shownAs)).toBe(one);
        for (const one of view.entries('prompts')) expect(view.prompt(one.shownAs)).toBe(one);
        for (const one of view.entries('resources')) expect(view.resource(one.shownAs)).toBe(one);
      }),
    );
  });

  it('gives a backend with a namespace of its own the same names whoever else is there', () => {
    fc.assert(
      fc.property(sources, fc.nat(), (all, pick) => {
        const own = all.filter((one) => one.namespace === one.key);
        const chosen = own[pick % Math.max(own.length, 1)];
        if (chosen === undefined) return;
        const alone = shown(mergeListings([chosen], naming));
        const together = mergeListings(all, naming)
          .entries('tools')
          .filter(({ backend }) => backend === chosen.key)
          .map(({ shownAs }) => shownAs);
        expect(together).toEqual(alone);
      }),
    );
  });
});
