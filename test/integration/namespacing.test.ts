import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { scripted, tool } from '../helpers/fixture-backend.js';
import { startGateway } from '../helpers/gateway-process.js';
import { openSession, type TestClient } from '../helpers/test-client.js';

/** Calls a qualified name and gives the local name under which the backend heard it. */
async function heardAs(client: TestClient, name: string): Promise<string> {
  return (JSON.parse(await client.callText(name, { v: 1 })) as { called: string }).called;
}

describe('qualified names', () => {
  it('with the separator inside reach the right backend under the original name', async () => {
    const names = ['srv__run', 'get-item', '__init', 'x__', '_'];
    await using gateway = await startGateway({
      config: {
        mcpServers: {
          my: scripted({ tools: names.map(tool) }),
          'a-b': scripted({ tools: names.map(tool) }),
          my__srv: scripted({ tools: [tool('run')] }),
        },
      },
    });
    await using client = await openSession(gateway.url);
    const listed = await client.toolNames();
    expect(new Set(listed).size).toBe(11);
    const heard = await Promise.all(listed.map((name) => heardAs(client, name)));
    expect(heard).toEqual([...names, ...names, 'run']);
  });

  it('reach the right backend through two gateways', async () => {
    await using inner = await startGateway({
      config: {
        mcpServers: { my: scripted({ tools: [tool('srv__run')] }), b: scripted({ tools: [tool('x__')] }) },
      },
    });
    const bridge = fileURLToPath(new URL('../../config/clients/stdio-bridge.mjs', import.meta.url));
    await using outer = await startGateway({
      config: { mcpServers: { g: { command: process.execPath, args: [bridge, inner.url] } } },
    });
    await using client = await openSession(outer.url);
    expect(await client.toolNames()).toEqual(['g__my__srv__run', 'g__b__x__']);
    expect(await heardAs(client, 'g__my__srv__run')).toBe('srv__run');
    expect(await heardAs(client, 'g__b__x__')).toBe('x__');
  });

  it('stay within 64 characters, distinct, and the same when other tools and backends come', async () => {
    const stem = 'n'.repeat(55);
    const long = ['t'.repeat(40), `${stem}-first`, `${stem}-second`, 'u'.repeat(128)];
    const key = 'company-internal-knowledge-base';
    const listed = async (extra: string[], others: object) => {
      await using gateway = await startGateway({
        config: { mcpServers: { ...others, [key]: scripted({ tools: [...extra, ...long].map(tool) }) } },
      });
      await using client = await openSession(gateway.url);
      const names = (await client.toolNames()).slice(-long.length);
      const heard = await Promise.all(names.map((name) => heardAs(client, name)));
      expect(heard).toEqual(long);
      return names;
    };
    const first = await listed([], {});
    expect(new Set(first).size).toBe(long.length);
    for (const name of first) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(await listed(['more'], { other: scripted() })).toEqual(first);
  });

  it('are clean and distinct where original names hold other characters; an empty one is left out', async () => {
    const names = ['x.y', 'x_y', 'x/y', 'x y', 'größe', '🦊'];
    await using gateway = await startGateway({
      config: { mcpServers: { b1: scripted({ tools: ['', ...names].map(tool) }) } },
    });
    await using client = await openSession(gateway.url);
    const listed = await client.toolNames();
    expect(new Set(listed).size).toBe(names.length);
    for (const name of listed) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(await Promise.all(listed.map((name) => heardAs(client, name)))).toEqual(names);
    expect((await gateway.backend('b1')).warnings).not.toEqual([]);
  });

  it('without a namespace belong to the first backend, even while it is down; the status names both', async () => {
    await using gateway = await startGateway({
      config: {
        restart: { base: '60s', cap: '60s' },
        mcpServers: {
          one: scripted({ tools: [tool('same'), tool('crash')] }, { namespace: '' }),
          two: scripted({ tools: [tool('same'), tool('own')] }, { namespace: '' }),
        },
      },
    });
    await using client = await openSession(gateway.url);
    expect(await client.toolNames()).toEqual(['same', 'crash', 'own']);
    const { warnings } = await gateway.backend('two');
    expect(warnings.join()).toContain('one');
    expect(warnings.join()).toContain('namespace');
    await client.call('crash');
    expect(await client.toolNames()).toEqual(['same', 'crash', 'own']);
  });

  it('may use another separator and another prefix', async () => {
    await using gateway = await startGateway({
      config: {
        naming: { separator: '-' },
        mcpServers: { b1: scripted({ tools: [tool('a')] }, { namespace: 'short' }) },
      },
    });
    await using client = await openSession(gateway.url);
    expect(await client.toolNames()).toEqual(['short-a']);
    expect(await heardAs(client, 'short-a')).toBe('a');
  });
});

describe('filters', () => {
  it('show and let through what is allowed and not denied, by original name', async () => {
    await using gateway = await startGateway({
      config: {
        mcpServers: {
          b1: scripted(
            { tools: ['read_a', 'read_b', 'write_a'].map(tool) },
            { tools: { allow: ['read_*'], deny: ['*_b'] } },
          ),
        },
      },
    });
    await using client = await openSession(gateway.url);
    expect(await client.toolNames()).toEqual(['b1__read_a']);
    for (const name of ['b1__read_b', 'b1__write_a']) {
      const { error } = await client.call(name);
      expect(error?.code).toBe(-32602);
    }
  });
});
