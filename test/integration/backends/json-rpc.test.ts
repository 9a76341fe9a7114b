import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/protocol/json.js';
import { builtBackend, startProcess } from './stdio-process.js';

const backends = [
  {
    name: 'grammar',
    tools: ['conjugate'],
    tool: 'conjugate',
    badArguments: { verb: 'eat', tense: 'past', person: 3 },
  },
  {
    name: 'text-stats',
    tools: ['analizar_texto', 'calcular_estadisticas'],
    tool: 'calcular_estadisticas',
    badArguments: { numeros: ['1'] },
  },
  {
    name: 'system-info',
    tools: ['informacion_sistema'],
    tool: 'informacion_sistema',
    badArguments: { path: '/' },
  },
  {
    name: 'notes',
    tools: ['buscar_notas'],
    tool: 'buscar_notas',
    badArguments: { consulta: 3 },
  },
];

const code = (answer: JsonObject) => [answer.id, (answer.error as JsonObject | undefined)?.code];

describe.each(backends)('the backend $name, in raw lines', ({ name, tools, tool, badArguments }) => {
  const start = () => startProcess(builtBackend(name));

  it('shakes hands, answers ping and lists its tools with all that describes them', async () => {
    await using server = start();
    server.send({
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '0' } },
    });
    expect(await server.next()).toMatchObject({
      jsonrpc: '2.0',
      id: 0,
      result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name } },
    });
    server.send({ method: 'notifications/initialized' });
    server.send({ id: 'p', method: 'ping' });
    expect(await server.next()).toEqual({ jsonrpc: '2.0', id: 'p', result: {} });
    server.send({ id: 1, method: 'tools/list' });
    const described = tools.map((each) => ({
      name: each,
      title: expect.stringMatching(/./),
      description: expect.stringMatching(/./),
      inputSchema: expect.objectContaining({ type: 'object' }),
      outputSchema: expect.objectContaining({ type: 'object' }),
      annotations: { readOnlyHint: true, idempotentHint: true, destructiveHint: false, openWorldHint: false },
    }));
    expect(await server.next()).toEqual({ jsonrpc: '2.0', id: 1, result: { tools: described } });
  });

  it('describes every argument and every member of its results', async () => {
    await using server = start();
    server.send({ id: 1, method: 'tools/list' });
    const { result } = (await server.next()) as unknown as {
      result: { tools: Record<'inputSchema' | 'outputSchema', { properties: Record<string, JsonObject> }>[] };
    };
    const members = result.tools.flatMap(({ inputSchema, outputSchema }) => [
      ...Object.values(inputSchema.properties),
      ...Object.values(outputSchema.properties),
    ]);
    expect(members.length).toBeGreaterThan(0);
    for (const member of members) expect(member).toHaveProperty('description', expect.stringMatching(/./));
  });

  it('answers each fault with its code and lives on', async () => {
    await using server = start();
    const faults: [string | Buffer, unknown, number][] = [
      ['this is no JSON', null, -32700],
      ['{"jsonrpc":"2.0","id":1,"method":"ping"', null, -32700],
      [Buffer.from([0x22, 0xff, 0x22]), null, -32700],
      ['[]', null, -32600],
      ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', null, -32600],
      ['{"jsonrpc":"2.0","id":2}', 2, -32600],
      ['{"id":3,"method":"ping"}', 3, -32600],
      ['{"jsonrpc":"2.0","id":4,"method":"no/such"}', 4, -32601],
      ['{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"no_such"}}', 5, -32602],
      ['{"jsonrpc":"2.0","id":6,"method":"tools/call"}', 6, -32602],
      ['{"jsonrpc":"2.0","id":7,"method":"initialize","params":{}}', 7, -32602],
      [`${'['.repeat(100_000)}`, null, -32700],
    ];
    for (const [line, id, expected] of faults) {
      server.writeLine(line);
      expect(code(await server.next()), String(line).slice(0, 80)).toEqual([id, expected]);
    }
    server.send({ id: 'alive', method: 'ping' });
    expect(await server.next()).toEqual({ jsonrpc: '2.0', id: 'alive', result: {} });
  });

  it.each([
    ['2024-11-05', true],
    ['2025-03-26', true],
    ['2025-06-18', true],
    ['2025-11-25', false],
  ])('answers bad arguments as revision %s asks', async (protocolVersion, asError) => {
    await using server = start();
    server.send({ id: 0, method: 'initialize', params: { protocolVersion } });
    await server.next();
    server.send({ id: 1, method: 'tools/call', params: { name: tool, arguments: badArguments } });
    const text = expect.stringContaining(`invalid arguments for tool "${tool}"`);
    expect(await server.next()).toEqual({
      jsonrpc: '2.0',
      id: 1,
      ...(asError
        ? { error: { code: -32602, message: text } }
        : { result: { isError: true, content: [{ type: 'text', text }] } }),
    });
  });

  it('refuses a line of 20 MiB without dying of it, and one without an end', async () => {
    await using server = start();
    const mebibyte = Buffer.alloc(2 ** 20, 'x');
    for (let written = 0; written < 20; written += 1) server.stdin.write(mebibyte);
    server.writeLine('');
    expect(code(await server.next())).toEqual([null, -32600]);
    server.send({ id: 1, method: 'ping' });
    expect(await server.next()).toHaveProperty('result');
  });

  it('exits with 0 when its input ends, after answering what it has read', async () => {
    await using server = start();
    server.send({ id: 1, method: 'ping' });
    server.stdin.end('{"jsonrpc":"2.0","id":2,"method":"ping"}');
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect((await server.rest()).map(({ id }) => id)).toEqual([1, 2]);
    expect(server.logged()).toBe('');
  });

  it('exits with 0 on SIGTERM while its input is open', async () => {
    await using server = start();
    server.send({ id: 1, method: 'ping' });
    await server.next();
    server.kill('SIGTERM');
    expect(await server.exited).toEqual({ code: 0, signal: null });
  });

  it('exits quietly when nobody reads its answers any more', async () => {
    await using server = start();
    server.send({ id: 1, method: 'ping' });
    await server.next();
    server.stdout.destroy();
    server.send({ id: 2, method: 'ping' });
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(server.logged()).toBe('');
  });
});
