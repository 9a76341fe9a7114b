import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { eventually } from '../../helpers/eventually.js';
import { createFakeClock } from '../../helpers/fake-clock.js';
import { askRaw, sendRaw, upgradeLines } from '../../helpers/raw-client.js';
import { startTestListener } from '../../helpers/session-listener.js';

async function connectTo(url: string): Promise<WebSocket> {
  const client = new WebSocket(url, 'mcp');
  await once(client, 'open');
  return client;
}

describe('a listener that drains', () => {
  it('refuses new clients with 503 and goes on serving the ones it has', async () => {
    await using gateway = await startTestListener();
    const client = await connectTo(gateway.url);
    gateway.listener.stopAccepting();
    const answer = await askRaw(gateway.port, upgradeLines(gateway.port));
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    client.send('{"id":1}');
    expect(String((await once(client, 'message'))[0])).toBe('{"id":1}');
    client.terminate();
  });

  it('closes its clients with the code and reason it is given, and tells each conversation once', async () => {
    await using gateway = await startTestListener();
    const clients = await Promise.all([connectTo(gateway.url), connectTo(gateway.url)]);
    const closings = clients.map((client) => once(client, 'close'));
    await gateway.listener.closeAll(1_001, 'shutting down');
    expect(gateway.listener.sessions).toBe(0);
    for (const [code, reason] of await Promise.all(closings)) {
      expect([code, String(reason)]).toEqual([1_001, 'shutting down']);
    }
    expect(gateway.seen.map(({ endings }) => endings)).toEqual([1, 1]);
  });

  it('cuts off after a second a client that takes no part in the closing handshake', async () => {
    const clock = createFakeClock();
    await using gateway = await startTestListener({ clock });
    const deaf = await sendRaw(gateway.port, upgradeLines(gateway.port));
    await once(deaf, 'data');
    deaf.pause();
    const closed = gateway.listener.closeAll(1_001, 'shutting down');
    clock.advance(999);
    expect(gateway.listener.sessions).toBe(1);
    clock.advance(1);
    // Well before the 5 s after which the WebSocket library would have done it.
    await eventually('the deaf client is gone', () => gateway.listener.sessions === 0, 3_000);
    await closed;
    expect(gateway.seen[0]?.endings).toBe(1);
    expect(clock.pending).toBe(0);
    deaf.destroy();
  });

  it('ends everything that is left and frees its port when it is closed', async () => {
    const gateway = await startTestListener();
    const client = await connectTo(gateway.url);
    const idle = connect(gateway.port, '127.0.0.1');
    await once(idle, 'connect');
    const gone = once(client, 'close');
    await gateway.listener.close();
    expect((await gone)[0]).toBe(1_006);
    await using next = await startTestListener({ listen: { port: gateway.port } });
    expect(next.port).toBe(gateway.port);
    idle.destroy();
  });
});
