import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/protocol/json.js';
import { schemasAreMissing } from '../../helpers/official-schemas.js';
import { temporaryFolder } from '../../unit/backends/notes/temporary-folder.js';
import { type Conversation, converse, type EraName, envelope, eras } from './era-conversation.js';
import { problemsOf } from './message-validity.js';

/** A request and what its answer has to hold, in either era. */
type Step = readonly [method: string, params: JsonObject, answer: object];

interface Script {
  readonly name: string;
  readonly capabilities: JsonObject;
  readonly steps: (era: EraName) => readonly Step[];
}

const named = (name: string) => expect.objectContaining({ name });
const call = (name: string, input: JsonObject, answer: object): Step => [
  'tools/call',
  { name, arguments: input },
  answer,
];
const structured = (structuredContent: object) => ({ result: { structuredContent } });
const mended = (text: RegExp) => ({
  result: { isError: true, content: [{ type: 'text', text: expect.stringMatching(text) }] },
});
const refused = (code: number, message: RegExp) => ({
  error: { code, message: expect.stringMatching(message) },
});

const eaten = { verb: 'eat', tense: 'past simple', person: '3rd singular' };
const notFound = { legacy: -32002, modern: -32602 };
const template = { ref: { type: 'ref/resource', uri: 'note://{name}' } };

const scripts: readonly Script[] = [
  {
    name: 'grammar',
    capabilities: { tools: {} },
    steps: () => [
      ['tools/list', {}, { result: { tools: [named('conjugate')] } }],
      ['tools/list', { cursor: 'x' }, refused(-32602, /unknown cursor "x"/)],
      call('conjugate', eaten, structured({ form: 'ate' })),
      call('conjugate', { ...eaten, verb: 'sing' }, mended(/"verb" must be one of/)),
      call('decline', {}, refused(-32602, /unknown tool "decline"/)),
      ['resources/list', {}, refused(-32601, /unknown method "resources\/list"/)],
    ],
  },
  {
    name: 'text-stats',
    capabilities: { tools: {} },
    steps: () => [
      ['tools/list', {}, { result: { tools: [named('analizar_texto'), named('calcular_estadisticas')] } }],
      call('analizar_texto', { texto: 'dos palabras' }, structured({ palabras: 2 })),
      call('calcular_estadisticas', { numeros: [] }, mended(/"numeros"/)),
      call('calcular_estadisticas', { numeros: [1e308, 1e308] }, mended(/demasiado grande/)),
    ],
  },
  {
    name: 'system-info',
    capabilities: { tools: {} },
    steps: () => [
      ['tools/list', {}, { result: { tools: [named('informacion_sistema')] } }],
      call('informacion_sistema', {}, structured({ version_runtime: expect.stringContaining('Node.js') })),
      call('informacion_sistema', { path: '/' }, mended(/"path"/)),
    ],
  },
  {
    name: 'notes',
    capabilities: {
      tools: {},
      resources: { subscribe: true, listChanged: true },
      prompts: {},
      completions: {},
    },
    steps: (era) => [
      ['tools/list', {}, { result: { tools: [named('buscar_notas')] } }],
      call('buscar_notas', { consulta: 'presupuesto' }, structured({ total: 2 })),
      call('buscar_notas', { consulta: ' ' }, mended(/la consulta está vacía/)),
      [
        'resources/list',
        {},
        {
          result: {
            resources: expect.arrayContaining([expect.objectContaining({ uri: 'note://Lecturas' })]),
          },
        },
      ],
      ['resources/templates/list', {}, { result: { resourceTemplates: [{ uriTemplate: 'note://{name}' }] } }],
      [
        'resources/read',
        { uri: 'note://Lecturas' },
        { result: { contents: [{ uri: 'note://Lecturas', text: expect.stringContaining('Rulfo') }] } },
      ],
      [
        'resources/read',
        { uri: 'note://nada' },
        { error: { code: notFound[era], data: { uri: 'note://nada' } } },
      ],
      [
        'completion/complete',
        { ...template, argument: { name: 'name', value: 'reunion' } },
        { result: { completion: { values: ['Reunión de abril'] } } },
      ],
      ['prompts/list', {}, { result: { prompts: [named('resumir_nota')] } }],
      [
        'prompts/get',
        { name: 'resumir_nota', arguments: { nota: 'Lecturas' } },
        { result: { messages: [{ role: 'user' }, { content: { type: 'resource' } }] } },
      ],
      ['prompts/get', { name: 'resumir_nota' }, refused(-32602, /"nota" is missing/)],
    ],
  },
];

/** Has a note changed, made and removed, and yields what the backend told of it. */
async function changeNotes(conversation: Conversation, dir: Awaited<ReturnType<typeof temporaryFolder>>) {
  const told: JsonObject[] = [];
  await conversation.watch(['note://a']);
  await dir.write('a.md', 'two');
  told.push(await conversation.news());
  await dir.write('b.md', '');
  told.push(await conversation.news());
  await rm(join(dir.path, 'a.md'));
  told.push(await conversation.news(), await conversation.news());
  return told;
}

describe.each(eras)('in the %s era', (era) => {
  describe.each(scripts)('the backend $name', ({ name, capabilities, steps }) => {
    it('introduces itself, lists, answers and refuses as in the other era', async () => {
      await using conversation = converse(era, name);
      expect(await conversation.greet()).toMatchObject({ capabilities, serverInfo: { name } });
      for (const [method, params, answer] of steps(era)) {
        const given = await conversation.ask(method, params);
        expect(given, `${method} ${JSON.stringify(params)}`).toMatchObject(answer);
      }
    });

    it('sends nothing but what the official schema allows', async (context) => {
      context.skip(schemasAreMissing !== undefined, schemasAreMissing);
      await using conversation = converse(era, name);
      await conversation.greet();
      for (const [method, params] of steps(era)) await conversation.ask(method, params);
      expect(conversation.heard).toHaveLength(1 + steps(era).length);
      for (const heard of conversation.heard)
        expect(problemsOf(era, heard), JSON.stringify(heard)).toEqual([]);
    });
  });

  it('notes tell that one changed, that one came and that one went', async () => {
    await using dir = await temporaryFolder({ 'a.md': 'one' });
    await using conversation = converse(era, 'notes', ['--dir', dir.path]);
    await conversation.greet();
    expect(await changeNotes(conversation, dir)).toEqual([
      { method: 'notifications/resources/updated', uri: 'note://a' },
      { method: 'notifications/resources/list_changed' },
      { method: 'notifications/resources/list_changed' },
      { method: 'notifications/resources/updated', uri: 'note://a' },
    ]);
  });

  it('notes send only such notices as the official schema allows', async (context) => {
    context.skip(schemasAreMissing !== undefined, schemasAreMissing);
    await using dir = await temporaryFolder({ 'a.md': 'one' });
    await using conversation = converse(era, 'notes', ['--dir', dir.path]);
    await conversation.greet();
    await changeNotes(conversation, dir);
    for (const heard of conversation.heard) expect(problemsOf(era, heard), JSON.stringify(heard)).toEqual([]);
  });
});

describe('both eras on one process', () => {
  it('answer each message in the era that it names, and go on', async () => {
    await using conversation = converse('legacy', 'notes');
    await conversation.greet();
    const read = (params: JsonObject) =>
      conversation.ask('resources/read', { uri: 'note://nada', ...params });
    expect(await read({})).toMatchObject({ error: { code: notFound.legacy } });
    expect(await read({ _meta: envelope })).toMatchObject({ error: { code: notFound.modern } });
    expect(await read({})).toMatchObject({ error: { code: notFound.legacy } });
  });
});
