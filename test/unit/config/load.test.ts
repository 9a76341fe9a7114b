import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/config/config-error.js';
import { loadSettings } from '../../../src/config/load.js';
import { temporaryFolder } from '../../helpers/config-file.js';
import { load, problemsOf, withBackend } from '../../helpers/load-config.js';

const node = { command: 'node' };

describe('loadSettings', () => {
  it('reads the example configuration', () => {
    const settings = loadSettings('config/gateway.json', { env: {} });
    expect(settings.listen).toMatchObject({ host: '127.0.0.1', port: 8808, paths: ['/mcp', '/mcp/ws'] });
    expect(settings.admin).toEqual({ host: '127.0.0.1', port: 8809 });
    expect(
      settings.backends.map(({ key, namespace, command, args, cwd, off }) => ({
        key,
        namespace,
        command,
        args,
        cwd,
        off,
      })),
    ).toEqual(
      ['grammar', 'text-stats', 'system-info'].map((key) => ({
        key,
        namespace: key,
        command: 'node',
        args: [`dist/backends/${key}/main.js`],
        cwd: process.cwd(),
        off: undefined,
      })),
    );
  });

  it('fills in every default', () => {
    expect(load(withBackend(node))).toEqual({
      listen: {
        host: '127.0.0.1',
        port: 8808,
        paths: ['/mcp', '/mcp/ws'],
        allowedOrigins: undefined,
        allowedHosts: undefined,
      },
      admin: { host: '127.0.0.1', port: 8809 },
      naming: { separator: '__', maxLength: 64, charset: 'A-Za-z0-9_-' },
      catalog: { graceMs: 2000, pageSize: 0 },
      limits: {
        maxMessageBytes: 4_194_304,
        maxDepth: 256,
        connections: 1000,
        connectionsPerAddress: 50,
        processes: 128,
        inFlightPerSession: 64,
      },
      heartbeat: { intervalMs: 20_000, graceMs: 20_000 },
      slowReader: { pauseBytes: 1_048_576, maxBytes: 67_108_864, stallMs: 10_000 },
      drain: { timeoutMs: 20_000 },
      log: { level: 'info' },
      backends: [expect.objectContaining({ key: 'x' })],
    });
  });

  it('reads durations and sizes as texts and as numbers', () => {
    const settings = load(
      withBackend(node, {
        heartbeat: { interval: '400ms', grace: 1500 },
        limits: { maxMessageBytes: '64KiB' },
        slowReader: { pauseBytes: 2048 },
      }),
    );
    expect(settings.heartbeat).toEqual({ intervalMs: 400, graceMs: 1500 });
    expect(settings.limits.maxMessageBytes).toBe(65_536);
    expect(settings.slowReader.pauseBytes).toBe(2048);
  });

  it('keeps the order of the file', () => {
    const keys = ['zeta', 'alpha', '10', '9'];
    const block = keys.map((key) => `"${key}": {"command": "node"}`).join();
    expect(load(`{"mcpServers": {${block}}}`).backends.map(({ key }) => key)).toEqual(keys);
  });

  it('leaves the admin listener out when told so', () => {
    expect(load(withBackend(node, { admin: false })).admin).toBeUndefined();
    expect(load(withBackend(node), { overrides: { admin: false } }).admin).toBeUndefined();
  });

  it('puts the command line above the file', () => {
    const file = withBackend(node, {
      listen: { host: '127.0.0.1', port: 1, paths: ['/a'] },
      admin: false,
      log: { level: 'error' },
    });
    const overrides = {
      listen: { host: '::1', port: 0 },
      admin: { host: '127.0.0.1', port: 2 },
      logLevel: 'debug',
    } as const;
    expect(load(file, { overrides })).toMatchObject({
      listen: { host: '::1', port: 0, paths: ['/a'] },
      admin: { host: '127.0.0.1', port: 2 },
      log: { level: 'debug' },
    });
  });
});

