import { describe, expect, it } from 'vitest';
import type { Seen } from '../../helpers/router-harness.js';
import { createHarness, ScriptedBackend } from '../../helpers/router-harness.js';

const kinds = [
  ['tools/list', 'tools'],
  ['prompts/list', 'prompts'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
] as const;

describe.each(kinds)('%s', (method, kind) => {
  const all = (count: number, prefix = '') =>
    Array.from({ length: count }, (_, index) => `${prefix}e${index}`);

  function set(pageSize: number) {
    const backend = new ScriptedBackend('b1');
    const harness = createHarness([backend], { catalog: { graceMs: 2_000, pageSize } });
    harness.ready(backend, { [kind]: all(25) });
    const client = harness.client();
    client.initialize();
    const list = (params?: object): Seen => {
      client.request(1, method, params);
      return client.last;
    };
    return { backend, harness, list };
  }

  const size = ({ result }: Seen) => (result?.[kind] as unknown[] | undefined)?.length;

  it('has everything on one page by default, and no cursor', () => {
    const { list } = set(0);
    expect(size(list())).toBe(25);
    expect(list().result).not.toHaveProperty('nextCursor');
    expect(list({ cursor: 'nonsense' })).toMatchObject({ id: 1, error: { code: -32602 } });
    expect(list({ cursor: '' })).toMatchObject({ id: 1, error: { code: -32602 } });
  });

  it('comes in pages of the size that is set, to the end', () => {
    const { list } = set(10);
    const sizes: unknown[] = [];
    let page = list();
    sizes.push(size(page));
    while (page.result?.nextCursor !== undefined) {
      page = list({ cursor: page.result.nextCursor });
      sizes.push(size(page));
    }
    expect(sizes).toEqual([10, 10, 5]);
  });

  it('refuses cursors that are no page of its own', () => {
    const { list } = set(10);
    const other = kinds.find(([, name]) => name !== kind)?.[0] ?? '';
    for (const cursor of ['nonsense', '', 7, null, Buffer.from(`${other} 10`).toString('base64url')]) {
      expect(list({ cursor })).toMatchObject({ id: 1, error: { code: -32602 } });
    }
  });

  it('refuses a cursor behind the end of a list that became shorter', () => {
    const { backend, harness, list } = set(10);
    list();
    const cursor = list({ cursor: list().result?.nextCursor }).result?.nextCursor;
    harness.ready(backend, { [kind]: all(11, 'other') });
    expect(list({ cursor })).toMatchObject({ error: { code: -32602 } });
  });
});
