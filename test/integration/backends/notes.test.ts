import { once } from 'node:events';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/protocol/json.js';
import { temporaryFolder } from '../../unit/backends/notes/temporary-folder.js';
import { builtBackend, startProcess } from './stdio-process.js';

const updatedMethod = 'notifications/resources/updated';
const listChangedMethod = 'notifications/resources/list_changed';
const updated = (uri: string) => ({ jsonrpc: '2.0', method: updatedMethod, params: { uri } });
const listChanged = { jsonrpc: '2.0', method: listChangedMethod };

/** The backend in raw lines, after the handshake, with the notices that it sends kept apart from the answers. */
async function start(args: readonly string[]) {
  const server = startProcess(builtBackend('notes'), { args });
  const notices: JsonObject[] = [];
  const ask = async (method: string, params: JsonObject = {}) => {
    server.send({ id: 1, method, params });
    for (;;) {
      const message = await server.next();
      if (message.id === 1) return message;
      notices.push(message);
    }
  };
  await ask('initialize', { protocolVersion: '2025-11-25' });
  server.send({ method: 'notifications/initialized' });
  return { ...server, ask, notice: async () => notices.shift() ?? (await server.next()) };
}

/** The official client, connected to the backend, and the notices that it hears. */
async function connect(...args: string[]) {
  const client = new Client({ name: 'test', version: '0' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [builtBackend('notes'), ...args],
  });
  const heard = new EventTarget();
  const tell = ({ method, params }: { method: string; params?: object | undefined }) => {
    heard.dispatchEvent(new CustomEvent(method, { detail: params }));
  };
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, tell);
  client.setNotificationHandler(ResourceListChangedNotificationSchema, tell);
  await client.connect(transport);
  /** The parameters of the next such notice. */
  const next = async (method: string) => ((await once(heard, method))[0] as CustomEvent).detail;
  return { client, next, [Symbol.asyncDispose]: () => client.close() };
}

