import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../helpers/config-file.js';
import { eventually } from '../helpers/eventually.js';
import { fixture, noBackends, scripted, tool } from '../helpers/fixture-backend.js';
import { startGateway } from '../helpers/gateway-process.js';
import { processesWithMarker } from '../helpers/processes.js';
import { baseEnvironment, mainPath, runMain, spawnMain } from '../helpers/program.js';
import { openSession } from '../helpers/test-client.js';

const anywhere = ['--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0'];

describe('usage', () => {
  it.each([
    [['fly']],
    [['serve']],
    [['serve', '--config']],
    [['serve', '--config', 'x.json', '--bogus']],
    [['serve', '--config', 'x.json', '--listen', 'nonsense']],
    [['check']],
  ])('mistakes end with 64 and a sentence: %j', async (args) => {
    const { code, stderr } = await runMain(args);
    expect(code).toBe(64);
    expect(stderr.trim()).not.toBe('');
  });

  it('--help explains and ends with 0', async () => {
    const { code, stdout } = await runMain(['--help']);
    expect(code).toBe(0);
    for (const word of ['serve', 'check', 'tools', '--config', '--listen', '--admin', '--log-level']) {
      expect(stdout).toContain(word);
    }
  });

  it('serve may be left out', async () => {
    const { code } = await runMain(['--config', 'no-such-file.json', ...anywhere]);
    expect(code).toBe(78);
  });
});

describe('check', () => {
  it('says ok for a good file and starts nothing', async () => {
    using folder = temporaryFolder();
    const file = folder.write('g.json', { mcpServers: { a: { command: 'no-such-binary' } } });
    const { code, stdout } = await runMain(['check', '--config', file]);
    expect({ code, stdout: stdout.trim() }).toEqual({ code: 0, stdout: 'ok' });
  });

  it('says which backends of a good file would be off, and why', async () => {
    using folder = temporaryFolder();
    const file = folder.write('g.json', {
      mcpServers: {
        token: { command: 'x', env: { TOKEN: `\${NOT_SET_ANYWHERE}` } },
        remote: { url: 'https://example.com' },
        good: { command: 'x' },
      },
    });
    const { code, stdout, stderr } = await runMain(['check', '--config', file]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'ok' });
    expect(stderr.trim().split('\n')).toEqual([
      'backend "token" is off: env.TOKEN: variable NOT_SET_ANYWHERE is not set',
      expect.stringMatching(/^backend "remote" is off: it has a URL/),
    ]);
  });

  it('takes comments and trailing commas', async () => {
    using folder = temporaryFolder();
    const file = folder.write('g.json', '{\n// why\n"mcpServers": { "a": { "command": "x", }, },\n}');
    expect((await runMain(['check', '--config', file])).code).toBe(0);
  });

  it('says everything that is wrong at once, with path and value, and ends with 78', async () => {
    using folder = temporaryFolder();
    const file = folder.write('g.json', {
      requestTimout: '1s',
      limits: { maxDepth: 'deep' },
      mcpServers: { a: { command: 5 }, b: { command: 'x', restart: { maxExits: 'five' } } },
    });
    const { code, stdout, stderr } = await runMain(['check', '--config', file]);
    expect(code).toBe(78);
    const said = stdout + stderr;
    expect(said).toContain('requestTimout');
    expect(said).toContain('did you mean "requestTimeout"');
    expect(said).toContain('limits.maxDepth');
    expect(said).toContain('"deep"');
    expect(said).toContain('mcpServers.a.command');
    expect(said).toContain('mcpServers.b.restart.maxExits');
    expect(said).toContain('"five"');
  });

  it('says of a command that is empty what it is', async () => {
    using folder = temporaryFolder();
    const file = folder.write('g.json', { mcpServers: { a: { command: '' } } });
    const { stderr } = await runMain(['check', '--config', file]);
    expect(stderr).toContain('mcpServers.a.command: expected the program to start');
    expect(stderr).toContain('got an empty string');
  });

  it.each([
    ['a missing file', undefined],
    ['an empty file', ''],
    ['half a file', '{"mcpServers": {'],
    ['an array', '[]'],
    ['equal keys', '{"mcpServers":{"a":{"command":"x"},"a":{"command":"y"}}}'],
    ['keys that become equal', '{"mcpServers":{"a-b":{"command":"x"},"A_b":{"command":"y"}}}'],
    ['an empty key', '{"mcpServers":{"":{"command":"x"}}}'],
  ])('ends with 78 for %s', async (_what, content) => {
    using folder = temporaryFolder();
    const file = content === undefined ? `${folder.path}/none.json` : folder.write('g.json', content);
    const { code, stdout, stderr } = await runMain(['check', '--config', file]);
    expect(code).toBe(78);
    expect(stdout + stderr).toContain(file);
  });
});

