import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Admin, startAdmin } from '../../../src/admin/admin.js';
import { askRaw, type RawAnswer } from '../../helpers/raw-client.js';

let admin: Admin;
let ready = true;
let port: number;

const log = pino({ enabled: false });

beforeAll(async () => {
  admin = await startAdmin({
    address: { host: '127.0.0.1', port: 0 },
    probes: {
      live: () => ({ ok: true, reasons: [] }),
      ready: () => (ready ? { ok: true, reasons: [] } : { ok: false, reasons: ['draining'] }),
      started: () => {
        throw new Error('a bug');
      },
    },
    status: () => ({ sessions: 3 }),
    log,
  });
  port = Number(new URL(admin.url).port);
});

afterAll(() => admin.close());

function ask(method: string, path: string, headers: readonly string[] = []): Promise<RawAnswer> {
  const host = headers.some((line) => line.startsWith('Host:')) ? [] : [`Host: 127.0.0.1:${port}`];
  return askRaw(port, [`${method} ${path} HTTP/1.1`, 'Connection: close', ...host, ...headers]);
}

describe('the admin listener', () => {
  it('answers probes with 200 or 503 and the reasons', async () => {
    ready = true;
    const good = await ask('GET', '/readyz');
    expect([good.status, JSON.parse(good.body)]).toEqual([200, { ok: true, reasons: [] }]);
    ready = false;
    const bad = await ask('GET', '/readyz?verbose');
    expect([bad.status, JSON.parse(bad.body)]).toEqual([503, { ok: false, reasons: ['draining'] }]);
    expect((await ask('GET', '/livez')).status).toBe(200);
  });

  it('gives the status as JSON that nobody stores', async () => {
    const answer = await ask('GET', '/status');
    expect(JSON.parse(answer.body)).toEqual({ sessions: 3 });
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('answers HEAD without a body', async () => {
    const answer = await ask('HEAD', '/livez');
    expect([answer.status, answer.body]).toEqual([200, '']);
  });

  it.each<[string, string, string, string[], number]>([
    ['another path', 'GET', '/metrics', [], 404],
    ['another method', 'POST', '/status', [], 405],
    ['a foreign Host', 'GET', '/status', ['Host: evil.test'], 421],
    ['a foreign Origin', 'GET', '/status', ['Origin: http://evil.test'], 403],
    ['a fault of its own', 'GET', '/startupz', [], 500],
  ])('answers %s with an error', async (_, method, path, headers, status) => {
    const answer = await ask(method, path, headers);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toHaveProperty('error');
    expect(answer.body).not.toContain('sessions');
  });

  it('names the methods there are to a client of another one', async () => {
    expect((await ask('DELETE', '/status')).headers.get('allow')).toBe('GET, HEAD');
  });

  it('says which port is in use', async () => {
    const second = startAdmin({
      address: { host: '127.0.0.1', port },
      probes: {
        live: () => ({ ok: true, reasons: [] }),
        ready: () => ({ ok: true, reasons: [] }),
        started: () => ({ ok: true, reasons: [] }),
      },
      status: () => ({}),
      log,
    });
    await expect(second).rejects.toThrow(`127.0.0.1:${port} (admin): the port is in use`);
  });
});
