import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { UriTemplate } from '../../../src/catalog/uri-template.js';
import type { Offer } from '../../helpers/listing-of.js';
import { createHarness, ScriptedBackend } from '../../helpers/router-harness.js';

function set(offers: readonly Offer[], changes: readonly object[] = []) {
  const backends = offers.map((_, index) => new ScriptedBackend(`b${index + 1}`, changes[index]));
  const harness = createHarness(backends);
  backends.forEach((backend, index) => {
    harness.ready(backend, offers[index] ?? {});
  });
  const client = harness.client();
  client.initialize('2025-06-18');
  let id = 0;
  const read = (uri: string) => {
    id += 1;
    const before = backends.map(({ lines }) => lines.length);
    client.request(id, 'resources/read', { uri });
    const owner = backends.find(({ lines }, index) => lines.length !== before[index]);
    return owner === undefined ? client.last.error : `${owner.key} ${String(owner.last.params?.uri)}`;
  };
  /** The uris in the answer that the client gets to a call of `b1__tool`. */
  const answered = (result: object) => {
    client.request('call', 'tools/call', { name: 'b1__tool' });
    harness.say(backends[0] as ScriptedBackend, {
      jsonrpc: '2.0',
      id: backends[0]?.last.id,
      result,
    });
    return client.last.result;
  };
  return { backends, harness, client, read, answered };
}

describe('reading a resource', () => {
  it('finds each of two backends that list the same URI', () => {
    const { client, read } = set([
      { resources: ['file:///README.md'] },
      { resources: ['file:///README.md'] },
    ]);
    client.request('l', 'resources/list');
    const resources = client.last.result?.resources as { uri: string }[];
    expect(resources.map(({ uri }) => uri)).toEqual(['file:///README.md', 'b2+file:///README.md']);
    expect(read('file:///README.md')).toBe('b1 file:///README.md');
    expect(read('b2+file:///README.md')).toBe('b2 file:///README.md');
    expect(read('B2+file:///README.md')).toBe('b2 file:///README.md');
  });

  it('shows the URI in what was read as the client knows it', () => {
    const { backends, harness, client, read } = set([{ resources: ['a:1'] }, { resources: ['a:1'] }]);
    read('b2+a:1');
    const contents = [{ uri: 'a:1', text: 'x' }, { uri: 'a:2' }];
    harness.say(backends[1] as ScriptedBackend, { jsonrpc: '2.0', id: 1, result: { contents } });
    expect(client.last.result).toEqual({ contents: [{ uri: 'b2+a:1', text: 'x' }, { uri: 'a:2' }] });
  });

  it.each(['db://t/1', 'db://t/a%2Fb', 'db:///'])('finds the owner of a template: %s', (uri) => {
    const { read } = set([{}, { resourceTemplates: ['db://{table}/{id}'] }]);
    expect(read(uri)).toBe(`b2 ${uri}`);
  });

  it.each(['db://t/1/2', 'db://t', 'nowhere://x'])('refuses %s, which nobody has, with its URI', (uri) => {
    const { read } = set([{ resources: ['a:1'] }, { resourceTemplates: ['db://{table}/{id}'] }]);
    expect(read(uri)).toMatchObject({ code: -32002, data: { uri } });
  });

  it('reaches anything of a backend by its prefix', () => {
    const { read } = set([{}, {}]);
    expect(read('b2+made:up')).toBe('b2 made:up');
  });

  it('prefers an entry to a template, and a template to a link', () => {
    const offers = [{ tools: ['tool'] }, { resourceTemplates: ['a:{x}'] }, { resources: ['a:1'] }];
    const { read, answered } = set(offers);
    const links = ['a:1', 'a:2', 'b:3'].map((uri) => ({ type: 'resource_link', uri }));
    const shown = ['b1+a:1', 'b1+a:2', 'b:3'].map((uri) => ({ type: 'resource_link', uri }));
    expect(answered({ content: links })).toEqual({ content: shown });
    expect(['a:1', 'a:2', 'b:3', 'b1+a:1'].map(read)).toEqual(['b3 a:1', 'b2 a:2', 'b1 b:3', 'b1 a:1']);
  });
});

