import { beforeEach, describe, expect, it } from 'vitest';
import { metaKeys } from '../../../src/protocol/fields.js';
import type { JsonObject } from '../../../src/protocol/json.js';
import { createHarness, ScriptedBackend, type ScriptedClient } from '../../helpers/router-harness.js';

/** Longer than questions of one call are gathered. */
const gatheredMs = 50;
const form = { method: 'elicitation/create', params: { message: 'sure?' } };
const ask = { jsonrpc: '2.0', id: 7, ...form };
const offer = {
  tools: ['go'],
  prompts: ['go'],
  resourceTemplates: ['note://{name}'],
  capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
};
const meta = {
  [metaKeys.revision]: '2026-07-28',
  [metaKeys.clientInfo]: { name: 'client', version: '0' },
  [metaKeys.clientCapabilities]: { elicitation: {} },
};

let b1: ScriptedBackend;
let b2: ScriptedBackend;
let harness: ReturnType<typeof createHarness>;

beforeEach(() => {
  b1 = new ScriptedBackend('b1');
  b2 = new ScriptedBackend('b2');
  harness = createHarness([b1, b2]);
});

describe('a result of a modern backend that asks a legacy client', () => {
  let client: ScriptedClient;

  beforeEach(() => {
    harness.ready(b1, offer, 'modern');
    client = harness.client();
    client.initialize('2025-11-25', { elicitation: {} });
    client.request(1, 'tools/call', { name: 'b1__go' });
    const result = { resultType: 'input_required', inputRequests: { a: form, b: form }, requestState: 's' };
    harness.say(b1, { jsonrpc: '2.0', id: b1.last.id, result });
  });

  it('is told to nobody once that client has left, and the call is forgotten', () => {
    expect(client.heard.map(({ method }) => method)).toEqual([form.method, form.method]);
    client.texts.length = 0;
    client.leave();
    expect(client.heard).toEqual([]);
    expect(harness.router.inFlight).toBe(0);
  });

  it('ends with its process: the questions are taken back and the call is answered at once', () => {
    harness.crash(b1);
    expect(client.heard.slice(2, 4).map(({ method }) => method)).toEqual([
      'notifications/cancelled',
      'notifications/cancelled',
    ]);
    expect(client.last).toMatchObject({ id: 1, error: { data: { backend: 'b1', exitCode: 1 } } });
    expect(harness.router.inFlight).toBe(0);
  });
});

describe('a call of a legacy client that goes on at a modern backend', () => {
  it('ends with the process that asked, also while it waits for its turn there', () => {
    const busy = new ScriptedBackend('b1', { maxInFlight: 1 });
    const { client, crash, ready, router, say } = createHarness([busy]);
    ready(busy, offer, 'modern');
    const one = client();
    one.initialize('2025-11-25', { elicitation: {} });
    one.request(1, 'tools/call', { name: 'b1__go' });
    const result = { resultType: 'input_required', inputRequests: { a: form }, requestState: 's' };
    say(busy, { jsonrpc: '2.0', id: busy.last.id, result });
    for (const id of [2, 3]) one.request(id, 'tools/call', { name: 'b1__go' });
    one.say({ jsonrpc: '2.0', id: 1, result: { action: 'accept' } });
    crash(busy);
    const answered = one.heard.filter(({ error }) => error?.code === -31003).map(({ id }) => id);
    expect(answered.toSorted()).toEqual([1, 2]);
    expect(router.inFlight).toBe(1);
  });
});

describe('a read of a legacy client that goes on at a modern backend', () => {
  it('is not repeated with answers that are for the process that asked', () => {
    harness.ready(b1, offer, 'modern');
    const client = harness.client();
    client.initialize('2025-11-25', { elicitation: {} });
    client.request(1, 'prompts/get', { name: 'b1__go' });
    const result = { resultType: 'input_required', inputRequests: { a: form }, requestState: 's' };
    harness.say(b1, { jsonrpc: '2.0', id: b1.last.id, result });
    client.say({ jsonrpc: '2.0', id: 1, result: { action: 'accept' } });
    expect(b1.last.params).toMatchObject({ requestState: 's' });
    harness.crash(b1);
    expect(client.last).toMatchObject({ id: 1, error: { code: -31003 } });
    expect(harness.router.inFlight).toBe(0);
  });
});

describe('a modern backend that asks a legacy client twice under one key', () => {
  it('has asked what stands last', () => {
    harness.ready(b1, offer, 'modern');
    const client = harness.client();
    client.initialize('2025-11-25', { elicitation: {} });
    client.request(1, 'tools/call', { name: 'b1__go' });
    const asks = (message: string) => JSON.stringify({ ...form, params: { message } });
    const inputRequests = `{"a":${asks('first?')},"a":${asks('second?')}}`;
    const { id } = b1.last;
    harness.say(
      b1,
      `{"jsonrpc":"2.0","id":${id},"result":{"resultType":"input_required","inputRequests":${inputRequests}}}`,
    );
    expect(client.heard.map(({ params }) => params?.message)).toEqual(['second?']);
    client.say({ jsonrpc: '2.0', id: 1, result: { action: 'decline' } });
    expect(b1.last.params?.inputResponses).toEqual({ a: { action: 'decline' } });
  });
});

