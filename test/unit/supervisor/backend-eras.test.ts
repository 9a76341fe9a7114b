import { describe, expect, it } from 'vitest';
import type { BackendSettings } from '../../../src/shared/settings.js';
import { EraMemory } from '../../../src/supervisor/era-memory.js';
import { setUp as setUpBackend } from './backend-set-up.js';
import { type Answer, type FakeProcess, serverWith, settle } from './fake-process.js';

const revisionKey = 'io.modelcontextprotocol/protocolVersion';
const discovery = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: { listChanged: true }, resources: {} },
  instructions: 'Ask politely.',
  _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'fake', version: '1' } },
};

const modern: Answer = ({ method }) => {
  if (method === 'server/discover') return { result: discovery };
  if (method === 'tools/list') return { result: { resultType: 'complete', tools: [{ name: 'echo' }] } };
  if (method === 'subscriptions/listen') return undefined;
  return { error: { code: -32601, message: 'no such method' } };
};
const unsupported = (supported: readonly string[]) => ({
  error: { code: -32022, message: 'unsupported', data: { supported, requested: '2026-07-28' } },
});

/** A legacy server that answers the probe in its own way. */
function legacyWith(probe: Answer): Answer {
  const serve = serverWith('echo');
  return (heard) => (heard.method === 'server/discover' ? probe(heard) : serve(heard));
}
const silent: Answer = () => undefined;

function setUp(answer: Answer, changes: Partial<BackendSettings> = {}, eras = new EraMemory()) {
  return setUpBackend(answer, { era: 'auto', ...changes }, eras);
}

function methods({ heard }: FakeProcess): string[] {
  return heard.map(({ method }) => method);
}

function peer({ backend }: ReturnType<typeof setUp>) {
  return backend.state.kind === 'ready' ? backend.state.peer : backend.state.kind;
}

describe('a backend that answers the probe as a modern one', () => {
  it('is ready with what it said of itself, and is not initialized', async () => {
    const set = setUp(modern);
    set.backend.start();
    await settle();
    expect(peer(set)).toEqual({
      era: 'modern',
      revision: '2026-07-28',
      capabilities: discovery.capabilities,
      serverInfo: { name: 'fake', version: '1' },
      instructions: 'Ask politely.',
    });
    expect(methods(set.fake.newest)).toEqual([
      'server/discover',
      'subscriptions/listen',
      'tools/list',
      'resources/list',
      'resources/templates/list',
    ]);
    expect(set.told).toEqual(['stopped to starting', 'listing echo', 'starting to ready']);
  });

  it('hears no message of ours without our revision, cancellations included', async () => {
    const { backend, clock, fake } = setUp(modern);
    backend.start();
    await settle();
    void backend.request('ping', { _meta: { progressToken: 1 } }).catch(() => undefined);
    const slow = backend.request('tools/call', undefined, 1_000);
    fake.answer = silent;
    const slower = backend.request('tools/call', undefined, 1_000);
    await slow;
    clock.advance(1_000);
    await expect(slower).rejects.toMatchObject({ problem: 'timed-out' });
    expect(methods(fake.newest)).toContain('notifications/cancelled');
    for (const { params } of fake.newest.heard)
      expect(params?._meta).toHaveProperty([revisionKey], '2026-07-28');
  });

  it('is not probed again after a restart', async () => {
    const { fake, backend, pass } = setUp(modern);
    backend.start();
    await settle();
    fake.newest.exit();
    fake.answer = serverWith('echo');
    await pass(600);
    expect(methods(fake.newest)).toEqual(['server/discover']);
    expect(fake.processes).toHaveLength(2);
    expect(backend.status()).toMatchObject({ starts: 2, restarts: 1 });
  });

  it('is asked once more when it first names its revisions in an error', async () => {
    let asked = 0;
    const set = setUp((heard) => {
      if (heard.method === 'server/discover') asked += 1;
      return asked === 1 ? unsupported(['2025-11-25', '2026-07-28']) : modern(heard);
    });
    set.backend.start();
    await settle();
    expect(peer(set)).toMatchObject({ era: 'modern' });
    expect(set.fake.processes).toHaveLength(1);
  });

  it('and lies about its revisions, backs off with what it said, and is probed anew', async () => {
    const { backend, exits, fake, pass } = setUp(() => unsupported(['2026-07-28']));
    backend.start();
    await settle();
    expect(backend.state.kind).toBe('backing-off');
    expect(exits[0]?.reason).toBe('server/discover: answered with error -32022: unsupported');
    expect(methods(fake.newest)).toEqual(['server/discover', 'server/discover']);
    fake.answer = modern;
    fake.newest.exit();
    await pass(600);
    expect(backend.state.kind).toBe('ready');
  });
});

