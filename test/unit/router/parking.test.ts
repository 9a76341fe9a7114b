import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/protocol/json.js';
import {
  createHarness,
  ScriptedBackend,
  type ScriptedClient,
  settled,
} from '../../helpers/router-harness.js';
import { modernMeta } from '../eras/messages.js';

const prefix = 'io.modelcontextprotocol/';
const able = { elicitation: { form: {} }, sampling: {} };
const form = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } };
const answer = { action: 'accept', content: { name: 'Ada' } };

function call(
  client: ScriptedClient,
  id: number | string,
  more: JsonObject = {},
  capabilities: JsonObject = able,
) {
  const _meta = modernMeta({ [`${prefix}clientCapabilities`]: capabilities, ...(more._meta as JsonObject) });
  client.request(id, 'tools/call', { name: 'b__t', arguments: { a: 1 }, ...more, _meta });
}

/** A legacy backend that works on one call of a modern client. */
function setUp(capabilities: JsonObject = able) {
  const backend = new ScriptedBackend('b', { requestTimeoutMs: 60_000, maxRequestTimeMs: 120_000 });
  const harness = createHarness([backend]);
  harness.ready(backend, ['t']);
  harness.clock.advance(10_000);
  const client = harness.client();
  call(client, 1, {}, capabilities);
  const atBackend = backend.last.id as number;
  const ask = (id: number | string, method = 'elicitation/create', params: object = form) =>
    harness.say(backend, { jsonrpc: '2.0', id, method, params });
  return {
    ...harness,
    backend,
    one: client,
    ask,
    /** Lets the backend ask, and gives the state that the client gets. */
    async parked() {
      ask('e1');
      harness.clock.advance(20);
      await settled();
      return (client.last.result as { requestState: string }).requestState;
    },
    finish: () => harness.say(backend, { jsonrpc: '2.0', id: atBackend, result: { content: [] } }),
    atBackend,
  };
}

const refused = { error: { code: -32602, data: { source: 'gateway' } } };
const cancellations = (backend: ScriptedBackend) =>
  backend.seen.filter(({ method }) => method === 'notifications/cancelled');

describe('a question in mid-call', () => {
  it('answers the request, and the retry brings the answer', async () => {
    const { one, backend, parked, finish } = setUp();
    const requestState = await parked();
    expect(one.heard).toEqual([
      {
        jsonrpc: '2.0',
        id: 1,
        result: {
          resultType: 'input_required',
          inputRequests: { q1: { method: 'elicitation/create', params: form } },
          requestState,
        },
      },
    ]);
    call(one, 'again', { requestState, inputResponses: { q1: answer } });
    expect(backend.last).toEqual({ jsonrpc: '2.0', id: 'e1', result: answer });
    finish();
    expect(one.last).toMatchObject({ id: 'again', result: { resultType: 'complete', content: [] } });
  });

  it('is gathered with others that come at once', () => {
    const { one, backend, ask, clock } = setUp();
    ask('e1');
    ask(7, 'sampling/createMessage', { messages: [], maxTokens: 1 });
    clock.advance(20);
    const { inputRequests, requestState } = one.last.result as {
      inputRequests: object;
      requestState: string;
    };
    expect(Object.keys(inputRequests)).toEqual(['q1', 'q2']);
    call(one, 2, { requestState, inputResponses: { q2: { model: 'm' }, q1: answer } });
    expect(backend.seen.slice(-2)).toEqual([
      { jsonrpc: '2.0', id: 7, result: { model: 'm' } },
      { jsonrpc: '2.0', id: 'e1', result: answer },
    ]);
  });

  it('is an error for the backend when the answer is no object', async () => {
    const { one, backend, parked } = setUp();
    call(one, 2, { requestState: await parked(), inputResponses: { q1: 'Ada' } });
    expect(backend.last).toMatchObject({ id: 'e1', error: { code: -32603, data: { source: 'gateway' } } });
  });

  it('may be followed by another round', async () => {
    const { one, backend, ask, clock, parked } = setUp();
    call(one, 2, { requestState: await parked(), inputResponses: { q1: answer } });
    ask('e2');
    clock.advance(20);
    const { requestState } = one.last.result as { requestState: string };
    expect(one.last).toMatchObject({ id: 2, result: { inputRequests: { q2: { params: form } } } });
    call(one, 3, { requestState, inputResponses: { q2: answer } });
    expect(backend.last).toEqual({ jsonrpc: '2.0', id: 'e2', result: answer });
  });

  it('that a retry leaves out is asked again', async () => {
    const { one, backend, parked } = setUp();
    const before = backend.lines.length;
    call(one, 2, { requestState: await parked(), inputResponses: { other: answer } });
    expect(one.last).toMatchObject({ id: 2, result: { inputRequests: { q1: { params: form } } } });
    expect(backend.lines.length).toBe(before);
  });

  it('is judged by what the retry declares, once that goes on', async () => {
    const { one, ask, clock, parked } = setUp({ elicitation: { form: {} } });
    const more = { elicitation: { form: {} }, sampling: {} };
    call(one, 2, { requestState: await parked(), inputResponses: { q1: answer } }, more);
    ask(8, 'sampling/createMessage', { messages: [], maxTokens: 1 });
    clock.advance(20);
    expect(one.last).toMatchObject({ id: 2, result: { resultType: 'input_required' } });
  });

  it.each([
    ['nothing', {}],
    ['something else', { sampling: {} }],
    ['pages alone', { elicitation: { url: {} } }],
  ])('that the request did not declare, but %s, ends it, here and there', (_what, capabilities) => {
    const { one, backend, ask, clock } = setUp(capabilities);
    ask('e1');
    clock.advance(20);
    expect(one.heard).toMatchObject([{ id: 1, error: { code: -32021 } }]);
    expect(cancellations(backend)).toHaveLength(1);
  });
});