describe('a URI in the result of a call', () => {
  it('can be read back at the backend that wrote it', () => {
    const { read, answered } = set([{ tools: ['tool'] }, { tools: ['tool'] }]);
    expect(read('made:1')).toMatchObject({ code: -32002 });
    const content = [
      { type: 'resource_link', uri: 'made:1', x: 1 },
      { type: 'resource', resource: { uri: 'made:2', text: 'made:3' } },
      { type: 'text', text: '', uri: 'made:4' },
    ];
    expect(answered({ content, structuredContent: { uri: 'made:5' } })).toEqual({
      content,
      structuredContent: { uri: 'made:5' },
    });
    expect(['made:1', 'made:2'].map(read)).toEqual(['b1 made:1', 'b1 made:2']);
    expect(['made:3', 'made:4', 'made:5'].map(read)).toMatchObject(Array(3).fill({ code: -32002 }));
  });

  it('is remembered up to 1000 per backend, the latest ones', () => {
    const { read, answered } = set([{ tools: ['tool'] }]);
    const link = (index: number) => ({ type: 'resource_link', uri: `made:${index}` });
    answered({ content: Array.from({ length: 1_000 }, (_, index) => link(index)) });
    answered({ content: [link(0), link(1_000), { type: 'resource_link', uri: `x:${'x'.repeat(9_000)}` }] });
    expect(read('made:0')).toBe('b1 made:0');
    expect(read('made:1')).toMatchObject({ code: -32002 });
    expect(read('made:1000')).toBe('b1 made:1000');
    expect(read(`x:${'x'.repeat(9_000)}`)).toMatchObject({ code: -32002 });
  });

  it('of a backend without resources is left alone', () => {
    const { read, answered } = set([
      { tools: ['tool'], capabilities: { tools: {} } },
      { resources: ['a:1'] },
    ]);
    const content = [{ type: 'resource_link', uri: 'a:1' }];
    expect(answered({ content })).toEqual({ content });
    expect(read('a:1')).toBe('b2 a:1');
  });
});

describe('a backend with uris "prefixed"', () => {
  const offer = {
    tools: ['tool'],
    prompts: ['ask'],
    resources: ['a:1'],
    resourceTemplates: ['db://{table}/{id}'],
  };
  const prefixed = () => set([offer], [{ uris: 'prefixed' }]);

  it('shows entries and templates with its prefix', () => {
    const { client } = prefixed();
    client.request(1, 'resources/list');
    expect(client.last.result).toMatchObject({ resources: [{ uri: 'b1+a:1' }] });
    client.request(2, 'resources/templates/list');
    expect(client.last.result).toMatchObject({
      resourceTemplates: [{ uriTemplate: 'b1+db://{table}/{id}' }],
    });
  });

  it('is read by that prefix and not without it', () => {
    const { read } = prefixed();
    expect(['b1+a:1', 'b1+db://t/1'].map(read)).toEqual(['b1 a:1', 'b1 db://t/1']);
    expect(['a:1', 'db://t/1'].map(read)).toMatchObject([{ code: -32002 }, { code: -32002 }]);
  });

  it('shows links, embedded resources and contents with its prefix', () => {
    const { backends, harness, client, read, answered } = prefixed();
    const content = (prefix: string) => [
      { type: 'resource_link', uri: `${prefix}b:1` },
      { type: 'resource', resource: { uri: `${prefix}a:1` } },
    ];
    expect(answered({ content: content('') })).toEqual({ content: content('b1+') });
    read('b1+b:1');
    harness.say(backends[0] as ScriptedBackend, {
      jsonrpc: '2.0',
      id: backends[0]?.last.id,
      result: { contents: [{ uri: 'b:1' }] },
    });
    expect(client.last.result).toEqual({ contents: [{ uri: 'b1+b:1' }] });
  });

  it('shows resources in prompts with its prefix', () => {
    const { backends, harness, client } = prefixed();
    client.request(1, 'prompts/get', { name: 'b1__ask' });
    const messages = (uri: string) => [{ role: 'user', content: { type: 'resource', resource: { uri } } }];
    harness.say(backends[0] as ScriptedBackend, {
      jsonrpc: '2.0',
      id: 1,
      result: { messages: messages('a:1') },
    });
    expect(client.last.result).toEqual({ messages: messages('b1+a:1') });
  });

  it('completes its template under its own name for it', () => {
    const { backends, client } = prefixed();
    const argument = { name: 'table', value: 't' };
    client.request(1, 'completion/complete', {
      ref: { type: 'ref/resource', uri: 'b1+db://{table}/{id}' },
      argument,
    });
    expect(backends[0]?.last.params).toEqual({
      ref: { type: 'ref/resource', uri: 'db://{table}/{id}' },
      argument,
    });
  });
});

