import { expect, it } from 'vitest';
import { createHarness, ScriptedBackend } from '../../helpers/router-harness.js';

function set(revision = '2025-11-25') {
  const [backend, other] = [new ScriptedBackend('b1'), new ScriptedBackend('b2')];
  const harness = createHarness([backend, other]);
  for (const each of [backend, other]) harness.ready(each, ['ask']);
  const [client, stranger] = [harness.client(), harness.client()];
  for (const each of [client, stranger]) each.initialize(revision, { elicitation: { url: {} } });
  client.request(1, 'tools/call', { name: 'b1__ask' });
  const complete = (by: ScriptedBackend, elicitationId: string) =>
    harness.say(by, {
      jsonrpc: '2.0',
      method: 'notifications/elicitation/complete',
      params: { elicitationId, x: 1 },
    });
  const fail = (code: number, elicitations: unknown) =>
    harness.say(backend, {
      jsonrpc: '2.0',
      id: 1,
      error: { code, message: 'm', data: { elicitations } },
    });
  const completions = () =>
    client.heard.filter(({ method }) => method === 'notifications/elicitation/complete');
  return { backend, other, harness, client, stranger, complete, fail, completions };
}

it('tells the client that was asked to open a page when it is done with, once, and nobody else', () => {
  const { backend, other, harness, stranger, complete, completions } = set();
  const params = { mode: 'url', url: 'https://x.test', elicitationId: 'e1', message: '' };
  harness.say(backend, { jsonrpc: '2.0', id: 1, method: 'elicitation/create', params });
  complete(other, 'e1');
  complete(backend, 'e2');
  expect(completions()).toEqual([]);
  complete(backend, 'e1');
  complete(backend, 'e1');
  expect(completions().map((message) => message.params)).toEqual([{ elicitationId: 'e1', x: 1 }]);
  expect(stranger.heard).toEqual([]);
  expect(harness.router.held.elicitations).toBe(0);
});

it('tells the client whose call failed because pages are to be opened first', () => {
  const { backend, stranger, fail, complete, completions } = set();
  fail(-32042, [{ elicitationId: 'e1' }, { u: 1 }, 7, { elicitationId: 'e2' }]);
  complete(backend, 'e2');
  complete(backend, 'e1');
  expect(completions().map((message) => message.params?.elicitationId)).toEqual(['e2', 'e1']);
  expect(stranger.heard).toEqual([]);
});

it.each([
  ['another error', -32041, [{ elicitationId: 'e1' }]],
  ['no list of pages', -32042, { elicitationId: 'e1' }],
  ['no string for an id', -32042, [{ elicitationId: 1 }]],
  ['an endless id', -32042, [{ elicitationId: 'e1'.repeat(1_000) }]],
])('remembers no page of an error with %s', (_, code, elicitations) => {
  const { harness, client, fail } = set();
  fail(code, elicitations);
  expect(client.last.error?.code).toBe(code);
  expect(harness.router.held.elicitations).toBe(0);
});

it('forgets the oldest of more pages than it keeps for one client', () => {
  const { backend, harness, fail, complete, completions } = set();
  fail(
    -32042,
    Array.from({ length: 300 }, (_, index) => ({ elicitationId: `e${index}` })),
  );
  expect(harness.router.held.elicitations).toBe(256);
  complete(backend, 'e43');
  complete(backend, 'e44');
  expect(completions().map((message) => message.params?.elicitationId)).toEqual(['e44']);
});

it('tells a client of an earlier revision nothing that it does not know', () => {
  const { backend, fail, complete, completions } = set('2025-06-18');
  fail(-32042, [{ elicitationId: 'e1' }]);
  complete(backend, 'e1');
  expect(completions()).toEqual([]);
});

it.each(['the process ends', 'the client leaves'])('forgets pages when %s', (event) => {
  const { backend, harness, client, fail } = set();
  fail(-32042, [{ elicitationId: 'e1' }]);
  expect(harness.router.held.elicitations).toBe(1);
  if (event === 'the client leaves') client.leave();
  else harness.crash(backend);
  expect(harness.router.held.elicitations).toBe(0);
});
