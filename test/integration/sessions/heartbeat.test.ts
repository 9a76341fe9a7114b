import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { eventually } from '../../helpers/eventually.js';
import { startTestListener } from '../../helpers/session-listener.js';

async function connectTo(url: string): Promise<WebSocket> {
  const client = new WebSocket(url, 'mcp');
  await once(client, 'open');
  return client;
}

describe('the heartbeat', () => {
  it('ends a session whose peer is there on paper only, and keeps a quiet one that answers pings', async () => {
    await using gateway = await startTestListener({ heartbeat: { intervalMs: 100, graceMs: 100 } });
    const quiet = await connectTo(gateway.url);
    const gone = await connectTo(gateway.url);
    gone.pause();
    await eventually('the silent one is gone', () => gateway.seen[1]?.endings === 1);
    expect(gateway.logText()).toContain('nothing received for 100 ms after a ping');
    for (let pings = 0; pings < 10; pings += 1) await once(quiet, 'ping');
    expect(gateway.seen[0]?.endings).toBe(0);
    quiet.terminate();
    gone.terminate();
  });
});
