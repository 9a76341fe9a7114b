import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Catalog } from '../../../src/catalog/catalog.js';
import type { BackendKey } from '../../../src/shared/ids.js';
import { listing, naming, source } from './listings.js';

const key = (text: string) => text as BackendKey;
const catalogOf = (keys: readonly string[]) => new Catalog<string>(keys.map(key), { naming, pageSize: 0 });
const text = (catalog: Catalog<string>) => catalog.pages.page('tools', undefined)?.toString();

describe('Catalog', () => {
  it('is empty before any listing', () => {
    const catalog = catalogOf(['a']);
    expect(text(catalog)).toBe('"tools":[]}}');
    expect(catalog.isListed(key('a'))).toBe(false);
  });

  it('names what an update changed, and can be read by then', () => {
    const catalog = catalogOf(['a']);
    expect(catalog.put(source('a', listing({ tools: ['t'], resources: ['x:1'] })))).toEqual([
      'tools',
      'resources',
    ]);
    expect(catalog.view.tool('a__t')?.owner).toBe('process of a');
    expect(text(catalog)).toContain('"a__t"');
    expect(catalog.isListed(key('a'))).toBe(true);
  });

  it('reports no change when a backend lists the same again', () => {
    const catalog = catalogOf(['a']);
    catalog.put(source('a', listing({ tools: ['t'] })));
    expect(catalog.put(source('a', listing({ tools: ['t'] })))).toEqual([]);
  });

  it('takes the entries of a backend out when its listing goes', () => {
    const catalog = catalogOf(['a', 'b']);
    catalog.put(source('a', listing({ tools: ['t'] })));
    catalog.put(source('b', listing({ tools: ['t'] })));
    expect(catalog.remove(key('a'))).toEqual(['tools']);
    expect(catalog.view.tool('a__t')).toBeUndefined();
    expect(catalog.view.tool('b__t')).toBeDefined();
    expect(catalog.isListed(key('a'))).toBe(false);
  });

  it('gives a bare name to the first backend of the configuration, even when that one comes late', () => {
    const catalog = catalogOf(['a', 'b']);
    const bare = { namespace: '' };
    catalog.put(source('b', listing({ tools: ['t'] }), bare));
    expect(catalog.view.tool('t')?.backend).toBe('b');
    catalog.put(source('a', listing({ tools: ['t'] }), bare));
    expect(catalog.view.tool('t')?.backend).toBe('a');
    expect(catalog.view.warnings.map(({ backend }) => backend)).toEqual(['b']);
    catalog.remove(key('a'));
    expect(catalog.view.tool('t')?.backend).toBe('b');
    expect(catalog.view.warnings).toEqual([]);
  });

  it('ignores listings of backends that it does not know', () => {
    const catalog = catalogOf(['a']);
    expect(catalog.put(source('stranger', listing({ tools: ['t'] })))).toEqual([]);
  });

  it('reads the same in whatever order the backends started', () => {
    const keys = ['a', 'b', 'c', 'd'];
    const namespaces = fc.constantFrom('', undefined);
    const order = fc.shuffledSubarray(keys, { minLength: keys.length });
    fc.assert(
      fc.property(order, namespaces, (started, namespace) => {
        const [inOrder, shuffled] = [catalogOf(keys), catalogOf(keys)];
        const changes = namespace === undefined ? {} : { namespace };
        const offer = (name: string) => source(name, listing({ tools: ['t', 'x.y', name] }), changes);
        for (const name of keys) inOrder.put(offer(name));
        for (const name of started) shuffled.put(offer(name));
        expect(text(shuffled)).toBe(text(inOrder));
        expect(shuffled.view.warnings).toEqual(inOrder.view.warnings);
      }),
    );
  });
});

describe('an overlay of the catalog', () => {
  it('puts the processes of one session at their places, for that session alone', () => {
    const catalog = catalogOf(['a', 'own', 'c']);
    catalog.put(source('a', listing({ tools: ['t'] })));
    catalog.put(source('c', listing({ tools: ['t'] })));
    const shared = catalog.view;
    const own = source('own', listing({ tools: ['t'] }), { owner: 'process of session 7' });
    const overlay = catalog.overlay(new Map([[own.key, own]])).view;
    expect(overlay.entries('tools').map(({ shownAs }) => shownAs)).toEqual(['a__t', 'own__t', 'c__t']);
    expect(overlay.tool('own__t')?.owner).toBe('process of session 7');
    expect(catalog.view).toBe(shared);
    expect(catalog.view.tool('own__t')).toBeUndefined();
  });
});