describe.skipIf(!existsSync('/dev/full'))('an output that cannot be written', () => {
  it.each([['check', '--config', 'config/example.jsonc'], ['--help'], ['--version']])(
    'ends with 74 and a sentence: %s',
    (...args) => {
      const full = openSync('/dev/full', 'w');
      const stdio = ['ignore', full, 'pipe'] as const;
      const { status, stderr } = spawnSync(process.execPath, [mainPath, ...args], {
        stdio: [...stdio],
        encoding: 'utf8',
      });
      closeSync(full);
      expect({ status, stderr }).toEqual({
        status: 74,
        stderr: expect.stringMatching(/^stdout cannot be written: ENOSPC/),
      });
    },
  );
});

describe.skipIf(!existsSync('/dev/full'))('a log that cannot be written', () => {
  it('stops neither the gateway nor its clean end', async () => {
    using folder = temporaryFolder();
    const file = folder.write('g.json', { mcpServers: noBackends });
    const port = await freePort();
    const full = openSync('/dev/full', 'w');
    const args = [mainPath, '--config', file, '--listen', '127.0.0.1:0', '--admin', `127.0.0.1:${port}`];
    const gateway = spawn(process.execPath, args, { stdio: ['ignore', full, 'pipe'] });
    closeSync(full);
    const ended = once(gateway, 'exit');
    const lives = () => fetch(`http://127.0.0.1:${port}/livez`, { signal: AbortSignal.timeout(1_000) });
    try {
      await expect.poll(async () => (await lives().catch(() => undefined))?.status).toBe(200);
      expect((await lives()).status).toBe(200);
      gateway.kill('SIGTERM');
      expect(await Promise.race([ended, sleep(5_000, 'still there', { ref: false })])).toEqual([0, null]);
    } finally {
      gateway.kill('SIGKILL');
    }
  });
});

