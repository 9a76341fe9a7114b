import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Message, ResponseMessage } from '../../../src/protocol/message.js';
import type { BackendKey } from '../../../src/shared/ids.js';
import type { Backend } from '../../../src/supervisor/backend.js';
import { temporaryFolder } from '../../helpers/config-file.js';
import { eventually } from '../../helpers/eventually.js';
import { backendSettings } from '../../helpers/settings.js';
import { Supervised } from './supervised.js';

const revisionKey = 'io.modelcontextprotocol/protocolVersion';
const quickRestart = { ...backendSettings().restart, baseMs: 10 };

function program(name: string, ...args: readonly string[]) {
  const path = fileURLToPath(new URL(`../../fixtures/modern/${name}.mjs`, import.meta.url));
  return { args: [path, ...args], restart: quickRestart };
}
const sdk = (eras: 'both' | 'modern' | 'legacy') => program('sdk-server', eras);
const raw = (options: object = {}) => program('raw', JSON.stringify(options));

function result({ bytes }: ResponseMessage) {
  return JSON.parse(bytes.toString()).result;
}

async function call(backend: Backend, name: string, args: object = {}): Promise<string> {
  const answer = await backend.request('tools/call', { name, arguments: { ...args } });
  return result(answer).content[0].text;
}

async function received(backend: Backend) {
  const { lines } = result(await backend.request('received', undefined));
  return (lines as string[]).map((line) => JSON.parse(line));
}

function updates(messages: readonly [BackendKey, Message][]): Message[] {
  return messages
    .map(([, message]) => message)
    .filter(
      (message) => message.kind === 'notification' && message.method === 'notifications/resources/updated',
    );
}

describe('servers of the official SDK', () => {
  it.each([
    ['both', 'auto', 'modern', '2026-07-28'],
    ['modern', 'auto', 'modern', '2026-07-28'],
    ['legacy', 'auto', 'legacy', '2025-11-25'],
    ['both', 'legacy', 'legacy', '2025-11-25'],
    ['both', 'modern', 'modern', '2026-07-28'],
  ] as const)(
    'that speak %s serve as %s: %s, with one process, through calls, changes and subscriptions',
    async (speaks, era, found, revision) => {
      await using supervised = new Supervised({ b: { ...sdk(speaks), era } });
      await supervised.supervisor.started;
      const backend = supervised.get('b');
      const key = 'b' as BackendKey;
      expect(backend.state).toMatchObject({
        kind: 'ready',
        peer: {
          era: found,
          revision,
          serverInfo: { name: `sdk-${speaks}` },
          instructions: 'Ask politely.',
        },
      });
      expect(supervised.tools.get(key)).toEqual(['pid', 'add', 'touch']);
      expect(await call(backend, 'pid')).toBe(String(supervised.pid('b')));
      await call(backend, 'add', { name: 'late' });
      await eventually('the new tool', () => supervised.tools.get(key)?.includes('late'));

      if (found === 'modern') {
        expect(result(await backend.subscribe('memo://note'))).toEqual({});
        await call(backend, 'touch', { uri: 'memo://other' });
        await call(backend, 'touch', { uri: 'memo://note' });
        await eventually('the update', () => updates(supervised.messages).length > 0);
        expect(updates(supervised.messages)).toHaveLength(1);
        expect(result(await backend.unsubscribe('memo://note'))).toEqual({});
        await call(backend, 'add', { name: 'later' });
        await eventually('the newer tool', () => supervised.tools.get(key)?.includes('later'));
      }
      expect(backend.status()).toMatchObject({ starts: 1, lastExit: null });
    },
  );

  it('that speak one era alone cannot be made to speak the other', async () => {
    await using supervised = new Supervised({
      modern: { ...sdk('modern'), era: 'legacy' },
      legacy: { ...sdk('legacy'), era: 'modern' },
    });
    await supervised.supervisor.started;
    const reasons = supervised.exits.map(([key, { reason }]) => [key, reason]);
    expect(Object.fromEntries(reasons)).toMatchObject({
      modern: expect.stringContaining('initialize: answered with error -32022'),
      legacy: 'server/discover: answered with error -32601: Method not found',
    });
  });

  it('are of the same era after a restart, and tell of changes again', async () => {
    await using supervised = new Supervised({ b: sdk('modern') });
    await supervised.supervisor.started;
    const first = supervised.pid('b');
    process.kill(first, 'SIGKILL');
    await eventually('the restart', () => {
      const { pid, state } = supervised.get('b').status();
      return state === 'ready' && pid !== first;
    });
    expect(supervised.get('b').status()).toMatchObject({ era: 'modern', starts: 2, restarts: 1 });
    await call(supervised.get('b'), 'add', { name: 'late' });
    await eventually('the new tool', () => supervised.tools.get('b' as BackendKey)?.includes('late'));
  });
});

