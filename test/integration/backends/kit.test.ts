import { once } from 'node:events';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it } from 'vitest';
import { fixture, startProcess } from './stdio-process.js';

const start = () => startProcess(fixture('kit-tools.mjs'));
const call = (id: number, name: string) => ({ id, method: 'tools/call', params: { name } });

/** The official client, and what its server writes to stderr. */
async function connect() {
  const client = new Client({ name: 'test', version: '0' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [fixture('kit-tools.mjs')],
    stderr: 'pipe',
  });
  await client.connect(transport);
  const { stderr } = transport;
  if (stderr === null) throw new Error('the transport was asked for stderr and has none');
  const nextLog = async () => String((await once(stderr, 'data'))[0]);
  return { client, nextLog, [Symbol.asyncDispose]: () => client.close() };
}

describe('the kit with the official client', () => {
  it('reports progress to a caller that asks for it', async () => {
    await using server = await connect();
    const reports: unknown[] = [];
    const onprogress = (report: unknown) => {
      reports.push(report);
      void server.client.callTool({ name: 'release' });
    };
    await server.client.callTool({ name: 'count' }, undefined, { onprogress });
    expect(reports).toEqual(
      [1, 2, 3].map((progress) => ({ progress, total: 3, message: `step ${progress}` })),
    );
  });

  it('aborts a call that the caller cancels, and goes on', async () => {
    await using server = await connect();
    const controller = new AbortController();
    const waiting = server.nextLog();
    const answer = server.client.callTool({ name: 'wait' }, undefined, { signal: controller.signal });
    const refused = expect(answer).rejects.toThrow('no longer wanted');
    expect(await waiting).toBe('kit-tools: waiting\n');

    const cancelled = server.nextLog();
    controller.abort('no longer wanted');
    await refused;
    expect(await cancelled).toBe('kit-tools: cancelled\n');
    expect(await server.client.ping()).toEqual({});
  });
});

describe('the kit in raw lines', () => {
  it('gives a cancelled call no answer', async () => {
    await using server = start();
    server.send(call(1, 'wait'));
    server.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    server.send({ id: 2, method: 'ping' });
    expect(await server.next()).toMatchObject({ id: 2 });
    server.stdin.end();
    expect(await server.rest()).toEqual([]);
  });

  it('answers a fast call while a slow one waits', async () => {
    await using server = start();
    server.send(call(1, 'wait'));
    server.send({ id: 2, method: 'ping' });
    expect(await server.next()).toMatchObject({ id: 2 });
    server.send(call(3, 'release'));
    expect([(await server.next()).id, (await server.next()).id].sort()).toEqual([1, 3]);
  });

  it('sends the answers of calls that finish at the end of input before it exits', async () => {
    await using server = start();
    server.send(call(1, 'wait'));
    server.send(call(2, 'release'));
    server.stdin.end();
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect((await server.rest()).map(({ id }) => id).sort()).toEqual([1, 2]);
  });

  it('exits at the end of input although a call never finishes', async () => {
    await using server = start();
    server.send(call(1, 'wait'));
    server.stdin.end();
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(await server.rest()).toEqual([]);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('exits with 0 on %s although a call is running', async (signal) => {
    await using server = start();
    server.send(call(1, 'wait'));
    await once(server.stderr, 'data');
    server.kill(signal);
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(await server.rest()).toEqual([]);
  });

  it('sends megabytes of answers in full before it exits at the end of input', async () => {
    await using server = start();
    for (let id = 0; id < 5_000; id += 1) server.send({ id, method: 'tools/list' });
    server.stdin.end();
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect((await server.rest()).map(({ id }) => id)).toEqual(Array.from({ length: 5_000 }, (_, id) => id));
  });

  it('exits although nobody reads a large answer', async () => {
    await using server = start();
    server.stdout.pause();
    for (let id = 0; id < 20_000; id += 1) server.send({ id, method: 'tools/list' });
    server.stdin.end();
    expect(await server.exited).toEqual({ code: 0, signal: null });
  });

  it('answers -32603 without a stack when a tool fails, logs why, and goes on', async () => {
    await using server = start();
    server.send(call(1, 'throw'));
    const answer = await server.next();
    expect(answer).toMatchObject({ id: 1, error: { code: -32603 } });
    expect(JSON.stringify(answer)).not.toMatch(/secret|\.mjs/);
    server.send({ id: 2, method: 'ping' });
    expect(await server.next()).toMatchObject({ id: 2, result: {} });
    expect(server.logged()).toContain('the secret reason');
  });

  it('survives an error that is thrown outside of any call', async () => {
    await using server = start();
    const logged = once(server.stderr, 'data');
    server.send(call(1, 'throw-later'));
    expect(await server.next()).toMatchObject({ id: 1, result: {} });
    expect(String(await logged)).toContain('thrown by nobody in particular');
    server.send({ id: 2, method: 'ping' });
    expect(await server.next()).toMatchObject({ id: 2, result: {} });
  });

  it('keeps what a tool prints out of the protocol', async () => {
    await using server = start();
    const logged = once(server.stderr, 'data');
    server.send(call(1, 'print'));
    expect(await server.next()).toMatchObject({ id: 1, result: {} });
    expect(String(await logged)).toBe('printed by a tool\n');
  });

  it('goes on when nobody reads its log', async () => {
    await using server = start();
    server.stderr.destroy();
    for (const id of [1, 2, 3]) {
      server.send(call(id, 'throw'));
      expect(await server.next()).toMatchObject({ id, error: { code: -32603 } });
    }
  });
});
