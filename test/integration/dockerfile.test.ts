import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { temporaryFolder } from '../helpers/config-file.js';
import { environmentOf, execForm, instructionOf } from '../helpers/dockerfile.js';
import { eventually } from '../helpers/eventually.js';
import { scripted } from '../helpers/fixture-backend.js';
import { buildImage, type Image } from '../helpers/image.js';
import { type LoggedProcess, startLogged } from '../helpers/logged-process.js';
import { childrenOf } from '../helpers/processes.js';
import { openSession } from '../helpers/test-client.js';

const run = promisify(execFile);

/** Two installations and a build, of which a cold npm cache makes minutes. */
const buildLimitMs = 300_000;

const freePorts = ['--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0'];

let image: Image;
beforeAll(async () => {
  image = await buildImage();
}, buildLimitMs);
afterAll(() => image[Symbol.dispose]());

/** What the image's processes find in their environment, and nothing else. */
function environment(): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: '/', ...environmentOf(image.stage) };
}

/** The image's user, where we may become it and it may run our Node. */
function user(): { uid: number; gid: number } | Record<string, never> {
  const mayBecomeIt = process.getuid?.() === 0 && !process.execPath.startsWith(homedir());
  const [uid = 0, gid = 0] = instructionOf(image.stage, 'USER').text.split(':').map(Number);
  return mayBecomeIt ? { uid, gid } : {};
}

/** What the container's first process starts, with our Node instead of the image's. */
function command(args: readonly string[]): string[] {
  const [init, dashes, node, ...program] = execForm(instructionOf(image.stage, 'ENTRYPOINT').text);
  expect([init, dashes, node]).toEqual(['/usr/bin/tini', '--', 'node']);
  return [process.execPath, ...program, ...args];
}

/** The command of HEALTHCHECK, asking another address than the configuration's. */
function healthCheck(adminUrl: string): Promise<number> {
  const [, , text = ''] = /^(CMD) (.*)$/.exec(instructionOf(image.stage, 'HEALTHCHECK').text) ?? [];
  const { admin } = JSON.parse(readFileSync(join(image.workdir, 'config/gateway.json'), 'utf8'));
  const configured = `http://${admin.host}:${admin.port}`;
  expect(text).toContain(configured);
  const [, ...args] = execForm(text.replace(configured, adminUrl));
  return run(process.execPath, args).then(
    () => 0,
    ({ code }: { code: number }) => code,
  );
}

describe('the image', () => {
  it('leaves out here only what needs a Debian: the installation of tini', () => {
    expect(image.leftOut).toEqual([expect.stringMatching(/^apt-get .*\btini\b/)]);
  });

  it('serves as it is, as its user: healthy, answering, and stopped by SIGTERM', async () => {
    const args = [...execForm(instructionOf(image.stage, 'CMD').text), ...freePorts];
    const options = { cwd: image.workdir, env: environment(), ...user() };
    await using gateway = startLogged(command(args), options);
    const { url, adminUrl } = await gateway.logLine('listening');
    expect(await gateway.logLine('started')).toMatchObject({ ready: 3, failed: 0 });

    expect(await healthCheck(String(adminUrl))).toBe(0);
    await using client = await openSession(String(url));
    const question = { verb: 'eat', tense: 'past simple', person: '3rd singular' };
    expect(await client.callText('grammar__conjugate', question)).toBe('ate');

    expect(instructionOf(image.stage, 'STOPSIGNAL').text).toBe('SIGTERM');
    gateway.child.kill('SIGTERM');
    expect(await gateway.ending).toEqual({ code: 0, signal: null });
    expect(await healthCheck(String(adminUrl))).toBe(1);
  });

  it('holds the program, its production dependencies and the configuration, and nothing more', () => {
    const held = readdirSync(image.workdir).sort();
    expect(held).toEqual(['LICENSE', 'backends', 'config', 'dist', 'node_modules', 'package.json']);
    expect(readdirSync(join(image.workdir, 'config')).sort()).toEqual([
      'gateway.json',
      'gateway.schema.json',
    ]);
    expect(readdirSync(join(image.workdir, 'backends'), { recursive: true }).sort().slice(0, 2)).toEqual([
      'notes',
      'notes/sample',
    ]);
    expect(readdirSync(join(image.workdir, 'dist')).sort()).toEqual(['backends', 'src']);
  });

  it('has each production dependency of the lock file and none of the others', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      packages: Record<string, { dev?: true; optional?: true }>;
    };
    const all = Object.entries(packages).filter(([path, { optional }]) => path !== '' && optional !== true);
    const wanted = all.filter(([, { dev }]) => dev !== true).map(([path]) => path);
    const installed = all.map(([path]) => path).filter((path) => existsSync(join(image.workdir, path)));
    expect(installed).toEqual(wanted);
    expect(wanted).toContain('node_modules/ws');
    expect(existsSync(join(image.workdir, 'node_modules/vitest'))).toBe(false);
  });

  it('runs as a user with a number other than 0', () => {
    expect(instructionOf(image.stage, 'USER').text).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  });

  it('sets no variable that could be a secret, and takes none at build time', () => {
    expect(environmentOf(image.stage)).toEqual({ NODE_ENV: 'production' });
    const dockerfile = readFileSync('Dockerfile', 'utf8');
    expect(dockerfile).not.toMatch(/^\s*(ARG|ADD)\b|--mount=|token|password|\.npmrc|\.env/im);
  });
});