describe('a configuration that cannot be used', () => {
  it.each([
    [{}, 'mcpServers: expected at least one backend, got none; add one such as'],
    [{ mcpServers: {} }, 'mcpServers: expected at least one backend, got none; add one such as'],
    [{ mcpServers: [] }, 'mcpServers: expected an object, got a list'],
    [[], 'expected an object, got a list'],
    [{ mcpServers: { x: null } }, 'mcpServers.x: expected an object, got null'],
    [withBackend({}), 'mcpServers.x.command: missing; expected the program to start'],
    [
      withBackend({ command: 5 }),
      'mcpServers.x.command: expected the program to start, such as "node" or "./server.sh", got a number',
    ],
    [withBackend({ command: '' }), 'mcpServers.x.command: expected the program to start'],
    [
      withBackend({ ...node, args: '-v' }),
      'mcpServers.x.args: expected a list of which each element is a text in quotes, got a string',
    ],
    [
      withBackend({ ...node, args: ['a', 1] }),
      'mcpServers.x.args[1]: expected a text in quotes, got a number',
    ],
    [
      withBackend({ ...node, env: { PORT: 1 } }),
      'mcpServers.x.env.PORT: expected a text in quotes, got a number',
    ],
    [
      withBackend({ ...node, env: { 'A=B': '' } }),
      'mcpServers.x.env["A=B"]: expected the key to be the name of an environment variable',
    ],
    [
      withBackend({ ...node, restart: { maxExits: 'five' } }),
      'mcpServers.x.restart.maxExits: expected an integer ≥ 1, got "five"',
    ],
    [
      withBackend({ ...node, restart: { maxExits: 0 } }),
      'mcpServers.x.restart.maxExits: expected an integer ≥ 1, got 0',
    ],
    [
      withBackend({ ...node, maxInFlight: 1.5 }),
      'mcpServers.x.maxInFlight: expected an integer ≥ 1, got 1.5',
    ],
    [
      withBackend({ ...node, requestTimeout: 'soon' }),
      'mcpServers.x.requestTimeout: expected a duration such as "400ms"',
    ],
    [withBackend({ ...node, requestTimeout: 0 }), 'from 1 to 2147483647 ms, got 0'],
    [withBackend({ ...node, requestTimeout: '9999h' }), 'from 1 to 2147483647 ms, got "9999h"'],
    [
      withBackend({ ...node, maxLineBytes: '4MB' }),
      'mcpServers.x.maxLineBytes: expected a size such as "512B"',
    ],
    [
      withBackend({ ...node, sharing: 'none' }),
      'mcpServers.x.sharing: expected "shared" or "per-client", got "none"',
    ],
    [withBackend({ ...node, required: 'yes' }), 'mcpServers.x.required: expected true or false, got "yes"'],
    [
      withBackend({ ...node, required: true, disabled: true }),
      'mcpServers.x: "required" and "disabled" contradict',
    ],
    [withBackend({ ...node, tools: { allow: 'a*' } }), 'mcpServers.x.tools.allow: expected a list'],
    [withBackend({ ...node, namespace: 'a__b' }), 'mcpServers.x.namespace: expected a namespace of'],
    [withBackend({ ...node, namespace: 'a b' }), 'mcpServers.x.namespace: expected a namespace of'],
    [withBackend({ ...node, namespace: '_a' }), 'mcpServers.x.namespace: expected a namespace of'],
    [
      withBackend(node, { listen: { port: 65_536 } }),
      'listen.port: expected an integer from 0 to 65535, got 65536',
    ],
    [
      withBackend(node, { listen: { port: '8808' } }),
      'listen.port: expected an integer from 0 to 65535, got "8808"',
    ],
    [
      withBackend(node, { listen: { host: '[::1]' } }),
      'listen.host: expected a host name or an IP address without port and brackets, got "[::1]"',
    ],
    [withBackend(node, { listen: { paths: [] } }), 'listen.paths: expected a list of at least 1, got 0'],
    [
      withBackend(node, { listen: { paths: ['mcp'] } }),
      'listen.paths[0]: expected a path that starts with a slash',
    ],
    [
      withBackend(node, { listen: { allowedOrigins: ['https://a.example/'] } }),
      'listen.allowedOrigins[0]: expected an origin',
    ],
    [
      withBackend(node, { listen: { allowedOrigins: ['*'] } }),
      'listen.allowedOrigins[0]: expected an origin',
    ],
    [
      withBackend(node, { listen: { allowedHosts: ['a.example:80'] } }),
      'listen.allowedHosts[0]: expected a host name',
    ],
    [
      withBackend(node, { admin: true }),
      'admin: expected an object, or false to leave it out, got a boolean',
    ],
    [withBackend(node, { log: { level: 'loud' } }), 'log.level: expected "silent" or "fatal"'],
    [
      withBackend(node, { naming: { charset: 'z-a' } }),
      'naming.charset: expected the inside of a character class, got "z-a"',
    ],
    [
      withBackend(node, { naming: { charset: 'A-Z_' } }),
      'naming.charset: expected "_", 0-9 and a-f among the characters, got "A-Z_"',
    ],
    [
      withBackend(node, { naming: { separator: '.' } }),
      'naming.separator: expected characters of "naming.charset" (A-Za-z0-9_-), got "."',
    ],
    [
      withBackend(node, { naming: { separator: '' } }),
      'naming.separator: expected a text of at least one character, got ""',
    ],
  ])('%j', (content, problem) => {
    expect(problemsOf(content)).toEqual([expect.stringContaining(problem)]);
  });

  it('is reported with all of its problems at once, each with file, path and value', () => {
    using folder = temporaryFolder();
    const file = folder.write(
      'g.json',
      '{"listen": {"port": -1}, "limits": {"maxDepth": "x"},\n"log": {}, "log": {}, "mcpServers": {"x": {}}}',
    );
    const attempt = () => loadSettings(file, { env: {} });
    expect(attempt).toThrow(ConfigError);
    expect(attempt).toThrow(
      [
        `${file}:2:12: log: duplicate key, first on line 2; keep one of the two`,
        `${file}: listen.port: expected an integer from 0 to 65535, got -1`,
        `${file}: limits.maxDepth: expected an integer ≥ 8, got "x"`,
        `${file}: mcpServers.x.command: missing; expected the program to start, such as "node"`,
      ].join('\n'),
    );
  });

  it('is a file that is not there, or is a folder', () => {
    using folder = temporaryFolder();
    const missing = join(folder.path, 'none.json');
    expect(() => loadSettings(missing, { env: {} })).toThrow(
      new ConfigError([
        {
          path: '',
          message: `${missing}: cannot be read (it does not exist); name a configuration file with --config`,
        },
      ]),
    );
    expect(() => loadSettings(folder.path, { env: {} })).toThrow('cannot be read (it is a folder)');
  });

  it('is one that is no JSON', () => {
    expect(problemsOf('{"mcpServers": {')).toEqual([expect.stringContaining('1:17: not valid JSON')]);
  });
});