describe('a backend that answers the probe otherwise', () => {
  it.each<[string, Answer]>([
    ['an unknown method', () => ({ error: { code: -32601, message: 'no such method' } })],
    ['a refusal to talk yet', () => ({ error: { code: -32002, message: 'not initialized' } })],
    ['only older revisions in an error', () => unsupported(['2025-11-25'])],
    ['no revisions in an error', () => ({ error: { code: -32022, message: 'unsupported' } })],
    ['nonsense', () => ({ result: { params: {} } })],
    ['only older revisions', () => ({ result: { ...discovery, supportedVersions: ['2025-11-25'] } })],
    ['both a result and an error', () => ({ result: {}, error: {} })],
    ['an answer that is too long', () => ({ result: { filler: 'x'.repeat(2_000) } })],
  ])('(%s) is initialized in the same process', async (_what, probe) => {
    const set = setUp(legacyWith(probe), { maxLineBytes: 1_000 });
    set.backend.start();
    await settle();
    expect(peer(set)).toMatchObject({ era: 'legacy', revision: '2025-06-18' });
    expect(methods(set.fake.newest)).toEqual([
      'server/discover',
      'initialize',
      'notifications/initialized',
      'tools/list',
    ]);
    expect(set.fake.processes).toHaveLength(1);
    expect(set.fake.newest.heard.slice(1).some(({ params }) => params?._meta !== undefined)).toBe(false);
    expect(set.exits).toEqual([]);
  });

  it('with revisions that are not ours, and cannot be initialized either, says both', async () => {
    const { backend, exits } = setUp(({ method }) =>
      method === 'server/discover'
        ? { result: { ...discovery, supportedVersions: ['2099-01-01'] } }
        : { error: { code: -32601, message: 'no such method' } },
    );
    backend.start();
    await settle();
    expect(exits[0]?.reason).toBe(
      'initialize: answered with error -32601: no such method; speaks revisions "2099-01-01", the gateway speaks 2026-07-28 in this era',
    );
  });

  it('is remembered, so that the next process is initialized at once', async () => {
    const { backend, fake, pass } = setUp(serverWith('echo'));
    fake.answer = legacyWith(() => ({ error: { code: -32601, message: 'no' } }));
    backend.start();
    await settle();
    fake.newest.exit();
    await pass(600);
    expect(methods(fake.newest)[0]).toBe('initialize');
    expect(backend.state.kind).toBe('ready');
  });
});

describe('a backend that does not survive the probe', () => {
  it.each<[string, (process: FakeProcess) => void]>([
    ['exits', (process) => process.exit()],
    ['closes its stdout', (process) => process.closeStdout()],
  ])('(%s) is started anew as a legacy one; that is no exit', async (_how, dies) => {
    const set = setUp(legacyWith(silent));
    set.backend.start();
    const [first] = set.fake.processes;
    dies(first as FakeProcess);
    await settle();
    first?.exit();
    await settle();
    expect(peer(set)).toMatchObject({ era: 'legacy' });
    expect(set.fake.processes.map(methods)).toEqual([
      ['server/discover'],
      ['initialize', 'notifications/initialized', 'tools/list'],
    ]);
    expect(set.told).toEqual(['stopped to starting', 'listing echo', 'starting to ready']);
    expect(set.backend.status()).toMatchObject({ starts: 2, restarts: 0, lastExit: null });
  });

  it('but stays silent for 5 s is stopped first; what it still says goes unheard', async () => {
    const set = setUp(legacyWith(silent));
    set.backend.start();
    await set.pass(4_900);
    expect(set.fake.newest.ending).toBeUndefined();
    await set.pass(100);
    const [first] = set.fake.processes;
    expect(first?.ending).toBe('stop');
    expect(methods(set.fake.newest)).toEqual(['server/discover']);
    first?.say({ jsonrpc: '2.0', id: first.heard[0]?.id, result: discovery });
    first?.say({ jsonrpc: '2.0', method: 'notifications/message', params: {} });
    first?.exit({ code: 0, reason: 'exit code 0', rung: 'end-of-input' });
    await settle();
    expect(peer(set)).toMatchObject({ era: 'legacy' });
    expect(set.told).toEqual(['stopped to starting', 'listing echo', 'starting to ready']);
  });

  it('for another reason, so that the next process ends too, has one exit', async () => {
    const set = setUp(silent);
    set.backend.start();
    set.fake.newest.exit();
    await settle();
    set.fake.newest.exit({ code: 3, reason: 'exit code 3' });
    await settle();
    expect(set.exits.map(({ reason }) => reason)).toEqual(['exit code 3']);
    expect(set.backend.state.kind).toBe('backing-off');
  });

  it('has had its chance by half of a short start timeout', async () => {
    const set = setUp(legacyWith(silent), { startTimeoutMs: 1_000 });
    set.backend.start();
    await set.pass(500);
    set.fake.newest.exit();
    await settle();
    expect(peer(set)).toMatchObject({ era: 'legacy' });
  });

  it('and cannot be initialized either, is given twice the time by the next probe', async () => {
    const refusal = { error: { code: -32601, message: 'no such method' } };
    const { backend, fake, pass } = setUp(({ method }) => (method === 'initialize' ? refusal : undefined));
    backend.start();
    await pass(5_000);
    fake.newest.exit();
    await settle();
    expect(methods(fake.newest)).toEqual(['initialize']);
    fake.newest.exit();
    await pass(600);
    await pass(9_000);
    const [discover] = fake.newest.heard;
    fake.answer = modern;
    fake.newest.say({ jsonrpc: '2.0', id: discover?.id, result: discovery });
    await settle();
    expect(backend.state).toMatchObject({ kind: 'ready', peer: { era: 'modern' } });
  });

  it('because it is stopped meanwhile, is not started anew', async () => {
    const { backend, clock, fake } = setUp(silent);
    backend.start();
    const stopped = backend.stop();
    fake.newest.exit();
    await stopped;
    await settle();
    expect(fake.processes).toHaveLength(1);
    expect(backend.state.kind).toBe('stopped');
    expect(clock.pending).toBe(0);
  });
});

