import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadSettings } from '../../../src/config/load.js';
import { temporaryFolder } from '../../helpers/config-file.js';
import { load, loadBackend, problemsOf, withBackend } from '../../helpers/load-config.js';

const node = { command: 'node' };

describe('a backend', () => {
  it('has a default for every option', () => {
    using folder = temporaryFolder();
    expect(loadSettings(folder.write('g.json', withBackend(node)), { env: {} }).backends).toStrictEqual([
      {
        key: 'x',
        namespace: 'x',
        command: 'node',
        args: [],
        env: {},
        inheritEnv: [],
        cwd: folder.path,
        sharing: 'shared',
        maxProcesses: 32,
        era: 'auto',
        required: false,
        off: undefined,
        tools: { allow: undefined, deny: [] },
        uris: 'original',
        logs: 'owner',
        validateArguments: true,
        requestTimeoutMs: 60_000,
        maxRequestTimeMs: 600_000,
        startTimeoutMs: 120_000,
        probeTimeoutMs: 5000,
        maxInFlight: 256,
        maxQueued: 1024,
        maxLineBytes: 10_485_760,
        restart: {
          baseMs: 500,
          capMs: 30_000,
          stableAfterMs: 60_000,
          maxExits: 5,
          windowMs: 60_000,
          retryFailedMs: 300_000,
        },
        stop: { endOfInputMs: 2000, terminateMs: 2000 },
      },
    ]);
  });

  it('takes what the top level says as its default, option by option', () => {
    const { backends } = load({
      requestTimeout: '5s',
      restart: { base: '1s', maxExits: 2 },
      mcpServers: { a: node, b: { ...node, requestTimeout: '7s', restart: { maxExits: 3 } } },
    });
    expect(
      backends.map(({ requestTimeoutMs, restart }) => [
        requestTimeoutMs,
        restart.baseMs,
        restart.maxExits,
        restart.capMs,
      ]),
    ).toEqual([
      [5000, 1000, 2, 30_000],
      [7000, 1000, 3, 30_000],
    ]);
  });

  it('reports a bad default of the top level once, where it stands', () => {
    expect(problemsOf({ maxQueued: -1, mcpServers: { a: node, b: node } })).toEqual([
      'maxQueued: expected an integer ≥ 0, got -1',
    ]);
  });

  it('finds relative commands and folders from the file, and leaves bare commands to PATH', () => {
    using folder = temporaryFolder();
    const file = folder.write('g.json', {
      mcpServers: {
        bare: { command: 'npx' },
        relative: { command: './bin/server', cwd: 'data' },
        absolute: { command: '/usr/bin/env', cwd: '/' },
      },
    });
    expect(loadSettings(file, { env: {} }).backends.map(({ command, cwd }) => [command, cwd])).toEqual([
      ['npx', folder.path],
      [join(folder.path, 'bin/server'), join(folder.path, 'data')],
      ['/usr/bin/env', '/'],
    ]);
  });

  it('keeps empty values, and keys that are special to JavaScript, in env', () => {
    const text = '{"mcpServers": {"x": {"command": "node", "env": {"EMPTY": "", "__proto__": "p"}}}}';
    expect(Object.entries(load(text).backends[0]?.env ?? {})).toEqual([
      ['EMPTY', ''],
      ['__proto__', 'p'],
    ]);
  });

  it('is off when disabled, and checked all the same', () => {
    expect(loadBackend({ ...node, disabled: true }).off).toBe('"disabled" is set in the configuration');
    expect(problemsOf(withBackend({ ...node, disabled: true, maxQueued: 'x' }))).toHaveLength(1);
  });
});

describe('keys and namespaces', () => {
  it('makes the namespace of the key', () => {
    expect(load({ mcpServers: { 'my server!': node } }).backends[0]?.namespace).toBe('my-server');
  });

  it.each(['', 'a', 'a-b_C9', 'a--b'])('uses the given namespace "%s" as it is', (namespace) => {
    expect(loadBackend({ ...node, namespace }).namespace).toBe(namespace);
  });

  it('allows two backends the same namespace', () => {
    expect(
      load({ mcpServers: { a: { ...node, namespace: 'n' }, b: { ...node, namespace: 'n' } } }).backends,
    ).toHaveLength(2);
  });

  it('refuses an empty key', () => {
    expect(problemsOf({ mcpServers: { '': node } })).toEqual([
      'mcpServers[""]: expected a key that names the backend, got an empty one',
    ]);
  });

  it('refuses a key without any safe character, unless a namespace is given', () => {
    expect(problemsOf({ mcpServers: { 日本: node } })).toEqual([
      expect.stringContaining('rename it or set "namespace"'),
    ]);
    expect(problemsOf({ mcpServers: { 日本: { ...node, namespace: 'nihon' } } })).toEqual([]);
  });

  it('does not take two keys without any safe character for the same', () => {
    const entries = { 日本: { ...node, namespace: 'nihon' }, 中国: { ...node, namespace: 'zhongguo' } };
    expect(load({ mcpServers: entries }).backends.map(({ key }) => key)).toEqual(['日本', '中国']);
  });

  it.each([
    ['text-stats', 'text_stats'],
    ['text-stats', 'Text-Stats'],
    ['text stats', 'text-stats'],
    ['a__b', 'a_b'],
  ])('refuses "%s" beside "%s"', (first, second) => {
    expect(problemsOf({ mcpServers: { [first]: node, [second]: node } })).toEqual([
      expect.stringContaining(`the key is too much like "${first}"`),
    ]);
  });
});

