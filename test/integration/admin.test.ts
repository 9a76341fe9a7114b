import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { fixture, noBackends, scripted } from '../helpers/fixture-backend.js';
import { startGateway } from '../helpers/gateway-process.js';
import { openSession } from '../helpers/test-client.js';

/** The status code for a request with headers that `fetch` does not let one set. */
function statusFor(
  url: string,
  headers: Record<string, string>,
  method = 'GET',
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { headers, method }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

describe('the admin listener', () => {
  it('is ready and started with all backends serving, and alive always', async () => {
    await using gateway = await startGateway({ config: { mcpServers: { a: scripted() } } });
    for (const path of ['/livez', '/readyz', '/startupz']) {
      const response = await fetch(gateway.adminUrl + path);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toContain('application/json');
      await response.json();
    }
  });

  it('is alive but neither ready nor started while a required backend has not started', async () => {
    await using gateway = await startGateway({
      config: { mcpServers: { a: scripted({ startDelayMs: 600_000 }, { required: true }), b: scripted() } },
      until: 'listening',
    });
    await gateway.backendWhen('b', ({ state }) => state === 'ready');
    const statusOf = async (path: string) => (await fetch(gateway.adminUrl + path)).status;
    expect(await statusOf('/livez')).toBe(200);
    expect(await statusOf('/readyz')).toBe(503);
    expect(await statusOf('/startupz')).toBe(503);
  });

  it('is ready though an optional backend has failed', async () => {
    await using gateway = await startGateway({
      config: {
        restart: { maxExits: 1 },
        mcpServers: { bad: fixture('crashes-before-handshake'), good: scripted() },
      },
    });
    expect((await fetch(`${gateway.adminUrl}/readyz`)).status).toBe(200);
  });

  it('shows sessions, calls and backends in /status', async () => {
    await using gateway = await startGateway({
      config: { mcpServers: { 'my server': scripted({ stderr: 'hello\n' }) } },
    });
    await using client = await openSession(gateway.url, '2025-06-18');
    client.send({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'my-server__hold', arguments: { key: 'k' } },
    });
    await gateway.backendWhen('my server', ({ inFlight }) => inFlight === 1);
    const status = await gateway.status();
    expect(status).toMatchObject({ draining: false, sessions: 1, inFlight: 1 });
    expect(status.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(status.uptimeMs).toBeGreaterThan(0);
    const [backend] = status.backends;
    expect(backend).toMatchObject({
      name: 'my server',
      namespace: 'my-server',
      state: 'ready',
      era: 'legacy',
      revision: '2025-11-25',
      starts: 1,
      restarts: 0,
      lastExit: null,
      reason: null,
      queued: 0,
      prompts: 0,
      resources: 0,
      noiseLines: 0,
      lastNoise: [],
      stderrTail: 'hello',
      warnings: [],
    });
    expect(gateway.children().map(({ pid }) => pid)).toEqual([backend?.pid]);
    expect(backend?.tools).toBeGreaterThan(10);
  });

  it('counts the processes of a backend that has one for each client', async () => {
    const mcpServers = { own: scripted({}, { sharing: 'per-client' }) };
    await using gateway = await startGateway({ config: { mcpServers } });
    const row = async () => (await gateway.status()).backends[0];
    expect(await row()).toMatchObject({
      name: 'own',
      sharing: 'per-client',
      state: 'on-demand',
      processes: 0,
    });
    await using client = await openSession(gateway.url);
    await client.callText('own__echo', { v: 'hello' });
    expect(await row()).toMatchObject({ processes: 1 });
  });

  it('refuses foreign host names, other methods, other paths and upgrades', async () => {
    await using gateway = await startGateway({ config: { mcpServers: noBackends } });
    const url = `${gateway.adminUrl}/status`;
    expect(await statusFor(url, { Host: 'evil.test' })).toBe(421);
    expect(await statusFor(url, { Host: 'localhost' })).toBe(200);
    expect(await statusFor(url, {}, 'POST')).toBe(405);
    expect(await statusFor(`${gateway.adminUrl}/mcp`, {})).toBe(404);
    expect(await statusFor(`${gateway.adminUrl}/`, {})).toBe(404);
  });
});
