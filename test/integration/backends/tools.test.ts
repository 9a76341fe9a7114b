import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it } from 'vitest';
import { builtBackend } from './stdio-process.js';

/** The official client, connected to a backend over stdio. It checks every result against the output schema. */
async function connect(name: string, env: Record<string, string> = {}) {
  const client = new Client({ name: 'test', version: '0' });
  const transport = new StdioClientTransport({ command: process.execPath, args: [builtBackend(name)], env });
  await client.connect(transport);
  await client.listTools();
  const call = (tool: string, input: Record<string, unknown> = {}) =>
    client.callTool({ name: tool, arguments: input });
  return { client, call, [Symbol.asyncDispose]: () => client.close() };
}

describe('grammar', () => {
  it('serves the official client: handshake, list, ping and calls', async () => {
    await using server = await connect('grammar');
    expect(server.client.getServerVersion()).toMatchObject({ name: 'grammar' });
    expect(server.client.getServerCapabilities()).toEqual({ tools: {} });
    expect((await server.client.listTools()).tools.map(({ name }) => name)).toEqual(['conjugate']);
    expect(await server.client.ping()).toEqual({});
  });

  it('answers with the bare form and repeats the request beside it', async () => {
    await using server = await connect('grammar');
    const request = { verb: 'eat', tense: 'past simple', person: '3rd singular' };
    expect(await server.call('conjugate', request)).toEqual({
      content: [{ type: 'text', text: 'ate' }],
      structuredContent: { ...request, form: 'ate' },
    });
  });

  it('tells a model which verbs there are when it asks for another', async () => {
    await using server = await connect('grammar');
    const result = await server.call('conjugate', {
      verb: 'sing',
      tense: 'infinitive',
      person: '1st singular',
    });
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/"verb" must be one of "work", .*"write", got "sing"/) }],
    });
  });
});

describe('text-stats', () => {
  it('analyses a text', async () => {
    await using server = await connect('text-stats');
    const structuredContent = {
      caracteres: 18,
      palabras: 3,
      lineas: 2,
      mayusculas: '¡HOLA, 🐈!\nADIÓS, Ñ',
      minusculas: '¡hola, 🐈!\nadiós, ñ',
    };
    const result = await server.call('analizar_texto', { texto: '¡Hola, 🐈!\nAdiós, ñ' });
    expect(result).toMatchObject({ structuredContent: { ...structuredContent, palabras: 4 } });
  });

  it('gives the structured content as JSON text as well', async () => {
    await using server = await connect('text-stats');
    const { content, structuredContent } = await server.call('analizar_texto', { texto: '' });
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
  });

  it.each([
    [Array<number>(10).fill(0.1), { cantidad: 10, suma: 1, media: 0.1, minimo: 0.1, maximo: 0.1 }],
    [[1e308, 1e308, -1e308], { cantidad: 3, suma: 1e308, media: 1e308 / 3, minimo: -1e308, maximo: 1e308 }],
    [[-3], { cantidad: 1, suma: -3, media: -3, minimo: -3, maximo: -3 }],
  ])('calculates the statistics of %j', async (numeros, structuredContent) => {
    await using server = await connect('text-stats');
    expect(await server.call('calcular_estadisticas', { numeros })).toMatchObject({ structuredContent });
  });

  it('answers a sum that is too large to be a number with an error', async () => {
    await using server = await connect('text-stats');
    const result = await server.call('calcular_estadisticas', { numeros: [1.7e308, 1.7e308] });
    expect(result).toEqual({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining('demasiado grande') }],
    });
  });

  it.each([[[]], [[1, null]], [['1']], ['1'], [undefined]])('refuses the numbers %j', async (numeros) => {
    await using server = await connect('text-stats');
    expect(await server.call('calcular_estadisticas', { numeros })).toMatchObject({ isError: true });
  });
});

describe('system-info', () => {
  it('tells system, runtime, platform and working directory, and nothing of its environment', async () => {
    await using server = await connect('system-info', { API_TOKEN: 'hush-hush', HOME: '/home/hush-hush' });
    const result = await server.call('informacion_sistema');
    expect(result.structuredContent).toEqual({
      sistema_operativo: expect.stringMatching(/^\w+ \S+$/),
      version_runtime: `Node.js ${process.versions.node}`,
      plataforma: `${process.platform} ${process.arch}`,
      directorio_trabajo: process.cwd(),
    });
    expect(JSON.stringify(result)).not.toContain('hush-hush');
  });
});