describe('a modern backend that asks a legacy client for nothing but the same call again', () => {
  const requestTimeoutMs = 60_000;
  let client: ScriptedClient;

  beforeEach(() => {
    harness.ready(b1, offer, 'modern');
    client = harness.client();
    client.initialize();
    client.request(1, 'tools/call', { name: 'b1__go' });
  });

  const answer = (result: object) => harness.say(b1, { jsonrpc: '2.0', id: b1.last.id, result });

  /** Has it ask for the same call for so long, or until the client is answered. */
  function answerFor(ms: number): void {
    let answered = 0;
    for (let passedMs = 0; passedMs < ms && client.texts.length === 0; passedMs += 50) {
      if (answered < b1.lines.length) {
        answered = b1.lines.length;
        answer({ resultType: 'input_required', requestState: `state ${answered}` });
      }
      harness.clock.advance(50);
    }
  }

  it('is called ever more rarely, with its newest state, until it has a result', () => {
    answerFor(30_000);
    expect(client.texts).toEqual([]);
    expect(b1.lines.length).toBeGreaterThan(5);
    expect(b1.lines.length).toBeLessThan(20);
    expect(b1.seen.map(({ params }) => params?.requestState)).toEqual(
      b1.lines.map((_, at) => (at === 0 ? undefined : `state ${at}`)),
    );
    harness.clock.advance(10_000);
    answer({ resultType: 'complete', content: [] });
    expect(client.last).toMatchObject({ id: 1, result: { content: [] } });
  });

  it('has the time of one call for it', () => {
    answerFor(2 * requestTimeoutMs);
    expect(client.last).toMatchObject({
      id: 1,
      error: { code: -31004, data: { backend: 'b1', limit: 'requestTimeout' } },
    });
    expect(client.last.error?.message).not.toContain('questions');
    expect(harness.clock.now()).toBeLessThan(requestTimeoutMs + 10_000);
    expect(harness.router.inFlight).toBe(0);
  });

  it.each([{}, { inputRequests: {} }, { inputRequests: [] }, { inputRequests: 'name?' }])(
    'is not called again without a state, with %j in place of one',
    (more) => {
      answer({ resultType: 'input_required', ...more });
      harness.clock.advance(10_000);
      expect(b1.lines).toHaveLength(1);
      expect(client.last).toMatchObject({ id: 1, error: { data: { source: 'gateway', backend: 'b1' } } });
    },
  );
});

describe('a legacy backend that asks in a call of a modern client', () => {
  let client: ScriptedClient;

  beforeEach(() => {
    harness.ready(b1, offer);
    client = harness.client();
  });

  /** Has the backend ask in the middle of a request. @returns the request as it is sent again with the answer. */
  function asked(method: string, params: JsonObject): JsonObject {
    client.request(1, method, { ...params, _meta: meta });
    harness.say(b1, ask);
    harness.clock.advance(gatheredMs);
    const { inputRequests = {}, requestState } = client.last.result ?? {};
    const keys = Object.keys(inputRequests as JsonObject);
    const inputResponses = Object.fromEntries(keys.map((key) => [key, { action: 'accept' }]));
    return { ...params, _meta: meta, inputResponses, requestState };
  }

  it('is not told that its question has ended when its process has', () => {
    asked('tools/call', { name: 'b1__go' });
    harness.crash(b1);
    expect(b1.lost).toEqual([]);
  });

  it('is not sent the answers to questions of the process before, when a read is repeated', () => {
    const retry = asked('prompts/get', { name: 'b1__go' });
    harness.crash(b1);
    harness.ready(b1, offer);
    client.request(2, 'prompts/get', retry);
    expect(b1.seen.filter(({ method }) => method === undefined)).toEqual([]);
  });

  it('gets the answer although another backend has come to own what the request names', () => {
    harness.ready(b2, offer, 'modern');
    const retry = asked('resources/read', { uri: 'note://1' });
    harness.list(b1, ['go']);
    client.request(2, 'resources/read', retry);
    expect(b1.last).toEqual({ jsonrpc: '2.0', id: ask.id, result: { action: 'accept' } });
    expect(b2.lines).toEqual([]);
  });

  it('is refused in a request whose result cannot ask', () => {
    client.request(1, 'completion/complete', { ref: { type: 'ref/prompt', name: 'b1__go' }, _meta: meta });
    harness.say(b1, ask);
    harness.clock.advance(gatheredMs);
    expect(b1.last).toMatchObject({ id: ask.id, error: {} });
    expect(client.heard).toEqual([]);
  });

  it('ends the call with -32021 when it is the only one there and did not declare what is asked for', () => {
    client.request(1, 'tools/call', { name: 'b1__go', _meta: meta });
    const { id: requestId } = b1.last;
    harness.say(b1, { ...ask, method: 'sampling/createMessage' });
    expect(client.last).toMatchObject({
      id: 1,
      error: { code: -32021, data: { backend: 'b1', requiredCapabilities: { sampling: {} } } },
    });
    expect(b1.seen.slice(-2)).toMatchObject([
      { id: ask.id, error: {} },
      { method: 'notifications/cancelled', params: { requestId } },
    ]);
  });

  it('is refused, and ends no call, where it can belong to one of several', () => {
    client.request(1, 'tools/call', { name: 'b1__go', _meta: meta });
    client.request(2, 'tools/call', { name: 'b1__go', _meta: meta });
    harness.say(b1, { ...ask, method: 'sampling/createMessage' });
    expect(b1.last).toMatchObject({ id: ask.id, error: {} });
    expect(client.heard).toEqual([]);
  });
});
