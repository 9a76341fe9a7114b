import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { configSchema } from '../../../src/config/schema.js';
import { load, problemsOf, withBackend } from '../../helpers/load-config.js';

const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(configSchema());
const node = { command: 'node' };

describe('gateway.schema.json', () => {
  it('is what the code says; if not, run "npm run schema"', () => {
    const committed: unknown = JSON.parse(readFileSync('config/gateway.schema.json', 'utf8'));
    expect(committed).toEqual(configSchema());
  });

  it('describes every option', () => {
    expect(undescribed(configSchema(), '')).toEqual([]);
  });

  it('has an example that spells out the defaults, so that loading it changes nothing', () => {
    const [example] = configSchema().examples as readonly object[];
    expect(example).toMatchObject({
      listen: { port: 8808 },
      requestTimeout: '60s',
      restart: { base: '500ms' },
      log: { level: 'info' },
    });
    const { backends, ...settings } = load(example ?? {});
    const { backends: plainBackends, ...plainSettings } = load({
      mcpServers: { files: { command: 'node', args: ['server.js'] } },
    });
    expect(settings).toEqual(plainSettings);
    expect(backends.map((backend) => ({ ...backend, cwd: '' }))).toEqual(
      plainBackends.map((backend) => ({ ...backend, cwd: '' })),
    );
  });
});

describe('the schema and the loader', () => {
  const committed = JSON.parse(readFileSync('config/gateway.json', 'utf8'));

  it.each<[string, object]>([
    ['the example configuration', committed],
    ['the smallest configuration', withBackend(node)],
    ['a schema address', withBackend(node, { $schema: './gateway.schema.json' })],
    ['no admin listener', withBackend(node, { admin: false })],
    ['part of an admin address', withBackend(node, { admin: { port: 0 } })],
    ['durations as texts', withBackend(node, { heartbeat: { interval: '1.5s', grace: '400ms' } })],
    ['durations as numbers', withBackend(node, { drain: { timeout: 0 } })],
    ['sizes', withBackend(node, { slowReader: { pauseBytes: '64KiB', maxBytes: 1_000_000 } })],
    [
      'origins',
      withBackend(node, {
        listen: {
          allowedOrigins: [
            'null',
            'http://localhost:*',
            'https://*.example.com',
            'http://[::1]:80',
            'chrome-extension://abc',
          ],
        },
      }),
    ],
    ['host names', withBackend(node, { listen: { allowedHosts: ['a.example', '[::1]', '127.0.0.1'] } })],
    ['naming', withBackend(node, { naming: { separator: '.', charset: 'A-Za-z0-9_.-', maxLength: 128 } })],
    [
      'defaults for all backends',
      withBackend(node, {
        requestTimeout: 5,
        restart: { cap: '1m' },
        stop: { terminate: 0 },
        maxLineBytes: '1MiB',
      }),
    ],
    [
      'everything about a backend',
      withBackend({
        ...node,
        args: ['a'],
        env: { A: '' },
        inheritEnv: ['B'],
        cwd: '..',
        namespace: '',
        sharing: 'per-client',
        era: 'modern',
        required: true,
        tools: { allow: ['a*'], deny: ['b'] },
        uris: 'prefixed',
        logs: 'broadcast',
        validateArguments: false,
        probeTimeout: '1s',
      }),
    ],
    [
      'a pasted stdio entry',
      withBackend({
        ...node,
        type: 'stdio',
        autoApprove: [],
        alwaysAllow: ['x'],
        timeout: 60,
        disabled: true,
      }),
    ],
    ['a pasted remote entry', withBackend({ type: 'http', url: 'https://a.example', headers: {} })],
    ['a remote entry of another client', withBackend({ serverUrl: 'https://a.example' })],
  ])('both accept %s', (_, config) => {
    expect(problemsOf(config)).toEqual([]);
    validate(config);
    expect(validate.errors ?? []).toEqual([]);
  });

  it.each<[string, object]>([
    ['a list', []],
    ['no backends', {}],
    ['an empty block of backends', { mcpServers: {} }],
    ['no command', withBackend({})],
    ['an empty command', withBackend({ command: '' })],
    ['an unknown option', withBackend(node, { limit: {} })],
    ['an unknown option of a backend', withBackend({ ...node, comand: '' })],
    ['an unknown option in a group', withBackend({ ...node, restart: { max: 1 } })],
    ['a number out of range', withBackend(node, { listen: { port: 65_536 } })],
    ['a fraction', withBackend({ ...node, maxInFlight: 1.5 })],
    ['a bad duration', withBackend(node, { drain: { timeout: 'soon' } })],
    ['a negative duration', withBackend(node, { drain: { timeout: -1 } })],
    ['a bad size', withBackend(node, { limits: { maxMessageBytes: '4MB' } })],
    ['a small size', withBackend(node, { limits: { maxMessageBytes: 3 } })],
    ['a bad namespace', withBackend({ ...node, namespace: 'a__b' })],
    ['a bad choice', withBackend({ ...node, era: 'new' })],
    ['a bad path', withBackend(node, { listen: { paths: ['mcp'] } })],
    ['no paths', withBackend(node, { listen: { paths: [] } })],
    ['a bad origin', withBackend(node, { listen: { allowedOrigins: ['https://a.example/'] } })],
    ['admin: true', withBackend(node, { admin: true })],
    ['a number in env', withBackend({ ...node, env: { PORT: 1 } })],
    ['a bad name in env', withBackend({ ...node, env: { 'A=B': '' } })],
    ['a bad log level', withBackend(node, { log: { level: 'loud' } })],
  ])('both refuse %s', (_, config) => {
    expect(problemsOf(config)).not.toEqual([]);
    expect(validate(config)).toBe(false);
  });
});

function undescribed(schema: object, path: string): string[] {
  const missing = 'description' in schema || path === '' ? [] : [path];
  const properties =
    'properties' in schema ? Object.entries(schema.properties as Record<string, object>) : [];
  const inner =
    'additionalProperties' in schema && path === '.mcpServers'
      ? [['*', schema.additionalProperties as object] as const]
      : [];
  return [
    ...missing,
    ...[...properties, ...inner].flatMap(([name, property]) => undescribed(property, `${path}.${name}`)),
  ];
}