describe('unknown options', () => {
  it.each([
    [
      withBackend({ comand: 'node', ...node }),
      'mcpServers.x.comand: unknown option; did you mean "command"?',
    ],
    [
      withBackend({ ...node, restart: { maxexits: 1 } }),
      'mcpServers.x.restart.maxexits: unknown option; did you mean "maxExits"?',
    ],
    [withBackend(node, { limit: {} }), 'limit: unknown option; did you mean "limits"?'],
    [
      withBackend(node, { heartbeat: { pulse: 1 } }),
      'heartbeat.pulse: unknown option; known here: interval, grace',
    ],
    [withBackend(node, { servers: {} }), 'servers: unknown option; the backends stand under "mcpServers"'],
    [
      withBackend(node, { globalShortcut: '' }),
      'globalShortcut: unknown option; it is a setting of a desktop client; leave it out',
    ],
    [withBackend(node, { inputs: [] }), 'inputs: unknown option; values are not asked for'],
    [
      withBackend({ ...node, disabledTools: ['a'] }),
      'mcpServers.x.disabledTools: unknown option; write "tools": { "deny": […] }',
    ],
    [
      withBackend({ ...node, enabled: false }),
      'mcpServers.x.enabled: unknown option; to keep an entry from being started write "disabled": true',
    ],
    [
      withBackend({ ...node, envFile: '.env' }),
      'mcpServers.x.envFile: unknown option; write its variables into "env"',
    ],
    ['{"mcpServers": {"x": {"command": "node", "__proto__": {}}}}', 'mcpServers.x.__proto__: unknown option'],
    [
      '{"mcpServers": {"x": {"command": "node", "constructor": {}}}}',
      'mcpServers.x.constructor: unknown option',
    ],
  ])('%j', (content, problem) => {
    expect(problemsOf(content)).toEqual([expect.stringContaining(problem)]);
  });
});

describe('binding beyond loopback', () => {
  it.each(['0.0.0.0', '::', '192.168.1.5', 'gateway.example.com'])(
    'is refused for clients on %s, with the way out',
    (host) => {
      expect(problemsOf(withBackend(node, { listen: { host } }))).toEqual([
        `listen.host: refusing to bind to "${host}" without authentication: anyone who reaches it could call every tool; ` +
          'bind to 127.0.0.1 and put a reverse proxy that authenticates in front',
      ]);
    },
  );

  it('is refused when the command line asks for it', () => {
    expect(problemsOf(withBackend(node), { overrides: { listen: { host: '0.0.0.0', port: 1 } } })).toEqual([
      expect.stringContaining(
        'listen.host: refusing to bind to "0.0.0.0" (from --listen) without authentication',
      ),
    ]);
  });

  it.each(['localhost', '127.0.0.9', '::1'])('does not concern %s', (host) => {
    expect(load(withBackend(node, { listen: { host } })).listen.host).toBe(host);
  });

  it('is allowed for the admin listener, since probes come from other hosts', () => {
    expect(load(withBackend(node, { admin: { host: '0.0.0.0' } })).admin).toEqual({
      host: '0.0.0.0',
      port: 8809,
    });
  });
});

describe('one port for clients and admin', () => {
  const taken = 'admin.port: expected another port than that of "listen", got 8809';

  it('is refused, wherever it comes from', () => {
    expect(problemsOf(withBackend(node, { listen: { port: 8809 } }))).toEqual([taken]);
    const overrides = { listen: { host: '127.0.0.1', port: 8809 } };
    expect(problemsOf(withBackend(node), { overrides })).toEqual([taken]);
  });

  it.each([
    ['each takes a free one', { listen: { port: 0 }, admin: { port: 0 } }],
    ['the hosts differ', { listen: { port: 1 }, admin: { host: '127.0.0.2', port: 1 } }],
    ['there is no admin listener', { listen: { port: 8809 }, admin: false }],
  ])('is no problem where %s', (_, config) => {
    expect(load(withBackend(node, config)).listen.port).toBe(config.listen.port);
  });
});
