import { describe, expect, it } from 'vitest';
import type { ToBackend } from '../../../src/shared/ids.js';
import type { BackendSettings } from '../../../src/shared/settings.js';
import { setUp } from './backend-set-up.js';
import { type Answer, initializeResult, serverWith, settle } from './fake-process.js';

async function ready(changes: Partial<BackendSettings> = {}) {
  const set = setUp(serverWith('echo'), changes);
  set.backend.start();
  await settle();
  expect(set.backend.state.kind).toBe('ready');
  set.told.length = 0;
  return set;
}

const silent: Answer = () => undefined;

describe('starting', () => {
  it('shakes hands once, lists, and is ready after its listing was told', async () => {
    const { backend, fake, told } = setUp();
    backend.start();
    await settle();
    expect(fake.newest.heard.map(({ method }) => method)).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/list',
    ]);
    expect(told).toEqual(['stopped to starting', 'listing echo', 'starting to ready']);
    expect(backend.state).toMatchObject({ kind: 'ready', peer: { era: 'legacy', revision: '2025-06-18' } });
    await backend.firstOutcome;
  });

  it('does nothing for a backend that is off, whose first outcome is there at once', async () => {
    const { backend, fake } = setUp(silent, { off: 'disabled' });
    await backend.firstOutcome;
    backend.start();
    backend.wake();
    await backend.stop();
    expect(backend.state).toEqual({ kind: 'off', reason: 'disabled' });
    expect(fake.processes).toHaveLength(0);
  });

  it('hands on what the backend asks before it is ready, and takes the answer to it', async () => {
    const { backend, fake, told } = setUp(({ method }) =>
      method === 'initialize' ? { result: initializeResult } : undefined,
    );
    backend.start();
    await settle();
    fake.newest.say({ jsonrpc: '2.0', id: 0, method: 'ping' });
    expect(told).toContain('message ping');
    backend.write([Buffer.from('{"jsonrpc":"2.0","id":0,"result":{}}\n')] as readonly Buffer[] as ToBackend);
    expect(fake.newest.heard.at(-1)).toMatchObject({ id: 0, result: {} });
  });

  it('says how long it has been starting, and what was printed last', () => {
    const { backend, clock, fake } = setUp(silent);
    backend.start();
    fake.newest.complain('Need to install the following packages\nOk to proceed? (y) ');
    clock.advance(12_000);
    expect(backend.status()).toMatchObject({
      state: 'starting',
      reason: 'still starting, 12 s; last output: "Ok to proceed? (y)"',
    });
  });

  it('lets a slow start take its time', async () => {
    const { backend, clock, fake } = setUp(silent);
    backend.start();
    clock.advance(119_000);
    fake.newest.say({ jsonrpc: '2.0', id: fake.newest.heard[0]?.id, result: initializeResult });
    fake.answer = serverWith('late');
    await settle();
    fake.newest.say({ jsonrpc: '2.0', id: fake.newest.heard.at(-1)?.id, result: { tools: [] } });
    await settle();
    expect(backend.state.kind).toBe('ready');
  });

  it('ends a start after its timeout, with the last output, and gives the next one longer', async () => {
    const { backend, clock, fake, exits, pass } = setUp(silent);
    backend.start();
    fake.newest.print('Ok to proceed? (y)');
    clock.advance(120_000);
    await settle();
    expect(exits[0]?.reason).toBe(
      'no handshake within 120 s (startTimeout); last output: "Ok to proceed? (y)"',
    );
    expect(backend.state.kind).toBe('backing-off');
    expect(fake.newest.ending).toBe('stop');
    fake.newest.exit();
    await pass(1_000);
    expect(fake.processes).toHaveLength(2);
    clock.advance(239_000);
    expect(backend.state.kind).toBe('starting');
    clock.advance(600);
    expect(backend.state.kind).toBe('backing-off');
  });

  it('fails when a start was not done in the longest time either', async () => {
    const { backend, fake, pass } = setUp(silent);
    backend.start();
    for (const seconds of [120, 240]) {
      await pass(seconds * 1_000);
      expect(backend.state.kind).toBe('backing-off');
      fake.newest.exit();
      await pass(1_000);
      expect(backend.state.kind).toBe('starting');
    }
    await pass(480_000);
    expect(backend.state).toMatchObject({
      kind: 'failed',
      reason: 'no handshake within 480 s (startTimeout)',
    });
  });

  it('fails at once when the revision is none of ours, and names both', async () => {
    const { backend, fake, told } = setUp(() => ({
      result: { ...initializeResult, protocolVersion: '2099-01-01' },
    }));
    backend.start();
    await settle();
    expect(backend.state).toMatchObject({
      kind: 'failed',
      reason: expect.stringMatching(/2099-01-01.*2025-11-25/),
    });
    expect(told.map((one) => one.split(' ')[0])).toEqual(['stopped', 'exit', 'starting']);
    expect(fake.newest.ending).toBe('stop');
  });

  it('backs off when initialize is answered with an error', async () => {
    const { backend, exits } = setUp(() => ({ error: { code: -32000, message: 'no licence' } }));
    backend.start();
    await settle();
    expect(backend.state.kind).toBe('backing-off');
    expect(exits[0]?.reason).toBe('initialize: answered with error -32000: no licence');
  });

  it('is ready without tools when its lists are errors', async () => {
    const { backend, told } = setUp(({ method }) =>
      method === 'initialize' ? { result: initializeResult } : { error: { code: -32603, message: 'boom' } },
    );
    backend.start();
    await settle();
    expect(backend.state.kind).toBe('ready');
    expect(told).toContain('listing ');
    expect(backend.status().warnings).toEqual(['tools/list: answered with error -32603: boom']);
  });
});

