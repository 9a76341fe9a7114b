import { describe, expect, it } from 'vitest';
import { createHarness, ScriptedBackend, type Seen } from '../../helpers/router-harness.js';

function set(revision = '2025-03-26') {
  const backend = new ScriptedBackend('b1');
  const harness = createHarness([backend]);
  harness.ready(backend, ['echo']);
  const client = harness.client();
  client.initialize(revision);
  const answer = (id: number) => harness.say(backend, { jsonrpc: '2.0', id, result: { id } });
  /** The ids and error codes in the one array that the client got. */
  const array = () => {
    expect(client.texts).toHaveLength(1);
    const answers = JSON.parse(client.texts[0] ?? '') as Seen[];
    return answers.map(({ id, error }) => (error === undefined ? id : [id, error.code]));
  };
  return { backend, harness, client, answer, array };
}

const call = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'b1__echo' } });
const ping = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'ping' });
const cancel = (requestId: unknown) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
});

describe('a batch of a 2025-03-26 session', () => {
  it('is answered as one array once its last answer is there', () => {
    const { client, answer, array } = set();
    client.say([call(1), ping(2), call('3')]);
    answer(2);
    expect(client.heard).toEqual([]);
    answer(1);
    expect(array()).toEqual([2, '3', 1]);
  });

  it('is refused when it is empty', () => {
    const { client } = set();
    client.say([]);
    expect(client.last).toMatchObject({ id: null, error: { code: -32600 } });
  });

  it('of notifications alone gets no answer', () => {
    const { client } = set();
    client.say([cancel(7), { jsonrpc: '2.0', method: 'notifications/initialized' }]);
    expect(client.heard).toEqual([]);
  });

  it('has an error for each element that is no message, within the array', () => {
    const { client, array } = set();
    client.say([1, ping(1), { jsonrpc: '2.0', id: 2, method: 3 }, [ping(4)], { jsonrpc: '2.0', id: null }]);
    expect(array()).toEqual([[null, -32600], 1, [2, -32600], [null, -32600], [null, -32600]]);
  });

  it('is answered without an element that is cancelled', () => {
    const { client, answer, array } = set();
    client.say([call(1), call(2)]);
    client.say(cancel(1));
    answer(2);
    expect(array()).toEqual([2]);
  });

  it('may cancel its own element, and gets nothing when all are cancelled', () => {
    const { client, backend } = set();
    client.say([call(1), call(2), cancel(1)]);
    client.say(cancel(2));
    expect(client.heard).toEqual([]);
    expect(backend.seen.filter(({ method }) => method === 'notifications/cancelled')).toHaveLength(2);
  });

  it('refuses an id that is in flight without that id, and the first goes on', () => {
    const { client, answer, array } = set();
    client.say([call(1), call(1), ping(2)]);
    answer(1);
    expect(array()).toEqual([[null, -32600], 2, 1]);
  });

  it('leaves what was asked outside of it alone', () => {
    const { client, answer } = set();
    client.say(call(1));
    client.say([call(2), ping(3)]);
    answer(1);
    expect(client.heard).toEqual([{ jsonrpc: '2.0', id: 1, result: { id: 1 } }]);
    answer(2);
    expect(client.heard).toHaveLength(2);
  });

  it('is answered with errors where a limit or a crash ends its elements', () => {
    const { client, backend, harness, array } = set();
    client.say(Array.from({ length: 66 }, (_, id) => call(id)));
    harness.crash(backend);
    const codes = array().map((answer) => (Array.isArray(answer) ? answer[1] : answer));
    expect(codes.filter((code) => code === -31005)).toHaveLength(2);
    expect(codes.filter((code) => code === -31003)).toHaveLength(64);
  });

  it('can be as long as 1000 messages', () => {
    const { client, array } = set();
    client.say(Array.from({ length: 1_001 }, (_, id) => ping(id)));
    expect(client.last).toMatchObject({ id: null, error: { code: -32600 } });
    client.texts.length = 0;
    client.say(Array.from({ length: 1_000 }, (_, id) => ping(id)));
    expect(array()).toHaveLength(1_000);
  });

  it('sends nothing more when its client leaves', () => {
    const { client } = set();
    client.say([ping(1), call(2)]);
    client.leave();
    expect(client.heard).toEqual([]);
  });
});

it.each(['2024-11-05', '2025-06-18', '2025-11-25'])('is refused in a session on %s', (revision) => {
  const { client, backend } = set(revision);
  client.say([call(1)]);
  expect(client.last).toMatchObject({ error: { code: -32600 } });
  expect(client.last.id ?? null).toBeNull();
  expect(backend.lines).toEqual([]);
});

it('is refused before the handshake', () => {
  const client = createHarness([]).client();
  client.say([{ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-03-26' } }]);
  expect(client.last).toMatchObject({ id: null, error: { code: -32600 } });
});
