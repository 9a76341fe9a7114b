import { describe, expect, it } from 'vitest';
import { fixture, scripted, tool } from '../helpers/fixture-backend.js';
import { type GatewayProcess, startGateway } from '../helpers/gateway-process.js';
import { openSession, type TestClient } from '../helpers/test-client.js';

const isListChanged = ({ method }: { method?: string }) => method === 'notifications/tools/list_changed';
const ordinary = ['set-tools', 'announce', 'runs'].map(tool);

/**
 * What a change would have caused has happened by now: another change, made afterwards at a backend of its
 * own, has been told to the client.
 */
async function settle(client: TestClient): Promise<number> {
  await client.callText('probe__set-tools', { tools: [...ordinary, tool('probed')] });
  let notices = 0;
  for (;;) {
    await client.next(isListChanged);
    notices += 1;
    if ((await client.toolNames()).includes('probe__probed')) return notices;
  }
}

const listsAsked = async (client: TestClient, backend: string) =>
  Number(await client.callText(`${backend}__runs`, { name: 'lists' }));

describe('a changed tool list', () => {
  const start = (settings: object = {}) =>
    startGateway({
      config: { mcpServers: { b1: scripted({ tools: [...ordinary, tool('a'), tool('b')] }, settings) } },
    });

  it('is told to every client once, after the new list can be read, and old names are gone', async () => {
    await using gateway = await start();
    await using one = await openSession(gateway.url);
    await using two = await openSession(gateway.url);
    await one.callText('b1__set-tools', { tools: [...ordinary, tool('b'), tool('c')] });
    for (const client of [one, two]) {
      await client.next(isListChanged);
      const names = await client.toolNames();
      expect(names).toContain('b1__c');
      expect(names).not.toContain('b1__a');
      expect((await client.call('b1__a')).error?.code).toBe(-32602);
      expect(await client.callText('b1__c', { v: 1 })).toContain('"called":"c"');
      expect(client.waiting).toEqual([]);
    }
  });

  it('is told without a difference to nobody', async () => {
    await using gateway = await startGateway({
      config: { mcpServers: { b1: scripted({ tools: ordinary }), probe: scripted({ tools: ordinary }) } },
    });
    await using client = await openSession(gateway.url);
    const before = await listsAsked(client, 'b1');
    await client.callText('b1__announce', { count: 100, everyMs: 5 });
    expect(await settle(client)).toBe(1);
    expect(client.waiting).toEqual([]);
    expect((await listsAsked(client, 'b1')) - before).toBeLessThanOrEqual(4);
  });

  it('is told to nobody when a filter hides the difference', async () => {
    await using gateway = await startGateway({
      config: {
        mcpServers: {
          b1: scripted({ tools: [...ordinary, tool('a')] }, { tools: { allow: ['a', 'set-tools'] } }),
          probe: scripted({ tools: ordinary }),
        },
      },
    });
    await using client = await openSession(gateway.url);
    await client.callText('b1__set-tools', { tools: [...ordinary, tool('a'), tool('hidden')] });
    expect(await settle(client)).toBe(1);
    expect(await client.toolNames()).not.toContain('b1__hidden');
    expect((await client.call('b1__hidden')).error?.code).toBe(-32602);
  });

  it('is asked for once and right in the end when announced three times in a row', async () => {
    await using gateway = await start();
    await using client = await openSession(gateway.url);
    await client.callText('b1__set-tools', { tools: [...ordinary, tool('x')], notices: 3 });
    await client.next(isListChanged);
    expect(await client.toolNames()).toEqual([...ordinary.map(({ name }) => `b1__${name}`), 'b1__x']);
    expect(client.waiting.filter(isListChanged)).toEqual([]);
  });

  it('at four backends at once is at most two notices', async () => {
    const names = ['b1', 'b2', 'b3', 'b4'];
    await using gateway = await startGateway({
      config: {
        mcpServers: Object.fromEntries(
          [...names, 'probe'].map((name) => [name, scripted({ tools: ordinary })]),
        ),
      },
    });
    await using client = await openSession(gateway.url);
    const changed = [...ordinary, tool('new')];
    await Promise.all(names.map((name) => client.callText(`${name}__set-tools`, { tools: changed })));
    await client.next(isListChanged);
    const ofProbe = 1;
    expect(1 + (await settle(client)) - ofProbe).toBeLessThanOrEqual(2);
    const seen = await client.toolNames();
    for (const name of names) expect(seen).toContain(`${name}__new`);
    expect(client.waiting.filter(isListChanged)).toEqual([]);
  });

  it('a hundred times a second neither floods clients nor starves calls', async () => {
    await using gateway: GatewayProcess = await startGateway({
      config: { mcpServers: { restless: fixture('changes-tools-constantly'), good: scripted() } },
    });
    await using client = await openSession(gateway.url);
    const before = performance.now();
    for (let seen = 0; seen < 3; seen += 1) await client.next(isListChanged);
    for (let v = 0; v < 20; v += 1) expect(await client.callText('good__echo', { v })).toBe(`{"v":${v}}`);
    const windows = Math.ceil((performance.now() - before) / 100) + 1;
    const notices = client.received.filter((raw) => raw.includes('list_changed')).length;
    expect(notices).toBeLessThanOrEqual(windows);
    expect(await client.callText('restless__echo', { v: 1 })).toBe('{"v":1}');
  });
});

describe('a backend that goes', () => {
  it('takes its tools with it, with one notice, once it has failed', async () => {
    await using gateway = await startGateway({
      config: {
        restart: { base: '1ms', cap: '5ms', maxExits: 1 },
        mcpServers: { b1: scripted(), good: scripted({ tools: [tool('a')] }) },
      },
    });
    await using client = await openSession(gateway.url);
    await client.call('b1__crash');
    await client.next(isListChanged);
    expect(await client.toolNames()).toEqual(['good__a']);
    expect((await gateway.backend('b1')).state).toBe('failed');
  });
});
