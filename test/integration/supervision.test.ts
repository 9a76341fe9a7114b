import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../helpers/config-file.js';
import { eventually } from '../helpers/eventually.js';
import { fixture, fixturePath, scripted, tool } from '../helpers/fixture-backend.js';
import { startGateway } from '../helpers/gateway-process.js';
import { openSession } from '../helpers/test-client.js';

const isListChanged = ({ method }: { method?: string }) => method === 'notifications/tools/list_changed';

describe('a backend that keeps crashing', () => {
  it.each([
    ['before its handshake', fixture('crashes-before-handshake'), /exit code 3/, /no licence found/],
    ['in a loop', fixture('crashes-in-loop'), /exit code 1/, /cannot open the database/],
    ['on the first byte, with exit code 0', fixture('exits-on-first-byte'), /exit code 0/, /^$/],
  ])(
    '%s, is given up with its exit and last words; 30 clients get quick errors and start nothing',
    async (_when, entry, reason, words) => {
      await using gateway = await startGateway({
        config: { catalog: { grace: '100ms' }, mcpServers: { bad: entry, good: scripted() } },
        until: 'listening',
      });
      const clients = await Promise.all(Array.from({ length: 30 }, () => openSession(gateway.url)));
      await gateway.backendWhen('bad', ({ state }) => state === 'failed');
      const before = (await gateway.backend('bad')).starts;
      for (let round = 0; round < 3; round += 1) {
        const replies = await Promise.all(clients.map((client) => client.call('bad__echo')));
        for (const { error } of replies) expect(error?.message).toBeTruthy();
        expect(
          gateway.descendants().filter(({ command }) => command.includes(String(entry.args?.[0]))).length,
        ).toBeLessThan(2);
      }
      const status = await gateway.backendWhen('bad', ({ state }) => state !== 'starting');
      expect(status.reason).toMatch(reason);
      expect(status.stderrTail).toMatch(words);
      // Asking for it may start it early, once at a time; that is no storm.
      expect(status.starts - before).toBeLessThan(8);
      expect(await clients[0]?.callText('good__echo', { v: 1 })).toBe('{"v":1}');
      for (const client of clients) await client[Symbol.asyncDispose]();
    },
  );

  it('and recovers later, comes back by itself', async () => {
    using folder = temporaryFolder();
    const starts = folder.write('starts', '');
    await using gateway = await startGateway({
      config: {
        restart: { base: '10ms', cap: '50ms', maxExits: 4, retryFailed: '100ms' },
        mcpServers: { b1: fixture('fails-six-times', [starts]) },
      },
      until: 'listening',
    });
    await using client = await openSession(gateway.url);
    await gateway.backendWhen('b1', ({ state }) => state === 'ready');
    expect(await client.callText('b1__echo', { v: 1 })).toBe('{"v":1}');
  });

  it('leaves no zombie', async () => {
    await using gateway = await startGateway({
      config: {
        restart: { base: '1ms', cap: '5ms', maxExits: 1_000 },
        mcpServers: { b1: fixture('crashes-in-loop') },
      },
      until: 'listening',
    });
    await gateway.backendWhen('b1', ({ starts }) => starts > 10);
    expect(gateway.children().filter(({ state }) => state === 'Z').length).toBeLessThan(2);
    expect(gateway.children().length).toBeLessThan(3);
  });
});

describe('a command that is not there', () => {
  it('is named in the reason, with the PATH that was searched', async () => {
    await using gateway = await startGateway({
      config: { mcpServers: { b1: { command: 'no-such-binary' } } },
      env: { PATH: '/usr/bin:/bin' },
    });
    const { reason } = await gateway.backend('b1');
    expect(reason).toContain('no-such-binary');
    expect(reason).toContain('/usr/bin:/bin');
  });
});

describe('a restart', () => {
  it('is invisible when nothing changed: same names, no notice, calls work', async () => {
    await using gateway = await startGateway({ config: { mcpServers: { b1: scripted() } } });
    await using client = await openSession(gateway.url);
    const before = (await client.request('tools/list')).result;
    await client.call('b1__crash');
    expect((await client.request('tools/list')).result).toEqual(before);
    expect(await client.callText('b1__echo', { v: 1 })).toBe('{"v":1}');
    await gateway.backendWhen('b1', ({ state }) => state === 'ready');
    expect((await client.request('tools/list')).result).toEqual(before);
    expect(client.waiting).toEqual([]);
  });

  it('reads the list anew and tells of a change once', async () => {
    using folder = temporaryFolder();
    const toolsFile = folder.write('tools.json', [tool('crash'), tool('a'), tool('b')]);
    await using gateway = await startGateway({ config: { mcpServers: { b1: scripted({ toolsFile }) } } });
    await using client = await openSession(gateway.url);
    expect(await client.toolNames()).toEqual(['b1__crash', 'b1__a', 'b1__b']);
    folder.write('tools.json', [tool('b'), tool('c')]);
    await client.call('b1__crash');
    await client.next(isListChanged);
    expect(await client.toolNames()).toEqual(['b1__b', 'b1__c']);
    for (let v = 0; v < 10; v += 1) await client.callText('b1__c', { v });
    expect((await client.call('b1__a')).error?.code).toBe(-32602);
    expect(client.waiting.filter(isListChanged)).toEqual([]);
  });

  it('happens once however many calls wait for it', async () => {
    await using gateway = await startGateway({ config: { mcpServers: { b1: scripted() } } });
    await using client = await openSession(gateway.url);
    await client.call('b1__crash');
    const pids = await Promise.all(Array.from({ length: 30 }, () => client.callText('b1__pid')));
    expect(new Set(pids).size).toBe(1);
    expect((await gateway.backend('b1')).starts).toBe(2);
  });
});

describe('wrappers', () => {
  // The server behind them is one that only a signal to the whole group can end.
  const script = `"${process.execPath}" "${fixturePath('ignores-sigterm-and-eof')}"; true`;
  const wrapped = { command: 'sh', args: ['-c', `sh -c '${script}'; true`] };

  it('are ended with the server behind them, at a restart and at the end', async () => {
    await using gateway = await startGateway({ config: { mcpServers: { b1: wrapped } } });
    await using client = await openSession(gateway.url);
    const servers = () => gateway.descendants().filter(({ command }) => command.startsWith(process.execPath));
    const [first] = servers();
    const { pid: wrapperPid } = await gateway.backend('b1');
    expect(wrapperPid).not.toBe(first?.pid);
    process.kill(wrapperPid as number, 'SIGKILL');
    await gateway.backendWhen('b1', ({ state, starts }) => state === 'ready' && starts === 2);
    await eventually('the end of the old server', () => !servers().some(({ pid }) => pid === first?.pid));
    expect(servers()).toHaveLength(1);
    expect(await client.callText('b1__echo', { v: 1 })).toBe('{"v":1}');
    expect(await gateway.stop()).toEqual({ code: 0, signal: null });
    await eventually('the end of all processes', () => gateway.descendants().length === 0, 1_500);
  });
});

describe('a backend that ignores end of input and SIGTERM', () => {
  it('is ended within the bounds when the gateway stops, after its answers were given', async () => {
    await using gateway = await startGateway({
      config: {
        stop: { endOfInput: '200ms', terminate: '200ms' },
        mcpServers: { b1: fixture('ignores-sigterm-and-eof') },
      },
    });
    await using client = await openSession(gateway.url);
    const answer = client.callText('b1__echo', { v: 1 });
    expect(await answer).toBe('{"v":1}');
    expect(await gateway.stop()).toEqual({ code: 0, signal: null });
    expect(gateway.descendants()).toEqual([]);
  });
});
