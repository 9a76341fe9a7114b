import { describe, expect, it } from 'vitest';
import { scripted } from '../helpers/fixture-backend.js';
import { startGateway } from '../helpers/gateway-process.js';
import { openSession, type TestClient } from '../helpers/test-client.js';

interface Seen {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly argv: readonly string[];
}

const seenBy = async (client: TestClient, backend: string) =>
  JSON.parse(await client.callText(`${backend}__environment`)) as Seen;
const PATH = process.env.PATH ?? '';

describe('the environment of a backend', () => {
  it('holds PATH, HOME and what is configured for it, and nothing of the gateway or of another backend', async () => {
    await using gateway = await startGateway({
      config: {
        mcpServers: {
          a: scripted({}, { env: { A_KEY: 'ka', EMPTY: '' } }),
          b: scripted({}, { env: { B_KEY: 'kb' }, inheritEnv: ['WANTED'] }),
        },
      },
      env: {
        PATH,
        HOME: '/home/somebody',
        LANG: 'C.UTF-8',
        GW_TOKEN: 't1',
        DB_URL: 'u1',
        AWS_SECRET_ACCESS_KEY: 's1',
        WANTED: 'w',
      },
    });
    await using client = await openSession(gateway.url);
    const a = (await seenBy(client, 'a')).env;
    const b = (await seenBy(client, 'b')).env;
    expect(a).toMatchObject({ PATH, HOME: '/home/somebody', LANG: 'C.UTF-8', A_KEY: 'ka', EMPTY: '' });
    expect(b).toMatchObject({ PATH, B_KEY: 'kb', WANTED: 'w' });
    for (const name of ['GW_TOKEN', 'DB_URL', 'AWS_SECRET_ACCESS_KEY', 'B_KEY', 'WANTED']) {
      expect(a).not.toHaveProperty(name);
    }
    for (const name of ['GW_TOKEN', 'DB_URL', 'AWS_SECRET_ACCESS_KEY', 'A_KEY']) {
      expect(b).not.toHaveProperty(name);
    }
  });

  it('holds PATH though the gateway has nothing else', async () => {
    await using gateway = await startGateway({ config: { mcpServers: { a: scripted() } }, env: { PATH } });
    await using client = await openSession(gateway.url);
    expect((await seenBy(client, 'a')).env.PATH).toBe(PATH);
  });
});

describe('variables in the configuration', () => {
  /** Placeholders stand for text, so they are put together here. */
  const ref = (name: string) => `$\{${name}}`;

  const withArgs = (...extra: string[]) => {
    const entry = scripted();
    return { ...entry, args: [...(entry.args ?? []), ...extra] };
  };

  it('are expanded once, with defaults and literals, in arguments, environment and folder', async () => {
    const entry = withArgs(
      ref('A'),
      ref('B'),
      ref('NOPE:-d'),
      '$A',
      `$${ref('A')}`,
      `a${ref('A')}b${ref('A')}`,
      ref('env:A'),
    );
    await using gateway = await startGateway({
      config: { mcpServers: { a: { ...entry, env: { V: ref('A') }, cwd: ref('FOLDER') } } },
      env: { PATH, A: '1', B: ref('A'), FOLDER: '/' },
    });
    await using client = await openSession(gateway.url);
    const { argv, env, cwd } = await seenBy(client, 'a');
    expect(argv.slice(1)).toEqual(['1', ref('A'), 'd', '$A', ref('A'), 'a1b1', '1']);
    expect(env.V).toBe('1');
    expect(cwd).toBe('/');
  });

  it('that are unset turn off their backend only, with field and variable in the reason', async () => {
    await using gateway = await startGateway({
      config: { mcpServers: { bad: withArgs(ref('NOPE')), good: scripted() } },
    });
    await using client = await openSession(gateway.url);
    expect(await client.callText('good__echo', { v: 1 })).toBe('{"v":1}');
    const { state, reason, starts } = await gateway.backend('bad');
    expect({ state, starts }).toEqual({ state: 'off', starts: 0 });
    expect(reason).toContain('NOPE');
    expect(reason).toContain('args');
  });

  it("resolves folders against the configuration file's own", async () => {
    await using gateway = await startGateway({
      config: { mcpServers: { a: scripted({}, { cwd: '..' }), b: scripted() } },
    });
    await using client = await openSession(gateway.url);
    const [a, b] = [await seenBy(client, 'a'), await seenBy(client, 'b')];
    expect(b.cwd.startsWith(`${a.cwd === '/' ? '' : a.cwd}/`)).toBe(true);
  });
});