describe('notes with the official client', () => {
  it('offers all three primitives, with proposals and news', async () => {
    await using server = await connect();
    expect(server.client.getServerCapabilities()).toEqual({
      tools: {},
      resources: { subscribe: true, listChanged: true },
      prompts: {},
      completions: {},
    });
  });

  it('finds "presupuesto 2027" in the sample that ships, and links the notes', async () => {
    await using server = await connect();
    await server.client.listTools();
    const result = await server.client.callTool({
      name: 'buscar_notas',
      arguments: { consulta: 'presupuesto 2027' },
    });
    expect(result.structuredContent).toMatchObject({
      total: 2,
      notas: [
        { nombre: 'Presupuesto 2027', lineas: [{ numero: 1, texto: '# Presupuesto 2027' }] },
        { nombre: 'Reunión de abril' },
      ],
    });
    expect(result.content).toContainEqual({
      type: 'resource_link',
      uri: 'note://Presupuesto%202027',
      name: 'Presupuesto 2027',
      mimeType: 'text/markdown',
    });
  });

  it('tells a model that a query is blank', async () => {
    await using server = await connect();
    expect(
      await server.client.callTool({ name: 'buscar_notas', arguments: { consulta: ' ' } }),
    ).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('la consulta está vacía') }],
    });
  });

  it('lists the notes and their template, and reads each', async () => {
    await using dir = await temporaryFolder({ 'Uno dos.md': '# Uno\n', 'tres.md': '', 'no.txt': '' });
    await using server = await connect('--dir', dir.path);
    const mimeType = 'text/markdown';
    expect((await server.client.listResources()).resources).toEqual([
      { uri: 'note://Uno%20dos', name: 'Uno dos', mimeType },
      { uri: 'note://tres', name: 'tres', mimeType },
    ]);
    expect((await server.client.listResourceTemplates()).resourceTemplates).toMatchObject([
      { uriTemplate: 'note://{name}', mimeType },
    ]);
    expect(await server.client.readResource({ uri: 'note://Uno%20dos' })).toEqual({
      contents: [{ uri: 'note://Uno%20dos', mimeType, text: '# Uno\n' }],
    });
    expect(await server.client.readResource({ uri: 'note://tres' })).toMatchObject({
      contents: [{ text: '' }],
    });
  });

  it.each([
    [{ type: 'ref/resource', uri: 'note://{name}' } as const, 'name'],
    [{ type: 'ref/prompt', name: 'resumir_nota' } as const, 'nota'],
  ])('proposes names of notes for %j', async (ref, name) => {
    await using server = await connect();
    const { completion } = await server.client.complete({ ref, argument: { name, value: 'reunion' } });
    expect(completion).toEqual({ values: ['Reunión de abril'], total: 1, hasMore: false });
  });

  it('puts a note and a request before the model, and refuses one that is not there', async () => {
    await using server = await connect();
    const { prompts } = await server.client.listPrompts();
    expect(prompts).toMatchObject([{ name: 'resumir_nota', arguments: [{ name: 'nota', required: true }] }]);
    const get = (nota: string) => server.client.getPrompt({ name: 'resumir_nota', arguments: { nota } });
    const resource = {
      uri: 'note://Lecturas',
      mimeType: 'text/markdown',
      text: expect.stringContaining('Rulfo'),
    };
    expect((await get('Lecturas')).messages).toEqual([
      { role: 'user', content: { type: 'text', text: expect.stringContaining('«Lecturas»') } },
      { role: 'user', content: { type: 'resource', resource } },
    ]);
    await expect(get('../README')).rejects.toThrow('no hay ninguna nota "../README"');
    await expect(server.client.getPrompt({ name: 'resumir_nota' })).rejects.toThrow('"nota" is missing');
  });

  it('tells subscribers that a note changed, and everybody that one came or went', async () => {
    await using dir = await temporaryFolder({ 'a.md': 'one' });
    await using server = await connect('--dir', dir.path);
    await server.client.subscribeResource({ uri: 'note://a' });

    const changed = server.next(updatedMethod);
    await dir.write('a.md', 'two');
    expect(await changed).toEqual({ uri: 'note://a' });
    expect(await server.client.readResource({ uri: 'note://a' })).toMatchObject({
      contents: [{ text: 'two' }],
    });

    const came = server.next(listChangedMethod);
    await dir.write('b.md', '');
    await came;
    expect((await server.client.listResources()).resources.map(({ name }) => name)).toEqual(['a', 'b']);

    const went = server.next(listChangedMethod);
    await rm(join(dir.path, 'b.md'));
    await went;
    expect((await server.client.listResources()).resources.map(({ name }) => name)).toEqual(['a']);
  });
});

describe('notes in raw lines: what changes', () => {
  it('is told as one update when an editor saves by renaming, and not as another list', async () => {
    await using dir = await temporaryFolder({ 'a.md': 'one', 'b.md': '' });
    await using server = await start(['--dir', dir.path]);
    await server.ask('resources/subscribe', { uri: 'note://a' });
    await server.ask('resources/subscribe', { uri: 'note://b' });

    await dir.write('a.md.tmp', 'two');
    await rename(join(dir.path, 'a.md.tmp'), join(dir.path, 'a.md'));
    expect(await server.notice()).toEqual(updated('note://a'));
    await dir.write('b.md', 'changed');
    expect(await server.notice()).toEqual(updated('note://b'));
  });

  it('is told to who subscribed under another spelling, in that spelling', async () => {
    await using dir = await temporaryFolder({ "d'accord.md": '' });
    await using server = await start(['--dir', dir.path]);
    await server.ask('resources/subscribe', { uri: "note://d'accord" });
    await dir.write("d'accord.md", 'x');
    expect(await server.notice()).toEqual(updated("note://d'accord"));
  });

  it('is told when a subscribed note goes, and again when it is back', async () => {
    await using dir = await temporaryFolder({ 'a.md': 'one' });
    await using server = await start(['--dir', dir.path]);
    await server.ask('resources/subscribe', { uri: 'note://a' });
    await rm(join(dir.path, 'a.md'));
    expect([await server.notice(), await server.notice()]).toEqual([listChanged, updated('note://a')]);
    await dir.write('a.md', 'back');
    expect([await server.notice(), await server.notice()]).toEqual([listChanged, updated('note://a')]);
  });

  it('is not told after unsubscribing, nor of files that are no notes', async () => {
    await using dir = await temporaryFolder({ 'a.md': 'one' });
    await using server = await start(['--dir', dir.path]);
    await server.ask('resources/subscribe', { uri: 'note://a' });
    await server.ask('resources/unsubscribe', { uri: 'note://a' });
    await dir.write('a.md', 'two');
    await dir.write('a.txt', '');
    // Changes are told in order, so that nothing can follow later than this.
    await dir.write('b.md', '');
    expect(await server.notice()).toEqual(listChanged);
    await rm(join(dir.path, 'b.md'));
    expect(await server.notice()).toEqual(listChanged);
  });
});

