import { once } from 'node:events';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../unit/backends/notes/temporary-folder.js';
import { builtBackend, fixture } from './stdio-process.js';

const legacy = { revision: '2025-11-25', era: 'legacy' } as const;
const modern = { revision: '2026-07-28', era: 'modern' } as const;

const modes = [
  { mode: 'legacy', options: {}, ...legacy },
  { mode: 'auto', options: { versionNegotiation: { mode: 'auto' } }, ...modern },
  { mode: 'pinned', options: { versionNegotiation: { mode: { pin: modern.revision } } }, ...modern },
] as const satisfies readonly { mode: string; options: ClientOptions; revision: string; era: string }[];

const updatedMethod = 'notifications/resources/updated';
const listChangedMethod = 'notifications/resources/list_changed';

/** The official client of the second generation, connected to a server, and the notices that it hears. */
async function connect(options: ClientOptions, file: string, ...args: string[]) {
  const client = new Client({ name: 'test', version: '0' }, options);
  const heard = new EventTarget();
  client.setNotificationHandler(updatedMethod, ({ params }) => {
    heard.dispatchEvent(new CustomEvent(updatedMethod, { detail: params.uri }));
  });
  client.setNotificationHandler(listChangedMethod, () => {
    heard.dispatchEvent(new CustomEvent(listChangedMethod));
  });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [file, ...args],
    stderr: 'pipe',
  });
  await client.connect(transport);
  const next = async (method: string) => ((await once(heard, method))[0] as CustomEvent).detail;
  const { stderr } = transport;
  if (stderr === null) throw new Error('the transport was asked for stderr and has none');
  const nextLog = async () => String((await once(stderr, 'data'))[0]);
  return { client, next, nextLog, [Symbol.asyncDispose]: () => client.close() };
}

const eaten = { verb: 'eat', tense: 'past simple', person: '3rd singular' };
const calls = [
  ['grammar', 'conjugate', eaten, { form: 'ate' }, { verb: 'sing' }],
  ['text-stats', 'analizar_texto', { texto: 'dos palabras' }, { palabras: 2 }, { texto: 2 }],
  ['system-info', 'informacion_sistema', {}, { plataforma: expect.stringMatching(/./) }, { path: '/' }],
  ['notes', 'buscar_notas', { consulta: 'presupuesto' }, { total: 2 }, { consulta: '' }],
] as const;

describe.each(modes)('the official client of the second generation, $mode', ({ options, revision, era }) => {
  it.each(calls)(
    'lists and calls the tools of %s, and sees what to mend',
    async (backend, name, input, answer, bad) => {
      await using server = await connect(options, builtBackend(backend));
      const { client } = server;
      expect([client.getProtocolEra(), client.getNegotiatedProtocolVersion()]).toEqual([era, revision]);
      expect(client.getServerVersion()).toMatchObject({ name: backend, title: expect.stringMatching(/./) });
      expect((await client.listTools()).tools).toContainEqual(expect.objectContaining({ name }));
      const call = (input: Record<string, unknown>) => client.callTool({ name, arguments: input });
      expect(await call(input)).toMatchObject({ structuredContent: answer });
      expect(await call(bad)).toMatchObject({ isError: true });
      await expect(client.callTool({ name: 'nada' })).rejects.toMatchObject({ code: -32602 });
    },
  );

  it('reads, completes and summarises notes', async () => {
    await using server = await connect(options, builtBackend('notes'));
    const { client } = server;
    const uri = 'note://Lecturas';
    expect((await client.listResources()).resources).toContainEqual(expect.objectContaining({ uri }));
    expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([
      { uriTemplate: 'note://{name}' },
    ]);
    expect(await client.readResource({ uri })).toMatchObject({
      contents: [{ uri, text: expect.stringContaining('Rulfo') }],
    });
    await expect(client.readResource({ uri: 'note://nada' })).rejects.toThrow(
      'unknown resource "note://nada"',
    );
    const ref = { type: 'ref/prompt', name: 'resumir_nota' } as const;
    expect(await client.complete({ ref, argument: { name: 'nota', value: 'lect' } })).toMatchObject({
      completion: { values: ['Lecturas'] },
    });
    expect((await client.listPrompts()).prompts).toMatchObject([{ name: 'resumir_nota' }]);
    const prompt = await client.getPrompt({ name: 'resumir_nota', arguments: { nota: 'Lecturas' } });
    expect(prompt.messages).toHaveLength(2);
  });

  it('hears that a note changed and that one came', async () => {
    await using dir = await temporaryFolder({ 'a.md': 'one' });
    await using server = await connect(options, builtBackend('notes'), '--dir', dir.path);
    const uri = 'note://a';
    if (era === 'legacy') await server.client.subscribeResource({ uri });
    else {
      const filter = { resourcesListChanged: true, resourceSubscriptions: [uri] };
      const { honoredFilter } = await server.client.listen({ ...filter, toolsListChanged: true });
      expect(honoredFilter).toEqual(filter);
    }
    const changed = server.next(updatedMethod);
    await dir.write('a.md', 'two');
    expect(await changed).toBe(uri);
    expect(await server.client.readResource({ uri })).toMatchObject({ contents: [{ text: 'two' }] });
    const came = server.next(listChangedMethod);
    await dir.write('b.md', '');
    await came;
    expect((await server.client.listResources()).resources.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('is told how far a call is, and can cancel one', async () => {
    await using server = await connect(options, fixture('kit-tools.mjs'));
    const { client } = server;
    const reports: unknown[] = [];
    const onprogress = (report: unknown) => {
      reports.push(report);
      void client.callTool({ name: 'release' });
    };
    await client.callTool({ name: 'count' }, { onprogress });
    expect(reports).toEqual(
      [1, 2, 3].map((progress) => ({ progress, total: 3, message: `step ${progress}` })),
    );

    const controller = new AbortController();
    const waiting = server.nextLog();
    const refused = expect(client.callTool({ name: 'wait' }, { signal: controller.signal })).rejects.toThrow(
      'no longer wanted',
    );
    expect(await waiting).toBe('kit-tools: waiting\n');
    const cancelled = server.nextLog();
    controller.abort('no longer wanted');
    await refused;
    expect(await cancelled).toBe('kit-tools: cancelled\n');
  });
});
