import { beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/protocol/json.js';
import { createHarness, ScriptedBackend, type ScriptedClient } from '../../helpers/router-harness.js';

const ask = { jsonrpc: '2.0', id: 1, method: 'elicitation/create', params: { message: 'sure?' } };
const forms = { elicitation: {} };

describe('a question of a shared backend', () => {
  let backend: ScriptedBackend;
  let harness: ReturnType<typeof createHarness>;

  beforeEach(() => {
    backend = new ScriptedBackend('b1', { requestTimeoutMs: 1_000, maxRequestTimeMs: 5_000 });
    harness = createHarness([backend]);
    harness.ready(backend, ['ask']);
  });

  function client(capabilities: JsonObject, revision = '2025-11-25'): ScriptedClient {
    const made = harness.client();
    made.initialize(revision, capabilities);
    return made;
  }

  /** A client with a call under way, whose id at the backend is `calls`. */
  function caller(capabilities: JsonObject, revision?: string): ScriptedClient {
    const made = client(capabilities, revision);
    made.request(1, 'tools/call', { name: 'b1__ask' });
    return made;
  }

  it('goes to the one client with a call there, and the answer goes back under the id of the backend', () => {
    const one = caller(forms);
    const other = client(forms);
    harness.say(backend, ask);
    expect(one.heard).toEqual([{ ...ask, id: 1 }]);
    one.say('{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"n":1.0}}}');
    expect(backend.lines.at(-1)).toBe(
      '{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"n":1.0}}}',
    );
    expect(other.heard).toEqual([]);
  });

  it.each(['0', '""', '"a:b"', '1.0', '9007199254740993'])(
    'is answered under the id %s exactly as the backend wrote it',
    (id) => {
      const one = caller(forms);
      harness.say(backend, `{"jsonrpc":"2.0","id":${id},"method":"elicitation/create","params":{}}`);
      one.say({ jsonrpc: '2.0', id: 1, result: {} });
      expect(backend.lines.at(-1)).toBe(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
    },
  );

  it('never mixes the ids of a question with those of calls', () => {
    const one = caller(forms);
    harness.say(backend, ask);
    one.say({ jsonrpc: '2.0', id: 1, result: { to: 'question' } });
    harness.say(backend, { jsonrpc: '2.0', id: 1, result: { to: 'call' } });
    expect(backend.last).toEqual({ jsonrpc: '2.0', id: 1, result: { to: 'question' } });
    expect(one.last).toEqual({ jsonrpc: '2.0', id: 1, result: { to: 'call' } });
  });

  it('passes an error of the client on', () => {
    const one = caller(forms);
    harness.say(backend, ask);
    one.say({ jsonrpc: '2.0', id: 1, error: { code: -1, message: 'no', data: { x: 1 } } });
    expect(backend.last).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -1, message: 'no', data: { x: 1 } },
    });
  });

  const deep = `${'['.repeat(300)}${']'.repeat(300)}`;

  it.each([
    ['neither a result nor an error', '{"jsonrpc":"2.0","id":1}'],
    ['both of them', '{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"m"}}'],
    ['a result that is no object', '{"jsonrpc":"2.0","id":1,"result":null}'],
    ['an error that is no object', '{"jsonrpc":"2.0","id":1,"error":"no"}'],
    ['an error without a message', '{"jsonrpc":"2.0","id":1,"error":{"code":1}}'],
    ['an error without a code', '{"jsonrpc":"2.0","id":1,"error":{"message":"m","code":"1"}}'],
    ['two results', '{"jsonrpc":"2.0","id":1,"result":{},"result":{}}'],
    ['another version of JSON-RPC', '{"id":1,"result":{}}'],
    ['a result that is nested too deep', `{"jsonrpc":"2.0","id":1,"result":{"a":${deep}}}`],
  ])('gets an error of the gateway at once when the client answers with %s', (_, answer) => {
    const one = caller(forms);
    harness.say(backend, ask);
    one.say(answer);
    expect(backend.last).toMatchObject({ id: 1, error: { code: -32603, data: { source: 'gateway' } } });
    expect(harness.router.held.questions).toBe(0);
    expect(one.heard).toHaveLength(1);
  });

  it('takes an answer under an id that means the same', () => {
    const one = caller(forms);
    harness.say(backend, ask);
    one.say('{"jsonrpc":"2.0","id":"1","result":{}}');
    one.say('{"jsonrpc":"2.0","id":2,"result":7}');
    expect(backend.lines).toHaveLength(1);
    one.say('{"jsonrpc":"2.0","id":1.0,"result":{}}');
    expect(backend.lines.at(-1)).toBe('{"jsonrpc":"2.0","id":1,"result":{}}');
  });

  it('is refused at once with no call in flight', () => {
    client(forms);
    harness.say(backend, ask);
    expect(backend.last).toMatchObject({ id: 1, error: { code: -31010 } });
  });

  it('is refused at once when a client merely subscribes to something meanwhile', () => {
    harness.ready(backend, { resources: ['a:1'] });
    backend.held = [];
    const one = client(forms);
    one.request(1, 'resources/subscribe', { uri: 'a:1' });
    harness.say(backend, ask);
    expect(backend.last).toMatchObject({ id: 1, error: { code: -31010 } });
    expect(one.heard).toEqual([]);
  });

  it('is refused at once when it could belong to several clients, which hear nothing', () => {
    const callers = [caller(forms), caller(forms)];
    harness.say(backend, ask);
    expect(backend.last).toMatchObject({ id: 1, error: { code: -31010 } });
    expect(backend.last.error?.message).toContain('2 clients');
    expect(callers.map(({ heard }) => heard)).toEqual([[], []]);
  });

  it('goes to the one of two callers that can answer it', () => {
    const [able, unable] = [caller(forms), caller({})];
    harness.say(backend, ask);
    expect(able.heard).toHaveLength(1);
    expect(unable.heard).toEqual([]);
  });

  it.each([
    ['does not declare the capability', { sampling: {} }, '2025-11-25', {}],
    ['declares forms and is asked to open a page', { elicitation: {} }, '2025-11-25', { mode: 'url' }],
    ['declares pages alone and is asked to fill in a form', { elicitation: { url: {} } }, '2025-11-25', {}],
    ['has a revision without such questions', { elicitation: {} }, '2025-03-26', {}],
  ])('is refused at once when the caller %s', (_, capabilities, revision, params) => {
    const one = caller(capabilities, revision);
    harness.say(backend, { ...ask, params });
    expect(backend.last).toMatchObject({ id: 1, error: { code: -31010 } });
    expect(one.heard).toEqual([]);
  });

  it('may ask a client that declares it to open a page', () => {
    const one = caller({ elicitation: { url: {} } });
    harness.say(backend, { ...ask, params: { mode: 'url', elicitationId: 'e1' } });
    expect(one.last).toMatchObject({ method: 'elicitation/create', params: { elicitationId: 'e1' } });
  });

  it('is never for roots, which belong to one client', () => {
    const one = caller({ roots: {} });
    harness.say(backend, { jsonrpc: '2.0', id: 1, method: 'roots/list' });
    expect(backend.last).toMatchObject({ id: 1, error: { code: -32601 } });
    expect(one.heard).toEqual([]);
  });

  it('hears of progress in its own token, and of nothing under other tokens', () => {
    const one = caller(forms);
    harness.say(backend, { ...ask, params: { _meta: { progressToken: 'mine' } } });
    expect(one.last.params).toEqual({ _meta: { progressToken: 1 } });
    const progress = (progressToken: number) =>
      one.say({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken, progress: 1 },
      });
    progress(2);
    expect(backend.lines).toHaveLength(1);
    progress(1);
    expect(backend.last.params).toEqual({ progressToken: 'mine', progress: 1 });
  });

  it('can be taken back by the backend, after which the answer goes nowhere', () => {
    const one = caller(forms);
    harness.say(backend, ask);
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled' };
    harness.say(backend, { ...cancelled, params: { requestId: '1' } });
    expect(one.heard).toHaveLength(1);
    harness.say(backend, { ...cancelled, params: { requestId: 1, reason: 'late' } });
    expect(one.last).toEqual({ ...cancelled, params: { requestId: 1, reason: 'late' } });
    one.say({ jsonrpc: '2.0', id: 1, result: {} });
    expect(backend.lines).toHaveLength(1);
  });

  it('ends with its call: the client is told, the backend gets an error', () => {
    const one = caller(forms);
    harness.say(backend, ask);
    harness.say(backend, { jsonrpc: '2.0', id: 1, result: {} });
    expect(one.heard.slice(1)).toMatchObject([
      { id: 1, result: {} },
      { method: 'notifications/cancelled', params: { requestId: 1 } },
    ]);
    expect(backend.last).toMatchObject({ id: 1, error: { code: -31010 } });
    expect(harness.router.held.questions).toBe(0);
  });

  it('stays open while another call of its client can have caused it', () => {
    const one = caller(forms);
    one.request(2, 'tools/call', { name: 'b1__ask' });
    harness.say(backend, ask);
    harness.say(backend, { jsonrpc: '2.0', id: 1, result: {} });
    expect(harness.router.held.questions).toBe(1);
    harness.say(backend, { jsonrpc: '2.0', id: 2, result: {} });
    expect(harness.router.held.questions).toBe(0);
  });

  it('ends with its client, who hears nothing more', () => {
    const one = caller(forms);
    harness.say(backend, ask);
    one.leave();
    expect(one.heard).toHaveLength(1);
    expect(backend.seen.slice(1)).toMatchObject([
      { id: 1, error: { code: -31010 } },
      { method: 'notifications/cancelled', params: { requestId: 1 } },
    ]);
  });

  it('ends with its process', () => {
    const one = caller(forms);
    harness.say(backend, ask);
    harness.crash(backend);
    expect(one.heard.map(({ method, error }) => method ?? error?.code)).toEqual([
      'elicitation/create',
      'notifications/cancelled',
      -31003,
    ]);
    one.say({ jsonrpc: '2.0', id: 1, result: {} });
    expect(backend.lines).toHaveLength(1);
  });

  it('suspends the request timeout of its call, not the longest time', () => {
    const one = caller(forms);
    harness.say(backend, ask);
    harness.clock.advance(3_000);
    expect(one.heard).toHaveLength(1);
    harness.clock.advance(2_100);
    expect(one.heard.find(({ error }) => error !== undefined)).toMatchObject({ error: { code: -31004 } });
  });

  it('gives its call the whole request timeout again once it is answered', () => {
    const one = caller(forms);
    harness.say(backend, ask);
    harness.clock.advance(3_000);
    one.say({ jsonrpc: '2.0', id: 1, result: {} });
    harness.clock.advance(900);
    expect(one.heard).toHaveLength(1);
    harness.clock.advance(200);
    expect(one.last).toMatchObject({ id: 1, error: { code: -31004 } });
  });

  it('is answered once when the backend uses an open id again', () => {
    const one = caller(forms);
    harness.say(backend, ask);
    harness.say(backend, ask);
    expect(one.heard).toHaveLength(1);
    one.say({ jsonrpc: '2.0', id: 1, result: {} });
    expect(backend.seen.filter(({ method }) => method === undefined)).toHaveLength(1);
    expect(harness.router.held.questions).toBe(0);
  });

  it('is refused when 64 are open at the client already', () => {
    const one = caller(forms);
    for (let id = 0; id <= 64; id += 1) harness.say(backend, { ...ask, id });
    expect(one.heard).toHaveLength(64);
    expect(backend.last).toMatchObject({ id: 64, error: { code: -31005 } });
  });

  it.each(['tasks/get', 'tasks/result', 'tasks/cancel', 'tasks/list'])(
    'cannot have become a task, so that %s is refused',
    (method) => {
      const one = caller({ elicitation: {}, tasks: {} });
      harness.say(backend, { jsonrpc: '2.0', id: 4, method, params: { taskId: 't' } });
      expect(backend.last).toMatchObject({ id: 4, error: { code: -32601 } });
      expect(one.heard).toEqual([]);
    },
  );

  it('is no ping: the gateway answers that, and refuses what it does not know', () => {
    harness.say(backend, { jsonrpc: '2.0', id: 0, method: 'ping' });
    harness.say(backend, { jsonrpc: '2.0', id: 'x', method: 'made/up' });
    expect(backend.seen).toMatchObject([
      { id: 0, result: {} },
      { id: 'x', error: { code: -32601 } },
    ]);
  });

  it('gets no refusal written to a process that does not read', () => {
    backend.unwrittenBytes = 9 * 1024 * 1024;
    harness.say(backend, ask);
    harness.say(backend, { jsonrpc: '2.0', id: 2, method: 'ping' });
    expect(backend.lines).toEqual([]);
  });
});