describe('a retry', () => {
  it.each([
    ['a state of its own making', () => ({ requestState: 'begun' })],
    ['a state that is no text', () => ({ requestState: 7 })],
    ['an altered state', (state: string) => ({ requestState: `${state.slice(0, -2)}AA` })],
    ['other arguments', (requestState: string) => ({ requestState, arguments: { a: 2 } })],
    ['no arguments', (requestState: string) => ({ requestState, arguments: undefined })],
  ])('with %s is refused, and the call waits on', async (_what, change) => {
    const { one, backend, router, parked } = setUp();
    const requestState = await parked();
    call(one, 2, { inputResponses: { q1: answer }, ...change(requestState) } as JsonObject);
    expect(one.last).toMatchObject({ id: 2, ...refused });
    expect(router.held.parked).toBe(1);
    call(one, 3, { requestState, inputResponses: { q1: answer } });
    expect(backend.last).toEqual({ jsonrpc: '2.0', id: 'e1', result: answer });
  });

  it('by another client is refused', async () => {
    const { client, parked } = setUp();
    const other = client();
    call(other, 1, { requestState: await parked(), inputResponses: { q1: answer } });
    expect(other.last).toMatchObject({ id: 1, ...refused });
  });

  it('counts once', async () => {
    const { one, backend, parked, finish } = setUp();
    const requestState = await parked();
    call(one, 2, { requestState, inputResponses: { q1: answer } });
    const lines = backend.lines.length;
    call(one, 3, { requestState, inputResponses: { q1: answer } });
    expect(one.last).toMatchObject({ id: 3, ...refused });
    expect(backend.lines.length).toBe(lines);
    finish();
    call(one, 4, { requestState, inputResponses: { q1: answer } });
    expect(one.last).toMatchObject({ id: 4, ...refused });
  });

  it('gets what the backend answered in the meantime', async () => {
    const { one, parked, finish, router } = setUp();
    const requestState = await parked();
    finish();
    expect(one.heard).toHaveLength(1);
    call(one, 2, { requestState, inputResponses: { q1: answer } });
    expect(one.last).toMatchObject({ id: 2, result: { resultType: 'complete', content: [] } });
    expect(router.held.parked).toBe(0);
  });
});

describe('calls of one client that wait for answers', () => {
  it('are 64 at most: further questions are refused, until one of them ends', () => {
    const backend = new ScriptedBackend('b');
    const { client, clock, ready, router, say } = createHarness([backend]);
    ready(backend, ['t']);
    const [one, other] = [client(), client()];
    const asks = (id: number) => {
      call(one, id);
      say(backend, { jsonrpc: '2.0', id, method: 'elicitation/create', params: form });
      clock.advance(20);
    };
    for (let id = 1; id <= 64; id += 1) asks(id);
    expect(router.held.parked).toBe(64);
    asks(65);
    expect(backend.last).toMatchObject({ id: 65, error: { code: -31005 } });
    expect(one.heard).toHaveLength(64);
    one.cancel(65);
    one.cancel(1);
    asks(66);
    expect(one.last).toMatchObject({ id: 66, result: { resultType: 'input_required' } });
    expect(router.held.parked).toBe(64);
    one.leave();
    call(other, 1);
    say(backend, { jsonrpc: '2.0', id: 'o', method: 'elicitation/create', params: form });
    clock.advance(20);
    expect(other.last).toMatchObject({ id: 1, result: { resultType: 'input_required' } });
  });
});