describe('the program as process 1 of its namespace', () => {
  it('drains on SIGTERM, answers what it can, and ends with 0', async (context) => {
    await using first = await startAsFirst(context, { drain: { timeout: '1500ms' } });
    await using client = await openSession(first.url);
    // Counted from 1 inside: without a namespace of its own the test would show nothing.
    expect(Number(await client.callText('b1__pid'))).toBeLessThan(100);

    const quick = client.call('b1__slow', { ms: 300, v: 'in time' });
    const endless = client.call('b1__hold', { key: 'k' });
    await first.inFlight(2);
    expect(await first.readiness()).toBe(200);
    first.signal('SIGTERM');
    await first.gateway.logLine('draining');
    expect(await first.readiness()).toBe(503);
    expect((await quick).result?.content?.[0]?.text).toBe('in time');
    expect((await endless).error).toMatchObject({ code: -31008 });
    expect((await client.closed).code).toBe(1001);
    expect(await first.gateway.ending).toEqual({ code: 0, signal: null });
  });

  it('ends with 1 on a second SIGTERM', async (context) => {
    await using first = await startAsFirst(context, {});
    await using client = await openSession(first.url);
    const params = { name: 'b1__hold', arguments: { key: 'k' } };
    client.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    await first.inFlight(1);
    first.signal('SIGTERM');
    await first.gateway.logLine('draining');
    first.signal('SIGTERM');
    expect(await first.gateway.ending).toEqual({ code: 1, signal: null });
  });
});

/** Starts the image's program, with one scripted backend, as process 1 of a namespace. */
async function startAsFirst(context: TestContext, settings: object) {
  const unshare = await unshareCommand();
  if (unshare === undefined) context.skip('this machine gives no process namespaces (unshare --pid fails)');
  const folder = temporaryFolder();
  const file = folder.write('gateway.json', { ...settings, mcpServers: { b1: scripted() } });
  const gateway = startLogged([...unshare, ...command(['serve', '--config', file, ...freePorts])], {
    cwd: image.workdir,
    env: environment(),
  });
  const dispose = async () => {
    await gateway[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  };
  try {
    const { url, adminUrl } = await gateway.logLine('listening');
    await gateway.logLine('started');
    return {
      gateway,
      url: String(url),
      readiness: async () => (await fetch(`${adminUrl}/readyz`)).status,
      inFlight: (count: number) =>
        eventually(`${count} calls in flight`, async () => {
          const { inFlight } = (await (await fetch(`${adminUrl}/status`)).json()) as { inFlight: number };
          return inFlight === count;
        }),
      signal: (signal: NodeJS.Signals) => signalFirst(gateway, signal),
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Signals the process that is number 1 inside, by its number outside: `unshare` itself hands nothing on. */
function signalFirst({ child }: LoggedProcess, signal: NodeJS.Signals): void {
  const [first] = childrenOf(child.pid as number);
  if (first === undefined) throw new Error('unshare has no child');
  process.kill(first.pid, signal);
}

/** How to start something in a process namespace of its own; `undefined` where that is not allowed. */
async function unshareCommand(): Promise<string[] | undefined> {
  const namespace = ['--pid', '--fork', '--mount-proc', '--kill-child'];
  for (const options of [namespace, ['--user', '--map-root-user', ...namespace]]) {
    const works = await run('unshare', [...options, 'true']).then(
      () => true,
      () => false,
    );
    if (works) return ['unshare', ...options];
  }
  return undefined;
}