describe('an exit', () => {
  it('is told once, after all that was written, and before the new state', async () => {
    const { fake, told, exits } = await ready();
    fake.newest.complain('out of paper\n');
    fake.newest.print('{"jsonrpc":"2.0","id":99,"result":{}}');
    fake.newest.exit({ code: 137, reason: 'exit code 137' });
    expect(told).toEqual(['message response', 'exit exit code 137', 'ready to backing-off']);
    expect(exits).toEqual([{ code: 137, signal: null, reason: 'exit code 137', stderrTail: 'out of paper' }]);
  });

  it('with code 0 that nobody asked for is a crash too', async () => {
    const { backend, fake } = await ready();
    fake.newest.exit({ code: 0, reason: 'exit code 0' });
    expect(backend.state.kind).toBe('backing-off');
  });

  it('is followed by a whole new start', async () => {
    const { backend, fake, told, pass } = await ready();
    fake.answer = serverWith('echo', 'new');
    fake.newest.exit();
    await pass(600);
    expect(told).toEqual([
      'exit exit code 1',
      'ready to backing-off',
      'backing-off to starting',
      'listing echo,new',
      'starting to ready',
    ]);
    expect(fake.newest.heard.map(({ method }) => method)).toContain('initialize');
    expect(backend.status()).toMatchObject({ starts: 2, restarts: 1, lastExit: { code: 1 } });
  });

  it('rejects the requests that wait for an answer', async () => {
    const { backend, fake } = await ready();
    const asked = backend.request('logging/setLevel', { level: 'debug' });
    fake.newest.exit();
    await expect(asked).rejects.toMatchObject({ problem: 'ended' });
    await expect(backend.request('ping', undefined)).rejects.toMatchObject({ problem: 'not-ready' });
  });

  it('makes everything that the old process still says go unheard', async () => {
    const { fake, told, pass } = await ready();
    const old = fake.newest;
    old.closeStdout();
    expect(told).toEqual(['exit closed its stdout without exiting', 'ready to backing-off']);
    told.length = 0;
    old.say({ jsonrpc: '2.0', method: 'notifications/message', params: {} });
    old.exit();
    expect(told).toEqual([]);
    await pass(600);
    expect(told.at(-1)).toBe('starting to ready');
  });

  it('of a process that lives on without stdout is waited for before the next start', async () => {
    const { backend, fake, pass } = await ready();
    fake.newest.closeStdout();
    expect(fake.newest.ending).toBe('stop');
    await pass(3_000);
    expect(fake.processes).toHaveLength(1);
    expect(backend.state.kind).toBe('starting');
    fake.newest.exit();
    await settle();
    expect(fake.processes).toHaveLength(2);
    expect(backend.state.kind).toBe('ready');
  });
});