describe('variables', () => {
  const env = { A: '1', B: `\${A}`, EMPTY: '' };

  it('are expanded in command, args, env and cwd', () => {
    const backend = loadBackend(
      {
        command: `/bin/\${A}`,
        args: [`\${A}`, `\${B}`, `\${NOPE:-d}`, '$A', `$\${A}`, `a\${A}b\${A}`],
        env: { K: `\${env:A}` },
        cwd: `/\${A}`,
      },
      { env },
    );
    expect(backend).toMatchObject({
      command: '/bin/1',
      args: ['1', `\${A}`, 'd', '$A', `\${A}`, 'a1b1'],
      env: { K: '1' },
      cwd: '/1',
      off: undefined,
    });
  });

  it('are not expanded in the names of variables or anywhere else', () => {
    const placeholder = `\${A}`;
    expect(
      loadBackend({ ...node, env: { [placeholder]: 'v' }, tools: { deny: [placeholder] } }, { env }),
    ).toMatchObject({
      env: { [placeholder]: 'v' },
      tools: { deny: [placeholder] },
    });
  });

  it('turn off only the backend that needs an unset one, naming every field and variable', () => {
    const { backends } = load(
      {
        mcpServers: {
          bad: { command: 'node', args: ['x', `\${NOPE}`], env: { KEY: `\${env:NONE}` } },
          good: node,
        },
      },
      { env },
    );
    expect(backends.map(({ key, off }) => [key, off])).toEqual([
      ['bad', 'args[1]: variable NOPE is not set; env.KEY: variable NONE is not set'],
      ['good', undefined],
    ]);
  });

  it.each([`\${}`, `\${A`])('are a problem with its place when written %s', (text) => {
    expect(problemsOf(withBackend({ ...node, args: ['', text] }), { env })).toEqual([
      expect.stringMatching(/^mcpServers\.x\.args\[1\]: "\$\{" at character 1 /),
    ]);
  });

  it('come from files too, found from the folder of the configuration, without the line end at the end', () => {
    using folder = temporaryFolder();
    folder.write('token', 'T0KEN\r\n');
    const file = folder.write(
      'g.json',
      withBackend({ ...node, env: { T: `\${file:token}`, U: `\${file:${join(folder.path, 'token')}}` } }),
    );
    expect(loadSettings(file, { env }).backends[0]?.env).toEqual({ T: 'T0KEN', U: 'T0KEN' });
  });

  it('turn off the backend when their file cannot be read', () => {
    expect(loadBackend({ ...node, env: { T: `\${file:/none/token}` } }).off).toBe(
      'env.T: file "/none/token" cannot be read (it does not exist)',
    );
  });

  it('turn off the backend when they hold what no process can be given', () => {
    expect(loadBackend({ ...node, args: ['a\0b'] }).off).toBe(
      'args[0]: no process can be given a NUL character',
    );
  });
});

describe('entries pasted from desktop clients', () => {
  it('are taken with what only those clients need', () => {
    const entry = {
      type: 'stdio',
      ...node,
      autoApprove: ['a'],
      alwaysAllow: [],
      timeout: 60,
      description: 'd',
      name: 'n',
      trust: true,
      disabled: false,
    };
    expect(loadBackend(entry)).toStrictEqual({ ...loadBackend(node), cwd: expect.any(String) });
  });

  it.each([
    { type: 'http', url: 'https://a.example/S3NT1NEL', headers: { Authorization: 'S3NT1NEL' } },
    { type: 'sse', url: 'https://a.example' },
    { url: 'https://a.example' },
    { serverUrl: 'https://a.example' },
    { httpUrl: 'https://a.example', timeout: 5 },
  ])('are off when they are no stdio servers: %j', (entry) => {
    expect(loadBackend(entry).off).toBe(
      'it has a URL instead of a "command", and only stdio backends are supported',
    );
  });

  it('must not have both a command and a URL', () => {
    expect(problemsOf(withBackend({ ...node, url: 'https://a.example' }))).toEqual([
      'mcpServers.x: has both "command" and a URL; remove one of the two',
    ]);
  });

  it('must not have a command and another type than stdio', () => {
    expect(problemsOf(withBackend({ ...node, type: 'http' }))).toEqual([
      'mcpServers.x: type "http" contradicts "command"; only "stdio" goes with it',
    ]);
  });
});
