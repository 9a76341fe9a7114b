import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { BackendKey } from '../../../src/shared/ids.js';
import { eventually } from '../../helpers/eventually.js';
import { backendSettings } from '../../helpers/settings.js';
import { gone, lives, programPath } from './started-process.js';
import { Supervised } from './supervised.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes of buffers that something still holds. What one collection finds is freed for certain only by the next. */
function retainedBytes(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

const serves = { args: [programPath('serves')] };
const quickRestart = { ...backendSettings().restart, baseMs: 10 };

describe('a supervisor', () => {
  it('starts all backends, each on its own, and says of each that fails why', async () => {
    await using supervised = new Supervised({
      good: serves,
      missing: { command: 'no-such-binary' },
      exits: { args: ['-e', 'console.error("no licence"); process.exit(7)'] },
      off: { off: 'disabled' },
    });
    await supervised.supervisor.started;
    const reasons = Object.fromEntries(
      supervised.supervisor.status().map(({ name, state, reason }) => [name, `${state}: ${reason}`]),
    );
    expect(reasons.good).toBe('ready: null');
    expect(reasons.missing).toMatch(
      /^backing-off: spawn failed: not found in PATH \(command "no-such-binary", PATH .*\); starts/,
    );
    expect(reasons.exits).toMatch(/^backing-off: exit code 7; starts again in \d+ s$/);
    expect(reasons.off).toBe('off: disabled');
    expect(supervised.get('exits').status().stderrTail).toBe('no licence');
    const pid = supervised.pid('good');
    expect(supervised.tools.get('good' as BackendKey)).toEqual([`t${pid}`]);
  });

  it('leaves no process behind when it stops, whatever the backends are doing', async () => {
    await using supervised = new Supervised({
      good: serves,
      hung: { args: [programPath('ignores-sigterm')] },
      loop: { args: ['-e', 'process.exit(1)'], restart: quickRestart },
    });
    await eventually('the hung one', () => supervised.get('hung').status().reason?.includes('last output'));
    await supervised.get('good').firstOutcome;
    const pids = [supervised.pid('good'), supervised.pid('hung')];
    await supervised.supervisor.stop();
    for (const pid of pids) await gone(pid);
    expect(supervised.supervisor.status().map(({ state }) => state)).toEqual([
      'stopped',
      'stopped',
      'stopped',
    ]);
  });

  it('ends everything at once when asked to', async () => {
    const never = { endOfInputMs: 60_000, terminateMs: 60_000 };
    await using supervised = new Supervised({
      hung: { args: [programPath('ignores-sigterm')], stop: never },
    });
    await eventually('the hung one', () => supervised.get('hung').status().reason?.includes('last output'));
    const pid = supervised.pid('hung');
    supervised.supervisor.killAll();
    await gone(pid);
  });

  it('hands on a short list of variables and what is configured', async () => {
    const program = 'console.error(Object.keys(process.env).sort().join()); process.exit(1)';
    const env = { PATH: process.env.PATH, GW_TOKEN: 't1', AWS_SECRET_ACCESS_KEY: 's1' };
    await using supervised = new Supervised(
      {
        a: { args: ['-e', program], env: { A_KEY: 'a' } },
        b: { args: ['-e', program], env: { B_KEY: 'b' } },
      },
      env,
    );
    await supervised.supervisor.started;
    expect(supervised.supervisor.status().map(({ stderrTail }) => stderrTail)).toEqual([
      'A_KEY,PATH',
      'B_KEY,PATH',
    ]);
  });
});

describe('a backend with a real process', () => {
  it('is started anew after it was killed, and lists anew', async () => {
    await using supervised = new Supervised({ b: { ...serves, restart: quickRestart } });
    await supervised.supervisor.started;
    const first = supervised.pid('b');
    process.kill(first, 'SIGKILL');
    await eventually(
      'the second start',
      () => supervised.get('b').status().starts === 2 && supervised.get('b').state.kind === 'ready',
    );
    const second = supervised.pid('b');
    expect(second).not.toBe(first);
    expect(supervised.tools.get('b' as BackendKey)).toEqual([`t${second}`]);
    expect(supervised.exits).toEqual([
      ['b', expect.objectContaining({ signal: 'SIGKILL', reason: 'signal SIGKILL' })],
    ]);
  });

  it('has one process at a time over many restarts, and none after the stop', async () => {
    await using supervised = new Supervised({
      b: {
        command: 'sh',
        args: ['-c', '"$0" "$1"; true', process.execPath, programPath('serves')],
        restart: { ...quickRestart, baseMs: 1, capMs: 1, maxExits: 1_000 },
      },
    });
    const seen: number[] = [];
    for (let start = 1; start <= 10; start += 1) {
      await eventually(
        `start ${start}`,
        () => supervised.get('b').status().starts === start && supervised.get('b').state.kind === 'ready',
      );
      seen.push(supervised.pid('b'));
      expect(seen.filter(lives)).toEqual([supervised.pid('b')]);
      process.kill(supervised.pid('b'), 'SIGKILL');
    }
    await supervised.supervisor.stop();
    for (const pid of seen) await gone(pid);
  });

  it('keeps its memory through a line without end, and serves on', async () => {
    await using supervised = new Supervised({
      b: { args: [programPath('writes-an-endless-line')], maxLineBytes: 1024 * 1024 },
    });
    await supervised.supervisor.started;
    const before = retainedBytes();
    const answered = supervised.get('b').request('flood', undefined);
    let most = 0;
    const watching = setInterval(() => {
      most = Math.max(most, retainedBytes() - before);
    }, 20);
    expect((await answered).outcome).toBe('result');
    clearInterval(watching);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(8 * 1024 * 1024);
    expect(supervised.get('b').status()).toMatchObject({ state: 'ready', noiseLines: 1 });
  });
});