describe('a crash loop', () => {
  /** A backend that exits 50 ms after each start, while somebody calls it every 10 ms. */
  async function crashFor(ms: number) {
    const set = setUp(silent);
    set.backend.start();
    let exitAtMs: number | undefined;
    let living = 0;
    for (let nowMs = 0; nowMs < ms; nowMs += 10) {
      set.backend.wake();
      if (set.fake.processes.length > living) {
        living = set.fake.processes.length;
        exitAtMs = nowMs + 50;
      }
      if (exitAtMs === nowMs) set.fake.newest.exit();
      await set.pass(10, 10);
    }
    return set;
  }

  it('starts fewer than 10 times in 20 s, however often it is called, and ends as failed', async () => {
    const { backend, fake } = await crashFor(20_000);
    expect(fake.processes.length).toBeGreaterThanOrEqual(5);
    expect(fake.processes.length).toBeLessThan(10);
    expect(backend.state).toMatchObject({
      kind: 'failed',
      reason: 'exited 5 times in 60 s (last exit: exit code 1)',
    });
  });

  it('is over as soon as a later start works', async () => {
    const { backend, fake, pass } = await crashFor(20_000);
    fake.answer = serverWith('echo');
    await pass(300_000, 10_000);
    expect(backend.state.kind).toBe('ready');
  });

  it('is tried again on demand, 30 s after the last exit', async () => {
    const { backend, fake, pass } = await crashFor(10_000);
    const { length } = fake.processes;
    fake.answer = serverWith('echo');
    backend.wake();
    await pass(40_000, 1_000);
    expect(fake.processes).toHaveLength(length + 1);
    expect(backend.state.kind).toBe('ready');
  });
});

