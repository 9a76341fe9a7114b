import { describe, expect, it } from 'vitest';
import { fixture, scripted } from '../helpers/fixture-backend.js';
import { startGateway } from '../helpers/gateway-process.js';
import { residentBytes } from '../helpers/processes.js';
import { openSession } from '../helpers/test-client.js';

const MiB = 1024 * 1024;

describe('output that is no message', () => {
  it('is skipped, counted and shown: banners, empty lines, colours, other JSON, a quoted answer', async () => {
    await using gateway = await startGateway({ config: { mcpServers: { loud: fixture('prints-banners') } } });
    await using client = await openSession(gateway.url);
    for (const v of ['one', 'two', 'three'])
      expect(await client.callText('loud__echo', { v })).toBe(`{"v":"${v}"}`);
    const { state, restarts, noiseLines, lastNoise } = await gateway.backend('loud');
    expect({ state, restarts }).toEqual({ state: 'ready', restarts: 0 });
    expect(noiseLines).toBeGreaterThan(20);
    expect(lastNoise.join('\n')).toContain('Server v1.2 ready');
    // Bytes that would drive a terminal do not get through.
    expect(lastNoise.join('\n')).not.toContain('\u001b');
  });

  it('that is an indented answer costs its own call only, by timeout with a hint', async () => {
    await using gateway = await startGateway({
      config: { requestTimeout: '300ms', mcpServers: { b1: fixture('indented-answers') } },
    });
    await using client = await openSession(gateway.url);
    const lost = await client.call('b1__echo', { indented: true });
    expect(lost.error).toMatchObject({ code: -31004, data: { backend: 'b1' } });
    expect(lost.error?.message).toContain('prints JSON over several lines on stdout');
    expect(await client.callText('b1__echo', { v: 1 })).toBe('{"v":1}');
  });

  it('on stderr never blocks the backend and its tail is kept', async () => {
    await using gateway = await startGateway({ config: { mcpServers: { b1: fixture('floods-stderr') } } });
    await using client = await openSession(gateway.url);
    await client.callText('b1__echo', { v: 0 });
    const before = residentBytes(gateway.pid);
    for (let v = 0; v < 30; v += 1) expect(await client.callText('b1__echo', { v })).toBe(`{"v":${v}}`);
    expect(residentBytes(gateway.pid) - before).toBeLessThan(80 * MiB);
    expect((await gateway.backend('b1')).stderrTail).toMatch(/-{1000}/);
  });
});