describe('notes in raw lines: what lies outside', () => {
  /** Every one tries to reach a file that exists, or to name the note `a` in a way that is not its own. */
  const attempts = [
    'note://../secret',
    'note://..%2Fsecret',
    'note://%2E%2E%2Fsecret',
    'note://%2e%2e/secret',
    'note://..%5Csecret',
    'note://folder%2Fsecret',
    'note://folder/secret',
    'note://a%2F..%2F..%2Fsecret',
    'note://link',
    'note://a%00',
    'note://a%00.md',
    'note://..',
    'note://.',
    'note://',
    'note://a/',
    'note://a.md',
    'note://a?x',
    'note://%',
    'note://.hidden',
    'note://__proto__',
    'file:///etc/passwd',
    '/etc/passwd',
    '',
  ];

  it.each(['resources/read', 'resources/subscribe'])('is an unknown resource in %s', async (method) => {
    await using dir = await temporaryFolder({ 'a.md': 'a', '.hidden.md': 'secret' });
    await writeFile(join(dir.outside, 'secret.md'), 'secret');
    await mkdir(join(dir.path, 'folder'));
    await writeFile(join(dir.path, 'folder', 'secret.md'), 'secret');
    await dir.link('link.md', '../secret.md');
    await using server = await start(['--dir', dir.path]);
    for (const uri of [...attempts, `note://${encodeURIComponent(join(dir.outside, 'secret'))}`]) {
      expect(await server.ask(method, { uri }), uri).toMatchObject({
        error: { code: -32002, data: { uri } },
      });
    }
    expect(await server.ask(method, { uri: 'note://a' })).toHaveProperty('result');
  });

  it('is found by no search and proposed for nothing', async () => {
    await using dir = await temporaryFolder({ 'a.md': 'a' });
    await writeFile(join(dir.outside, 'secret.md'), 'secret');
    await dir.link('link.md', '../secret.md');
    await using server = await start(['--dir', dir.path]);
    const params = { name: 'buscar_notas', arguments: { consulta: 'secret' } };
    expect(await server.ask('tools/call', params)).toMatchObject({
      result: { structuredContent: { total: 0, notas: [] } },
    });
    const ref = { type: 'ref/resource', uri: 'note://{name}' };
    expect(
      await server.ask('completion/complete', { ref, argument: { name: 'name', value: '' } }),
    ).toMatchObject({
      result: { completion: { values: ['a'] } },
    });
  });
});

describe('a start of notes that cannot succeed', () => {
  it.each([[['--dir', '/nowhere/at/all']], [['--dir']], [['--folder', 'x']]])(
    'with %j exits with 1 and a reason on stderr, and nothing on stdout',
    async (args) => {
      await using server = startProcess(builtBackend('notes'), { args });
      expect(await server.exited).toEqual({ code: 1, signal: null });
      expect(server.logged()).toMatch(/^notes: cannot start: .+/);
      expect(await server.rest()).toEqual([]);
    },
  );
});