describe('completion', () => {
  it.each([
    ['a template', { type: 'ref/resource', uri: 'db://{table}/{id}' }, { uri: 'db://{table}/{id}' }],
    ['a resource', { type: 'ref/resource', uri: 'a:1' }, { uri: 'a:1' }],
    ['a prompt', { type: 'ref/prompt', name: 'b2__ask' }, { name: 'ask' }],
  ])('goes to the owner of %s', (_, ref, local) => {
    const { backends, client } = set([
      {},
      { prompts: ['ask'], resources: ['a:1'], resourceTemplates: ['db://{table}/{id}'] },
    ]);
    client.request(1, 'completion/complete', { ref });
    expect(backends[0]?.lines).toEqual([]);
    expect(backends[1]?.last.params).toEqual({ ref: { type: ref.type, ...local } });
  });

  it.each([
    ['an unknown prompt', { type: 'ref/prompt', name: 'b1__no' }, -32602],
    ['an unknown template', { type: 'ref/resource', uri: 'no://{x}' }, -32002],
    ['an unknown type', { type: 'ref/tool', name: 'b1__ask' }, -32602],
    ['a name that is none', { type: 'ref/prompt', name: 1 }, -32602],
    ['no reference', undefined, -32602],
  ])('is refused for %s', (_, ref, code) => {
    const { client } = set([{ prompts: ['ask'] }]);
    client.request(1, 'completion/complete', { ref });
    expect(client.last).toMatchObject({ id: 1, error: { code } });
  });
});

describe('a result with more URIs than can be matched with all templates', () => {
  const link = (uri: string) => ({ type: 'resource_link', uri, name: 'n' });

  it.each([
    [
      'many templates',
      Array.from({ length: 1_000 }, (_, index) => `x${index}://{a}/{b}`),
      Array.from({ length: 1_000 }, (_, index) => link(`q://${index}`)),
      400_000,
    ],
    [
      'a template that takes long',
      [`q:${'{+v}a'.repeat(31)}{w}c`],
      Array.from({ length: 100 }, (_, index) => link(`q:${'ab'.repeat(30_000)}${index}`)),
      2,
    ],
  ])('holds up nobody: %s', (_, resourceTemplates, content, atMost) => {
    const { answered } = set([{ tools: ['tool'] }, { resourceTemplates }]);
    const matches = vi.spyOn(UriTemplate.prototype, 'matches');
    onTestFinished(() => matches.mockRestore());
    expect(answered({ content })).toEqual({ content });
    expect(matches.mock.calls.length).toBeLessThan(atMost);
  });

  it('still shows those apart that another backend lists', () => {
    const { answered } = set([
      { tools: ['tool'] },
      { resources: ['file:///a'], resourceTemplates: Array.from({ length: 5_000 }, (_, i) => `x${i}://{a}`) },
    ]);
    const content = Array.from({ length: 1_000 }, (_, index) => link(`q://${index}`));
    expect(answered({ content: [...content, link('file:///a')] })).toEqual({
      content: [...content, link('b1+file:///a')],
    });
  });
});