describe('lines', () => {
  it('torn into pieces of 7 bytes arrive whole', async () => {
    await using gateway = await startGateway({
      config: { mcpServers: { b1: fixture('prints-half-lines') } },
    });
    await using client = await openSession(gateway.url);
    const values = ['ä€🦊', 'x'.repeat(500), '\u2028'];
    const texts = await Promise.all(values.map((v) => client.callText('b1__echo', { v })));
    expect(texts).toEqual(values.map((v) => JSON.stringify({ v })));
  });

  it('may end in CR LF, begin with a BOM and hold U+2028', async () => {
    await using gateway = await startGateway({ config: { mcpServers: { b1: scripted() } } });
    await using client = await openSession(gateway.url);
    const text =
      '\ufeff{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"text","text":"a\u2028b"}]}}\r';
    expect(await client.callText('b1__raw', { text })).toBe('a\u2028b');
  });

  it('above the limit cost their own call, not the small answer in the same write', async () => {
    await using gateway = await startGateway({
      config: { maxLineBytes: '1MiB', mcpServers: { b1: scripted() } },
    });
    await using client = await openSession(gateway.url);
    const held = client.callText('b1__hold', { key: 'small' });
    const tooLarge = client.call('b1__big', { bytes: 2 * MiB });
    const released = client.callText('b1__release', { key: 'small' });
    expect((await tooLarge).error).toMatchObject({
      code: -31009,
      data: { source: 'gateway', backend: 'b1' },
    });
    expect(await held).toBe('small');
    expect(await released).toBe('released');
    expect((await client.callText('b1__big', { bytes: 1_000_000 })).length).toBe(1_000_000);
    expect((await gateway.backend('b1')).restarts).toBe(0);
  });

  it('of 40 MiB arrive whole where the limits allow them', async () => {
    await using gateway = await startGateway({
      config: { maxLineBytes: '64MiB', mcpServers: { b1: scripted() } },
    });
    await using client = await openSession(gateway.url);
    expect((await client.callText('b1__big', { bytes: 40 * MiB })).length).toBe(40 * MiB);
  });

  it('just below the default limit arrive whole', async () => {
    await using gateway = await startGateway({ config: { mcpServers: { b1: scripted() } } });
    await using client = await openSession(gateway.url);
    expect((await client.callText('b1__big', { bytes: 9 * MiB })).length).toBe(9 * MiB);
  });

  it.each([true, false])(
    'without end (200 MiB, an answer: %s) leave memory flat and the backend alive',
    async (asAnswer) => {
      await using gateway = await startGateway({
        config: { mcpServers: { b1: fixture('line-without-end') } },
      });
      await using client = await openSession(gateway.url);
      const before = residentBytes(gateway.pid);
      const reply = await client.call('b1__flood', { asAnswer });
      if (asAnswer) expect(reply.error).toMatchObject({ code: -31009, data: { backend: 'b1' } });
      else expect(reply.result?.content?.[0]?.text).toBe('flooded');
      expect(residentBytes(gateway.pid) - before).toBeLessThan(80 * MiB);
      expect(await client.callText('b1__echo', { v: 1 })).toBe('{"v":1}');
      expect((await gateway.backend('b1')).restarts).toBe(0);
    },
  );

  it('that are not UTF-8 never reach a client; an answer among them becomes an error', async () => {
    await using gateway = await startGateway({ config: { mcpServers: { b1: scripted() } } });
    await using client = await openSession(gateway.url);
    const held = client.call('b1__hold', { key: 'k' });
    await gateway.backendWhen('b1', ({ inFlight }) => inFlight === 1);
    const line = JSON.parse(await client.callText('b1__received')) as string[];
    const { id } = JSON.parse(line.find((text) => text.includes('"hold"')) ?? '') as { id: number };
    const bytes = Buffer.concat([
      Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}]}}\n'),
    ]);
    const raw = client.call('b1__raw', { base64: bytes.toString('base64') });
    expect((await held).error).toMatchObject({ code: -32603, data: { source: 'gateway', backend: 'b1' } });
    expect(await client.callText('b1__echo', { v: 1 })).toBe('{"v":1}');
    void raw.catch(() => undefined);
  });

  it('with a last answer and no end before the exit are delivered', async () => {
    await using gateway = await startGateway({ config: { mcpServers: { b1: scripted() } } });
    await using client = await openSession(gateway.url);
    const last = '{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"text","text":"farewell"}]}}';
    expect(await client.callText('b1__exit', { code: 0, last })).toBe('farewell');
  });
});

describe('a backend that never reads', () => {
  it('fills up to a bound, then gets overload errors at once, while another backend answers', async () => {
    await using gateway = await startGateway({
      config: {
        requestTimeout: '2s',
        mcpServers: { deaf: fixture('never-reads-stdin'), good: scripted() },
      },
    });
    await using client = await openSession(gateway.url);
    const v = 'x'.repeat(MiB);
    const replies = Array.from({ length: 16 }, () => client.call('deaf__echo', { v }));
    expect(await client.callText('good__echo', { v: 1 })).toBe('{"v":1}');
    const codes = (await Promise.all(replies)).map(({ error }) => error?.code);
    expect(new Set(codes)).toEqual(new Set([-31004, -31005]));
    expect(codes.filter((code) => code === -31005).length).toBeGreaterThan(4);
  });
});