describe('stopping', () => {
  it('goes through the stop ladder and is told as no exit', async () => {
    const { backend, fake, told } = await ready();
    const stopped = backend.stop();
    expect(backend.state.kind).toBe('stopping');
    expect(fake.newest.ending).toBe('stop');
    fake.newest.exit({ code: 0, reason: 'exit code 0', rung: 'end-of-input' });
    await stopped;
    expect(told).toEqual(['ready to stopping', 'stopping to stopped']);
  });

  it('works while starting, and nothing starts afterwards', async () => {
    const { backend, clock, fake, pass } = setUp(silent);
    backend.start();
    const stopped = backend.stop();
    fake.newest.exit();
    await stopped;
    await pass(400_000, 10_000);
    expect(fake.processes).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  it('works while backing off, and cancels the restart', async () => {
    const { backend, clock, fake, pass } = await ready();
    fake.newest.exit();
    await backend.stop();
    await pass(60_000, 10_000);
    expect(backend.state.kind).toBe('stopped');
    expect(fake.processes).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  it('waits for a process that was given up before', async () => {
    const { backend, fake } = await ready();
    fake.newest.closeStdout();
    const stopped = backend.stop();
    await settle();
    expect(backend.state.kind).toBe('stopping');
    fake.newest.exit();
    await stopped;
    expect(backend.state.kind).toBe('stopped');
  });

  it('at once kills and starts nothing again', async () => {
    const { backend, fake, pass } = await ready();
    backend.kill();
    expect(fake.newest.ending).toBe('kill');
    await pass(60_000, 10_000);
    expect(backend.state.kind).toBe('stopped');
    expect(fake.processes).toHaveLength(1);
  });

  it('can be followed by a new start', async () => {
    const { backend, fake } = await ready();
    const stopped = backend.stop();
    fake.newest.exit();
    await stopped;
    backend.start();
    await settle();
    expect(backend.state.kind).toBe('ready');
  });
});

describe('what comes on stdout', () => {
  it('is noise when it is no message: counted, shown, never fatal', async () => {
    const { backend, fake, told } = await ready();
    const lines = [
      'Server v1.2 ready',
      '',
      '\u001b[32m✔ done\u001b[0m',
      '{"status":200}',
      '[]',
      '"text"',
      '123',
    ];
    for (const line of lines) fake.newest.say(line);
    fake.newest.say('log: {"jsonrpc":"2.0","id":1,"result":{}}');
    expect(told).toEqual([]);
    expect(backend.status()).toMatchObject({ state: 'ready', noiseLines: 7 });
    expect(backend.status().lastNoise[1]).toBe('\\x1b[32m✔ done\\x1b[0m');
  });

  it('is noise when it is indented, with a warning that says what to mend', async () => {
    const { backend, fake, told } = await ready();
    fake.newest.say(JSON.stringify({ jsonrpc: '2.0', id: 9, result: {} }, null, 2));
    expect(told).toEqual([]);
    expect(backend.status().warnings).toEqual([
      'prints JSON over several lines on stdout, where a message must be one line',
    ]);
  });

  it('is told as undeliverable when it is an answer that is too long or not UTF-8', async () => {
    const { backend, fake, told } = await ready({ maxLineBytes: 1_000 });
    fake.newest.say(`{"jsonrpc":"2.0","id":41,"result":{"t":"${'x'.repeat(2_000)}"}}`);
    fake.newest.print(
      Buffer.concat([
        Buffer.from('{"jsonrpc":"2.0","id":42,"result":{"t":"'),
        Buffer.from([0xff]),
        Buffer.from('"}}\n'),
      ]),
    );
    fake.newest.say('x'.repeat(2_000));
    expect(told).toEqual(['undeliverable 41 too-large', 'undeliverable 42 not-utf8']);
    expect(backend.status().noiseLines).toBe(1);
    fake.newest.say({ jsonrpc: '2.0', id: 43, result: {} });
    expect(told.at(-1)).toBe('message response');
  });

  it('is taken apart when it is a batch', async () => {
    const { fake, told } = await ready();
    fake.newest.say(
      JSON.stringify([
        { jsonrpc: '2.0', id: 1_000, result: {} },
        { jsonrpc: '2.0', method: 'notifications/message', params: {} },
      ]),
    );
    expect(told).toEqual(['message response', 'message notifications/message']);
  });

  it("answers the gateway's own requests, which nobody else hears of", async () => {
    const { backend, fake, told } = await ready();
    const asked = backend.request('ping', undefined);
    fake.newest.say({ jsonrpc: '2.0', id: fake.newest.heard.at(-1)?.id, result: {} });
    expect((await asked).outcome).toBe('result');
    expect(told).toEqual([]);
  });
});

describe('a notice that a list has changed', () => {
  it('leads to a new listing, which is told only if it differs', async () => {
    const { fake, told, pass } = await ready();
    const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
    fake.newest.say(changed);
    await pass(200);
    expect(fake.newest.heard.filter(({ method }) => method === 'tools/list')).toHaveLength(2);
    expect(told).toEqual([]);
    fake.answer = serverWith('echo', 'added');
    fake.newest.say(changed);
    await pass(300);
    expect(told).toEqual(['listing echo,added']);
  });

  it('sent 500 times in 1 s leads to at most 3 listings', async () => {
    const { fake, pass } = await ready();
    for (let sent = 0; sent < 500; sent += 1) {
      fake.newest.say({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
      await pass(2, 2);
    }
    await pass(10_000);
    const lists = fake.newest.heard.filter(({ method }) => method === 'tools/list').length - 1;
    expect(lists).toBeGreaterThan(0);
    expect(lists).toBeLessThanOrEqual(3);
  });
});