describe('while no request is open for a call', () => {
  const reports = (id: number) => ({
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken: id, progress: 1 },
  });
  const logs = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'error', data: 'x' } };

  it('neither its progress nor its log lines are told', async () => {
    const backend = new ScriptedBackend('b');
    const { client, clock, ready, say } = createHarness([backend]);
    ready(backend, ['t']);
    const one = client();
    const more = (progressToken: string) => ({ _meta: { progressToken, [`${prefix}logLevel`]: 'info' } });
    call(one, 1, more('first'));
    const id = backend.last.id as number;
    say(backend, { jsonrpc: '2.0', id: 'e1', method: 'elicitation/create', params: form });
    clock.advance(20);
    expect(one.heard).toHaveLength(1);
    say(backend, reports(id));
    say(backend, logs);
    expect(one.heard).toHaveLength(1);
    const { requestState } = one.last.result as { requestState: string };
    call(one, 2, { requestState, inputResponses: { q1: answer }, ...more('second') });
    say(backend, reports(id));
    say(backend, logs);
    expect(one.heard.slice(1)).toMatchObject([
      { method: 'notifications/progress', params: { progressToken: 'second' } },
      { method: 'notifications/message' },
    ]);
  });
});

describe('a call that nobody retries', () => {
  it('is cancelled at its backend once its state has expired', async () => {
    const { one, backend, clock, parked, atBackend, router } = setUp();
    const requestState = await parked();
    clock.advance(120_000);
    expect(cancellations(backend)).toMatchObject([{ params: { requestId: atBackend } }]);
    expect(backend.seen).toContainEqual(expect.objectContaining({ id: 'e1', error: expect.anything() }));
    expect([router.held.parked, router.inFlight]).toEqual([0, 0]);
    call(one, 2, { requestState, inputResponses: { q1: answer } });
    expect(one.last).toMatchObject({ id: 2, ...refused });
  });

  it('is cancelled at its backend when its client leaves', async () => {
    const { one, backend, parked, atBackend, router } = setUp();
    await parked();
    one.leave();
    expect(cancellations(backend)).toMatchObject([{ params: { requestId: atBackend } }]);
    expect([router.held.parked, router.inFlight]).toEqual([0, 0]);
  });

  it('is cancelled at its backend when its client cancels the request that was answered with questions', async () => {
    const { one, client, backend, parked, atBackend, router } = setUp();
    const requestState = await parked();
    client().cancel(1);
    one.cancel('1');
    expect(router.held.parked).toBe(1);
    one.cancel(1);
    expect(cancellations(backend)).toMatchObject([{ params: { requestId: atBackend } }]);
    expect([router.held.parked, router.inFlight]).toEqual([0, 0]);
    expect(one.heard).toHaveLength(1);
    call(one, 2, { requestState, inputResponses: { q1: answer } });
    expect(one.last).toMatchObject({ id: 2, ...refused });
  });

  it('goes on when its client cancels another request that has the id again', async () => {
    const { one, backend, parked, finish } = setUp();
    const requestState = await parked();
    call(one, 1, { arguments: { other: true } });
    const { id: requestId } = backend.last;
    one.cancel(1);
    expect(cancellations(backend)).toMatchObject([{ params: { requestId } }]);
    call(one, 2, { requestState, inputResponses: { q1: answer } });
    finish();
    expect(one.last).toMatchObject({ id: 2, result: { content: [] } });
  });

  it('is refused when its backend has ended meanwhile', async () => {
    const { one, backend, parked, crash, router } = setUp();
    const requestState = await parked();
    crash(backend);
    call(one, 2, { requestState, inputResponses: { q1: answer } });
    expect(one.last).toMatchObject({ id: 2, error: { data: { source: 'gateway' } } });
    expect(router.inFlight).toBe(0);
  });

  it('is cancelled under the id of its retry', async () => {
    const { one, backend, parked, atBackend } = setUp();
    call(one, 2, { requestState: await parked(), inputResponses: { q1: answer } });
    one.cancel(2);
    expect(cancellations(backend)).toMatchObject([{ params: { requestId: atBackend } }]);
  });
});
