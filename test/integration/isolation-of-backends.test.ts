import { describe, expect, it } from 'vitest';
import { fixture, scripted, tool } from '../helpers/fixture-backend.js';
import { startGateway } from '../helpers/gateway-process.js';
import { openSession } from '../helpers/test-client.js';

describe('bad backends', () => {
  it('of every kind leave the good one usable at once, and each has its reason', async () => {
    await using gateway = await startGateway({
      config: {
        startTimeout: '800ms',
        restart: { base: '1ms', cap: '10ms', maxExits: 2 },
        mcpServers: {
          missing: { command: 'no-such-binary' },
          hangs: scripted({ startDelayMs: 600_000 }),
          exits: fixture('crashes-before-handshake'),
          refuses: scripted({ listError: { code: -32000, message: 'no list today' } }),
          nulls: scripted({ listResult: { tools: null } }),
          good: scripted({ tools: [tool('a')] }),
        },
      },
      until: 'listening',
    });
    await using client = await openSession(gateway.url);
    expect(await client.toolNames()).toEqual(['good__a']);
    expect(await client.callText('good__a', { v: 1 })).toContain('"called":"a"');
    for (const name of ['missing', 'exits', 'hangs']) {
      const { reason } = await gateway.backendWhen(name, ({ state }) => state === 'failed');
      expect(reason).toBeTruthy();
    }
    for (const name of ['refuses', 'nulls']) {
      const { state, warnings, tools } = await gateway.backend(name);
      expect({ state, tools }).toEqual({ state: 'ready', tools: 0 });
      expect(warnings.join()).toContain('tools/list');
    }
    expect(await gateway.stop()).toEqual({ code: 0, signal: null });
  });

  it('without a list are used for what they have, and asked no more', async () => {
    await using gateway = await startGateway({
      config: {
        mcpServers: {
          'prompts-only': scripted({
            capabilities: { prompts: {} },
            listError: { code: -32601, message: 'no such method' },
          }),
          quiet: scripted({ capabilities: {}, tools: [tool('a')] }),
          tools: scripted({ tools: [tool('b')] }),
        },
      },
    });
    await using client = await openSession(gateway.url);
    expect(await client.toolNames()).toEqual(['quiet__a', 'tools__b']);
    for (const { state, restarts } of (await gateway.status()).backends) {
      expect({ state, restarts }).toEqual({ state: 'ready', restarts: 0 });
    }
  });
});