describe('a modern server', () => {
  it('never hears a bare message of ours, from the probe to a replaced stream and a cancellation', async () => {
    await using supervised = new Supervised({ b: raw() });
    await supervised.supervisor.started;
    const backend = supervised.get('b');
    await backend.subscribe('a:1');
    await backend.unsubscribe('a:1');
    await expect(backend.request('unheard-of', { a: 1 }, 60_000)).resolves.toMatchObject({
      outcome: 'error',
    });
    const lines = await received(backend);
    for (const { params } of lines) expect(params?._meta).toHaveProperty([revisionKey], '2026-07-28');
    const said = lines.map(({ method }) => method);
    expect(said[0]).toBe('server/discover');
    expect(said.filter((method) => method === 'subscriptions/listen')).toHaveLength(3);
    expect(said.filter((method) => method === 'notifications/cancelled')).toHaveLength(2);
    expect(said).not.toContain('initialize');
    expect(supervised.exits).toEqual([]);
  });

  it.each(['dies', 'silent'])(
    'that %s on its first probe is started anew, and no exit is told',
    async (probe) => {
      using folder = temporaryFolder();
      const once = `${folder.path}/once`;
      await using supervised = new Supervised({
        b: { ...raw({ probe, once, legacy: true }), probeTimeoutMs: 300 },
      });
      await supervised.supervisor.started;
      expect(supervised.get('b').status()).toMatchObject({
        state: 'ready',
        era: 'legacy',
        starts: 2,
        restarts: 0,
        lastExit: null,
      });
      expect(supervised.exits).toEqual([]);
    },
  );

  it('that was too slow for its first probe is found out at the next start', async () => {
    using folder = temporaryFolder();
    const once = `${folder.path}/once`;
    await using supervised = new Supervised({
      b: { ...raw({ probe: 'silent', once }), probeTimeoutMs: 400 },
    });
    await eventually('readiness', () => supervised.get('b').state.kind === 'ready');
    expect(supervised.get('b').status()).toMatchObject({ era: 'modern', starts: 3, restarts: 1 });
  });

  it.each([
    ['nonsense', { discover: { hello: 1 } }],
    ['revisions of tomorrow alone', { discover: { supportedVersions: ['2099-01-01'], capabilities: {} } }],
    ['an error of its own', { discoverError: { code: -32000, message: 'busy' } }],
  ])('that answers the probe with %s is initialized in the same process', async (_what, options) => {
    await using supervised = new Supervised({ b: raw({ ...options, legacy: true }) });
    await supervised.supervisor.started;
    expect(supervised.get('b').status()).toMatchObject({ state: 'ready', era: 'legacy', starts: 1 });
  });

  it('that lies about its revisions backs off, with what it said', async () => {
    const data = { supported: ['2026-07-28'], requested: '2026-07-28' };
    await using supervised = new Supervised({
      b: raw({ discoverError: { code: -32022, message: 'unsupported', data } }),
    });
    await supervised.supervisor.started;
    expect(supervised.exits[0]?.[1].reason).toBe('server/discover: answered with error -32022: unsupported');
  });
});

describe('the stream of changes of a modern server', () => {
  it.each(['never', 'untagged', undefined])('(acknowledged: %s) tells of changes', async (listen) => {
    await using supervised = new Supervised({ b: { ...raw({ listen }), probeTimeoutMs: 1_000 } });
    await supervised.supervisor.started;
    const backend = supervised.get('b');
    await backend.request('change', { tags: [null] });
    await eventually('the new tool', () => supervised.tools.get('b' as BackendKey)?.includes('t1'));
    expect(result(await backend.subscribe('a:1'))).toEqual({});
    await backend.request('touch', { uri: 'a:1', tags: [null] });
    expect(updates(supervised.messages)).toHaveLength(1);
  });

  it('is not mistaken for another: notices with a foreign id are dropped', async () => {
    await using supervised = new Supervised({ b: raw() });
    await supervised.supervisor.started;
    const backend = supervised.get('b');
    await backend.subscribe('a:1');
    await backend.request('touch', { uri: 'a:1', tags: [999_999, 'own-1', 0, 'own'] });
    expect(updates(supervised.messages)).toHaveLength(1);
  });

  it('is refused to a subscriber with the error of the server', async () => {
    await using supervised = new Supervised({ b: raw({ listen: 'refused' }) });
    await supervised.supervisor.started;
    const answer = await supervised.get('b').subscribe('a:1');
    expect(JSON.parse(answer.bytes.toString()).error).toEqual({ code: -32603, message: 'no more streams' });
  });

  it.each(['ends', 'cancels'])('is opened again when the server %s it', async (listen) => {
    await using supervised = new Supervised({ b: raw({ listen }) });
    await supervised.supervisor.started;
    const backend = supervised.get('b');
    await eventually('another stream', async () => {
      const lines = await received(backend);
      return lines.filter(({ method }) => method === 'subscriptions/listen').length === 2;
    });
    expect(backend.status().starts).toBe(1);
  });
});