describe('tools', () => {
  const good = {
    a: scripted({ tools: [tool('one'), tool('two')] }),
    b: scripted({ tools: [tool('three')] }),
  };

  it('prints the merged catalog and stops everything', async () => {
    using folder = temporaryFolder();
    const { code, stdout } = await runMain([
      'tools',
      '--config',
      folder.write('g.json', { mcpServers: good }),
    ]);
    expect(code).toBe(0);
    for (const name of ['a__one', 'a__two', 'b__three']) expect(stdout).toContain(name);
  });

  it('prints what there is when a backend cannot start, names it and ends with 69', async () => {
    using folder = temporaryFolder();
    const mcpServers = { broken: { command: 'no-such-binary' }, ...good };
    const { code, stdout, stderr } = await runMain([
      'tools',
      '--config',
      folder.write('g.json', { mcpServers }),
    ]);
    expect(code).toBe(69);
    expect(stdout).toContain('a__one');
    expect(stderr).toContain('broken');
    expect(stderr).toContain('no-such-binary');
  });

  it('names those that are off, without counting them as failed, and shows what a failed one said last', async () => {
    using folder = temporaryFolder();
    const off = { command: 'x', args: [`\${NOT_SET_ANYWHERE}`] };
    const one = folder.write('off.json', { mcpServers: { off, ...good } });
    const quiet = await runMain(['tools', '--config', one]);
    expect(quiet.code).toBe(0);
    expect(quiet.stderr).toBe('backend "off" is off: args[0]: variable NOT_SET_ANYWHERE is not set\n');

    const broken = { command: process.execPath, args: ['-e', 'console.error("no key"); process.exit(3)'] };
    const two = folder.write('broken.json', { restart: { maxExits: 1 }, mcpServers: { broken } });
    const loud = await runMain(['tools', '--config', two]);
    expect(loud.code).toBe(69);
    expect(loud.stderr).toMatch(/^backend "broken": exited .*exit code 3.*\n {2}no key\n$/);
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('leaves no process behind at a %s', async (signal) => {
    using folder = temporaryFolder();
    const mark = `tools-${randomUUID()}`;
    const settings = { env: { MARK: mark } };
    const mcpServers = {
      slow: scripted({ startDelayMs: 60_000 }, settings),
      stubborn: fixture('ignores-sigterm-and-eof', [], settings),
    };
    const stop = { endOfInput: '100ms', terminate: '100ms' };
    const file = folder.write('g.json', { stop, mcpServers });
    const { child, ending } = spawnMain(['tools', '--config', file], baseEnvironment(), () => undefined);
    await eventually('both backends', () => processesWithMarker(mark).length === 2);
    child.kill(signal);
    const { code } = await ending;
    const left = processesWithMarker(mark);
    for (const { pid } of left) process.kill(pid, 'SIGKILL');
    expect([code, left]).toEqual([1, []]);
  });
});

describe('serve', () => {
  it('ends with 78 for a bad file and starts nothing', async () => {
    using folder = temporaryFolder();
    const file = folder.write('g.json', { mcpServers: { a: { comand: 'x' } } });
    const { code, stdout, stderr } = await runMain(['serve', '--config', file, ...anywhere]);
    expect(code).toBe(78);
    expect(stdout + stderr).toContain('comand');
    expect(stdout).not.toContain('"listening"');
  });

  it('says in the log which backends are off, and why, also when it gives up because of one', async () => {
    using folder = temporaryFolder();
    const needed = { command: 'x', args: [`\${NOT_SET_ANYWHERE}`], required: true };
    const file = folder.write('g.json', { mcpServers: { needed } });
    const { code, stdout } = await runMain(['serve', '--config', file, ...anywhere]);
    expect(code).toBe(69);
    const lines = stdout.split('\n').map((line): unknown => JSON.parse(line));
    expect(lines).toContainEqual(
      expect.objectContaining({
        msg: 'backend is off',
        backend: 'needed',
        reason: 'args[0]: variable NOT_SET_ANYWHERE is not set',
      }),
    );
  });

  it('gives up with 69 when a required backend never finishes its handshake', async () => {
    using folder = temporaryFolder();
    const file = folder.write('g.json', {
      startTimeout: '200ms',
      // As few exits in a period as with the defaults.
      restart: { window: '100ms' },
      mcpServers: { silent: scripted({ startDelayMs: 600_000 }, { required: true }) },
    });
    const { code, stdout } = await runMain(['serve', '--config', file, ...anywhere]);
    expect(code).toBe(69);
    expect(stdout).toContain('no handshake within 0.8 s (startTimeout)');
  });

  it.each(['--listen', '--admin'])(
    'ends with 69 and names the address when the port of %s is taken',
    async (option) => {
      using folder = temporaryFolder();
      const file = folder.write('g.json', { mcpServers: { a: scripted() } });
      const elsewhere = option === '--listen' ? anywhere.slice(2) : anywhere.slice(0, 2);
      const taken = createServer();
      await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
      const { port } = taken.address() as { port: number };
      const { code, stdout, stderr } = await runMain([
        'serve',
        '--config',
        file,
        ...elsewhere,
        option,
        `127.0.0.1:${port}`,
      ]);
      taken.close();
      expect(code).toBe(69);
      expect(stdout + stderr).toContain(`127.0.0.1:${port}`);
    },
  );

  it('refuses to bind beyond loopback without authentication, with 78', async () => {
    using folder = temporaryFolder();
    const file = folder.write('g.json', { mcpServers: noBackends });
    const { code, stdout, stderr } = await runMain([
      'serve',
      '--config',
      file,
      '--listen',
      '0.0.0.0:0',
      '--admin',
      'off',
    ]);
    expect(code).toBe(78);
    expect(stdout + stderr).toContain('0.0.0.0');
  });

  it('ends with 69 when a required backend cannot start, naming it', async () => {
    using folder = temporaryFolder();
    const file = folder.write('g.json', {
      restart: { base: '1ms', cap: '5ms', maxExits: 2 },
      mcpServers: { needed: fixture('crashes-before-handshake', [], { required: true }), good: scripted() },
    });
    const { code, stdout, stderr } = await runMain(['serve', '--config', file, ...anywhere]);
    expect(code).toBe(69);
    expect(stdout + stderr).toContain('needed');
  });

  it('counts ready and failed backends when all have had their first start', async () => {
    await using gateway = await startGateway({
      config: {
        restart: { base: '1ms', cap: '5ms', maxExits: 1 },
        mcpServers: {
          a: scripted(),
          b: scripted(),
          bad: { command: 'no-such-binary' },
          off: scripted({}, { disabled: true }),
        },
      },
    });
    const started = await gateway.waitForLog(({ msg }) => msg === 'started');
    expect(started).toMatchObject({ ready: 2, failed: 1 });
  });

  it('leaves the admin listener out with --admin off', async () => {
    await using gateway = await startGateway({
      config: { mcpServers: { a: scripted() } },
      args: ['--admin', 'off'],
    });
    const listening = await gateway.waitForLog(({ msg }) => msg === 'listening');
    expect(listening.adminUrl ?? null).toBeNull();
    await using client = await openSession(gateway.url);
    await client.request('ping');
  });

  it('logs at the level it is told', async () => {
    await using gateway = await startGateway({
      config: { mcpServers: { a: scripted() } },
      args: ['--log-level', 'debug'],
    });
    await using client = await openSession(gateway.url);
    await client.call('a__echo');
    await gateway.stop();
    expect(gateway.logs.some(({ level }) => level === 'debug' || level === 20)).toBe(true);
    for (const line of gateway.logs)
      expect(typeof line.time === 'string' || typeof line.time === 'number').toBe(true);
  });
});

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
