import { describe, expect, it } from 'vitest';
import { fixture, scripted, tool } from '../helpers/fixture-backend.js';
import { startGateway } from '../helpers/gateway-process.js';
import { openSession } from '../helpers/test-client.js';

const pages = [0, 1, 2].map((page) =>
  Array.from({ length: page < 2 ? 10 : 5 }, (_, index) => tool(`t${page * 10 + index}`)),
);
const all = pages.flat().map(({ name }) => `b1__${name}`);

describe("a backend's pages", () => {
  it('are all collected and given as one; a foreign cursor is refused', async () => {
    await using gateway = await startGateway({ config: { mcpServers: { b1: scripted({ pages }) } } });
    await using client = await openSession(gateway.url);
    const { result } = await client.request('tools/list');
    expect(result?.tools?.map(({ name }) => name)).toEqual(all);
    expect(result).not.toHaveProperty('nextCursor');
    expect((await client.request('tools/list', { cursor: 'p1' })).error?.code).toBe(-32602);
    expect((await client.request('tools/list', { cursor: 5 })).error?.code).toBe(-32602);
  });

  it.each([[], ['same-cursor'], ['number-cursor']])(
    'that never end do not stop the rest (%s)',
    async (...how) => {
      await using gateway = await startGateway({
        config: {
          mcpServers: { endless: fixture('pages-for-ever', how), good: scripted({ tools: [tool('a')] }) },
        },
        until: 'listening',
      });
      await using client = await openSession(gateway.url);
      await gateway.backendWhen('endless', ({ state, tools }) => state === 'ready' && tools > 0, 20_000);
      const { tools, warnings } = await gateway.backend('endless');
      expect(tools).toBe(how.length === 0 ? 1_000 : how[0] === 'same-cursor' ? 2 : 1);
      expect(warnings).toHaveLength(1);
      const names = await client.toolNames();
      expect(names).toContain('good__a');
      expect(names).toContain('endless__tool-1');
    },
  );
});

describe('pages of our own', () => {
  it('are walked with opaque cursors to the whole list', async () => {
    await using gateway = await startGateway({
      config: { catalog: { pageSize: 7 }, mcpServers: { b1: scripted({ pages }) } },
    });
    await using client = await openSession(gateway.url);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { result } = await client.request('tools/list', cursor === undefined ? {} : { cursor });
      expect(result?.tools?.length).toBeLessThanOrEqual(7);
      seen.push(...(result?.tools ?? []).map(({ name }) => name));
      cursor = result?.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(all);
    expect((await client.request('tools/list', { cursor: 'nonsense' })).error?.code).toBe(-32602);
  });
});