describe('a verdict', () => {
  it('is shared by all backends of one memory', async () => {
    const eras = new EraMemory();
    const first = setUp(serverWith('echo'), {}, eras);
    first.fake.answer = legacyWith(() => ({ error: { code: -32601, message: 'no' } }));
    first.backend.start();
    await settle();
    const second = setUp(serverWith('echo'), {}, eras);
    second.backend.start();
    await settle();
    expect(methods(second.fake.newest)[0]).toBe('initialize');
  });

  it('that turns out wrong is forgotten', async () => {
    const { backend, fake, pass } = setUp(modern);
    backend.start();
    await settle();
    fake.answer = serverWith('echo');
    fake.answer = (heard) =>
      heard.method === 'server/discover'
        ? { error: { code: -32601, message: 'no' } }
        : serverWith('echo')(heard);
    fake.newest.exit();
    await pass(600);
    expect(backend.state).toMatchObject({
      kind: 'backing-off',
      lastExit: { reason: 'server/discover: answered with error -32601: no' },
    });
    fake.newest.exit();
    await pass(1_100);
    expect(backend.state).toMatchObject({ kind: 'ready', peer: { era: 'legacy' } });
  });

  it.each(['legacy', 'modern'] as const)('is not asked for when the configuration says %s', async (era) => {
    const { backend, fake, pass } = setUp(() => ({ error: { code: -32601, message: 'no' } }), { era });
    backend.start();
    await settle();
    expect(fake.newest.heard).toHaveLength(1);
    expect(backend.state.kind).toBe('backing-off');
    fake.newest.exit();
    await pass(600);
    expect(fake.processes).toHaveLength(2);
    expect(methods(fake.newest)).toEqual([era === 'legacy' ? 'initialize' : 'server/discover']);
  });
});

describe('subscriptions', () => {
  it('are requests at a legacy backend', async () => {
    const { backend, fake } = setUp(serverWith('echo'), { era: 'legacy' });
    backend.start();
    await settle();
    fake.answer = () => ({ result: {} });
    expect((await backend.subscribe('a:b')).outcome).toBe('result');
    expect((await backend.unsubscribe('a:b')).outcome).toBe('result');
    expect(fake.newest.heard.slice(-2)).toMatchObject([
      { method: 'resources/subscribe', params: { uri: 'a:b' } },
      { method: 'resources/unsubscribe', params: { uri: 'a:b' } },
    ]);
  });

  it('are refused while it is not ready', async () => {
    const { backend } = setUp(modern);
    await expect(backend.subscribe('a:b')).rejects.toMatchObject({ problem: 'not-ready' });
    await expect(backend.unsubscribe('a:b')).rejects.toMatchObject({ problem: 'not-ready' });
  });

  it('are rejected when a modern backend exits before it has acknowledged them', async () => {
    const { backend, fake } = setUp(modern);
    backend.start();
    await settle();
    const subscribed = backend.subscribe('a:b');
    fake.newest.exit();
    await expect(subscribed).rejects.toMatchObject({ problem: 'ended' });
  });
});
