import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/config-file.js';
import { eventually } from '../../helpers/eventually.js';
import type { BackendEntry } from '../../helpers/fixture-backend.js';
import { type GatewayProcess, startGateway } from '../../helpers/gateway-process.js';
import { type Frame, invalidMessages } from '../../helpers/message-validity.js';
import { schemasAreMissing } from '../../helpers/official-schemas.js';
import { tapped, tappedFrames } from '../../helpers/tapped.js';
import { firstSdk, heard, secondSdk, type Talker } from './clients.js';

const revisions = { legacy: '2025-11-25', modern: '2026-07-28' } as const;
const pinned = { versionNegotiation: { mode: { pin: revisions.modern } } } as const;
const auto = { versionNegotiation: { mode: 'auto' } } as const;

const clients = {
  'the first SDK': { connect: firstSdk, era: 'legacy' },
  'the second SDK, legacy': {
    connect: (url: string, watch?: Parameters<typeof firstSdk>[1]) => secondSdk(url, {}, watch),
    era: 'legacy',
  },
  'the second SDK, auto': {
    connect: (url: string, watch?: Parameters<typeof firstSdk>[1]) => secondSdk(url, auto, watch),
    era: 'modern',
  },
  'the second SDK, pinned': {
    connect: (url: string, watch?: Parameters<typeof firstSdk>[1]) => secondSdk(url, pinned, watch),
    era: 'modern',
  },
} as const;

const backends = {
  'the first SDK': { entry: fixture('first-sdk'), era: 'legacy' },
  'the second SDK, legacy': { entry: fixture('second-sdk', 'legacy'), era: 'legacy' },
  'the second SDK, modern': { entry: fixture('second-sdk', 'modern'), era: 'modern' },
} as const;

function fixture(name: string, ...args: string[]): BackendEntry {
  const path = fileURLToPath(new URL(`../../fixtures/eras/${name}.mjs`, import.meta.url));
  return { command: process.execPath, args: [path, ...args] };
}

const pairs = (Object.keys(backends) as (keyof typeof backends)[]).flatMap((backend) =>
  (['per-client', 'shared'] as const).flatMap((sharing) =>
    (Object.keys(clients) as (keyof typeof clients)[]).map((client) => ({ client, backend, sharing })),
  ),
);

/** A shared process cannot know whose roots a legacy server asks for, so it is told that there are none. */
const rootsFor = ({ backend, sharing }: (typeof pairs)[number]) =>
  sharing === 'per-client' || backends[backend].era === 'modern';

describe.each(pairs)('$client with a backend of $backend, $sharing', (pair) => {
  let gateway: GatewayProcess;
  let talker: Talker;
  const frames: Frame[] = [];
  const folder = temporaryFolder();
  const tap = `${folder.path}/backend`;

  beforeAll(async () => {
    gateway = await startGateway({
      config: {
        mcpServers: { b: { ...tapped(tap, backends[pair.backend].entry), sharing: pair.sharing } },
      },
    });
    talker = await clients[pair.client].connect(gateway.url, (from, text) => frames.push({ from, text }));
  });
  afterAll(async () => {
    await talker?.[Symbol.asyncDispose]();
    await gateway?.[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  it('opens, lists, calls and reads', async () => {
    expect([talker.era, talker.serverName]).toEqual([clients[pair.client].era, 'mcp-switchboard']);
    expect(await talker.toolNames()).toEqual(
      'echo steps hold fates form model roots interview touch add log'.split(' ').map((name) => `b__${name}`),
    );
    expect(await talker.call('b__echo', { text: 'ñ' })).toBe('ñ');
    expect(await talker.read('memo://note')).toEqual([{ uri: 'memo://note', text: 'a note' }]);
  });

  it('hears progress and the result', async () => {
    const progress: number[] = [];
    expect(await talker.call('b__steps', {}, { onProgress: (step) => progress.push(step) })).toBe('done');
    // What comes in one piece with the answer the first SDK forgets.
    expect([1, 2, 3].slice(0, progress.length)).toEqual(progress);
  });

  it('cancels', async () => {
    const stop = new AbortController();
    const held = talker.call('b__hold', {}, { onProgress: () => stop.abort('enough'), signal: stop.signal });
    await expect(held).rejects.toThrow();
    await eventually('the cancellation', async () => (await talker.call('b__fates')) === '1');
  });

  it('is asked for a form, and for a model', async () => {
    expect(await talker.call('b__form')).toBe('accept Ada');
    expect(await talker.call('b__model')).toBe('seven');
  });

  it('is asked several questions at once, and then another', async () => {
    expect(await talker.call('b__interview')).toBe('Ada, seven, Ada');
  });

  if (rootsFor(pair)) {
    it('is asked for its roots', async () => {
      expect(await talker.call('b__roots')).toBe('file:///srv/first file:///srv/second');
    });
  }

  it('hears of changes while it wants to', async () => {
    await talker.watch('memo://note');
    await talker.call('b__touch', { uri: 'memo://other' });
    await talker.call('b__touch', { uri: 'memo://note' });
    await heard('updates', talker.updates, 1);
    await talker.call('b__add', { name: 'late' });
    await eventually('the change', () => talker.changes() > 0);
    expect(await talker.toolNames()).toContain('b__late');
    await talker.unwatch('memo://note');
    await talker.call('b__touch', { uri: 'memo://note' });
    await talker.call('b__echo', { text: 'after' });
    expect(talker.updates).toEqual(['memo://note']);
  });

  it('hears log lines from the level on that it asked for', async () => {
    await talker.listenToLogs('warning');
    await talker.call('b__log');
    await heard('log lines', talker.lines, 1);
    await talker.listenToLogs('debug');
    await talker.call('b__log');
    await heard('log lines', talker.lines, 3);
    expect(talker.lines).toEqual(['loud', 'quiet', 'loud']);
  });

  if (schemasAreMissing === undefined) {
    it('was sent nothing that its revision does not allow, and nor was the backend', () => {
      const backendFrames = tappedFrames(tap);
      expect([frames, backendFrames].map(({ length }) => length > 20)).toEqual([true, true]);
      expect(invalidMessages(frames, revisions[talker.era], 'server')).toEqual([]);
      const { era } = backends[pair.backend];
      const toBackend = backendFrames.filter(
        ({ text }) => !(era === 'legacy' && text.includes('server/discover')),
      );
      expect(invalidMessages(toBackend, revisions[era], 'client')).toEqual([]);
    });
  }
});
