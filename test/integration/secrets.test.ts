import { describe, expect, it } from 'vitest';
import { scripted } from '../helpers/fixture-backend.js';
import { startGateway } from '../helpers/gateway-process.js';
import { attemptUpgrade, openSession } from '../helpers/test-client.js';

const secret = 'S3NT1NEL';

describe('secrets', () => {
  it.each(['trace', 'info'])('are nowhere in the log and the status at level %s', async (level) => {
    const entry = scripted({}, { env: { API_KEY: secret } });
    await using gateway = await startGateway({
      config: {
        mcpServers: {
          b1: { ...entry, args: [...(entry.args ?? []), `--key=${secret}`] },
          missing: { command: 'no-such-binary', args: [`--key=${secret}`], env: { API_KEY: secret } },
        },
      },
      args: ['--log-level', level],
    });
    await using client = await openSession(gateway.url);
    const value = JSON.stringify(secret);
    await client.callText('b1__echo', { password: secret });
    await client.call('b1__fail', { error: `{"code":1,"message":${value},"data":${value}}` });
    await client.call('b1__echo', { deep: { secret } }, { progressToken: secret });
    await client.call('b1__notify', {
      lines: [`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":${value}}}`],
    });
    client.send(`{"jsonrpc":"2.0","id":${value},"method":${value}}`);
    client.send(`{"${secret}":1`);
    await attemptUpgrade(gateway.url, { 'Sec-WebSocket-Protocol': `mcp, bearer.${secret}` });
    await attemptUpgrade(gateway.url, { 'Sec-WebSocket-Protocol': `bearer.${secret}` });
    await attemptUpgrade(`${gateway.url}?token=${secret}`, {
      Authorization: `Bearer ${secret}`,
      Cookie: secret,
    });
    await client.call('b1__exit', { code: 1 });
    await client.callText('b1__echo', {});
    const status = await (await fetch(`${gateway.adminUrl}/status`)).text();
    await gateway.stop();
    expect(status).not.toContain(secret);
    expect(gateway.output()).not.toContain(secret);
    expect(gateway.logs.length).toBeGreaterThan(3);
  });

  it("in a program's own stderr are shown where that is documented, in the status tail", async () => {
    await using gateway = await startGateway({ config: { mcpServers: { b1: scripted() } } });
    await using client = await openSession(gateway.url);
    await client.callText('b1__stderr', { text: `key ${secret}\n` });
    await gateway.backendWhen('b1', ({ stderrTail }) => stderrTail.includes(secret));
  });

  it('that a variable stands for are in no error about a command that cannot be started', async () => {
    const restart = { base: '1m', cap: '1m' };
    const bare = { command: `\${TOKEN}-server` };
    const mcpServers = {
      bare: { ...bare, restart },
      path: { command: `./\${TOKEN}/server`, restart },
      cwd: { command: 'node', cwd: `\${TOKEN}`, restart },
      failed: { ...bare, restart: { maxExits: 1 } },
    };
    await using gateway = await startGateway({
      config: { mcpServers },
      env: { PATH: `/usr/bin:/opt/${secret}`, TOKEN: secret },
    });
    expect((await gateway.backend('bare')).reason).toContain(`/opt/${secret}`);
    expect((await gateway.backend('failed')).reason).toContain(`/opt/${secret}`);
    await using client = await openSession(gateway.url);
    for (const key of Object.keys(mcpServers)) {
      const { error } = await client.call(`${key}__any`);
      expect(error?.message).toContain('spawn failed');
      expect(JSON.stringify(error)).not.toContain(secret);
    }
  });
});
