import { beforeEach, describe, expect, it } from 'vitest';
import {
  createHarness,
  ScriptedBackend,
  type ScriptedClient,
  type Seen,
  settled,
} from '../../helpers/router-harness.js';

const capabilities = { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };

describe('tasks at a shared backend', () => {
  let backend: ScriptedBackend;
  let harness: ReturnType<typeof createHarness>;
  let one: ScriptedClient;
  let other: ScriptedClient;

  beforeEach(() => {
    backend = new ScriptedBackend('b1');
    harness = createHarness([backend]);
    harness.ready(backend, { tools: ['work'], capabilities });
    [one, other] = [harness.client(), harness.client()];
    for (const client of [one, other]) client.initialize('2025-11-25', { elicitation: {} });
  });

  /** Lets a client begin a task; the id of its call at the backend comes back. */
  function begin(client: ScriptedClient, id = 1): number {
    const params = { name: 'b1__work', task: { ttl: 1 }, _meta: { progressToken: 'p' } };
    client.request(id, 'tools/call', params);
    return Number(backend.last.id);
  }

  function created(callId: number, taskId: string): void {
    const task = { taskId, status: 'working', x: 1.0 };
    harness.say(backend, { jsonrpc: '2.0', id: callId, result: { task } });
  }

  function status(taskId: string, state = 'working', by = backend): void {
    const params = { taskId, status: state };
    harness.say(by, { jsonrpc: '2.0', method: 'notifications/tasks/status', params });
  }

  const statuses = (client: ScriptedClient) =>
    client.heard.filter(({ method }) => method === 'notifications/tasks/status').map(({ params }) => params);

  it('are reached by the session that made them', () => {
    created(begin(one), 't1');
    one.request(2, 'tasks/get', { taskId: 't1' });
    expect(backend.last).toEqual({ jsonrpc: '2.0', id: 2, method: 'tasks/get', params: { taskId: 't1' } });
    harness.say(backend, { jsonrpc: '2.0', id: 2, result: { taskId: 't1', status: 'working' } });
    expect(one.last).toEqual({ jsonrpc: '2.0', id: 2, result: { taskId: 't1', status: 'working' } });
  });

  it.each(['tasks/get', 'tasks/result', 'tasks/cancel'])('do not exist for other sessions: %s', (method) => {
    created(begin(one), 't1');
    const before = backend.lines.length;
    other.request(1, method, { taskId: 't1' });
    expect(other.last).toMatchObject({ id: 1, error: { code: -32602 } });
    other.request(2, method, {});
    expect(other.last).toMatchObject({ id: 2, error: { code: -32602 } });
    expect(backend.lines).toHaveLength(before);
  });

  it('tell their states to the session that made them alone', () => {
    created(begin(one), 't1');
    status('t1');
    status('made-up');
    expect(statuses(one)).toEqual([{ taskId: 't1', status: 'working' }]);
    expect(other.heard).toEqual([]);
  });

  it('may tell a state before the answer that names them: it is heard after that answer', () => {
    const callId = begin(one);
    status('t1');
    expect(one.heard).toEqual([]);
    created(callId, 't1');
    expect(one.heard.map(({ id, method }) => id ?? method)).toEqual([1, 'notifications/tasks/status']);
    expect(other.heard).toEqual([]);
  });

  it('keep an early state while other calls come and go', () => {
    const callId = begin(one);
    status('t1');
    other.request(1, 'tools/call', { name: 'b1__work' });
    harness.say(backend, { jsonrpc: '2.0', id: backend.last.id, result: {} });
    created(begin(other, 2), 't2');
    created(callId, 't1');
    expect(statuses(one)).toEqual([{ taskId: 't1', status: 'working' }]);
    expect(statuses(other)).toEqual([]);
  });

  it('keep no early state that nobody can claim any more', () => {
    status('t0');
    const callId = begin(one);
    status('t1');
    harness.say(backend, { jsonrpc: '2.0', id: callId, error: { code: 1, message: 'no' } });
    expect(harness.router.held.tasks).toBe(0);
  });

  it('go on with progress under the token of their call, until they end', () => {
    const callId = begin(one);
    created(callId, 't1');
    const progress = () =>
      harness.say(backend, {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: callId, progress: 1 },
      });
    progress();
    expect(one.last.params).toEqual({ progressToken: 'p', progress: 1 });
    status('t1', 'completed');
    progress();
    expect(one.last.method).toBe('notifications/tasks/status');
    expect(other.heard).toEqual([]);
  });

  it('ask their session, without a call, and not in the name of another call', () => {
    created(begin(one), 't1');
    other.request(1, 'tools/call', { name: 'b1__work' });
    const _meta = { 'io.modelcontextprotocol/related-task': { taskId: 't1' } };
    harness.say(backend, { jsonrpc: '2.0', id: 5, method: 'elicitation/create', params: { _meta } });
    expect(one.last).toMatchObject({ id: 1, method: 'elicitation/create', params: { _meta } });
    expect(other.heard).toEqual([]);
    one.request(2, 'tools/call', { name: 'b1__work' });
    harness.say(backend, { jsonrpc: '2.0', id: backend.last.id, result: {} });
    expect(harness.router.held.questions).toBe(1);
  });

  it('are listed to the session that made them alone, from all pages of the backend', async () => {
    created(begin(one), 't1');
    created(begin(other), 't2');
    created(begin(one, 2), 't3');
    const pages: Record<string, object> = {
      first: { tasks: [{ taskId: 't1', x: 1 }, { taskId: 't2' }, { taskId: 't9' }], nextCursor: '' },
      '': { tasks: [{ taskId: 't3' }] },
    };
    backend.answerOwn = (_, params) => ({ result: pages[String(params?.cursor ?? 'first')] });
    one.request(3, 'tasks/list', {});
    await settled();
    expect(one.last).toEqual({
      jsonrpc: '2.0',
      id: 3,
      result: { tasks: [{ taskId: 't1', x: 1 }, { taskId: 't3' }] },
    });
  });

  it('are listed without those of a backend that fails, lists for ever, or has none of the session', async () => {
    other.request(1, 'tasks/list');
    await settled();
    expect(other.last).toEqual({ jsonrpc: '2.0', id: 1, result: { tasks: [] } });
    expect(backend.asked).toEqual([]);
    created(begin(one), 't1');
    backend.answerOwn = () => ({ error: { code: 1, message: 'no' } });
    one.request(2, 'tasks/list');
    await settled();
    expect(one.last).toEqual({ jsonrpc: '2.0', id: 2, result: { tasks: [] } });
    let page = 0;
    backend.answerOwn = () => {
      page += 1;
      return { result: { tasks: [], nextCursor: `p${page}` } };
    };
    one.request(3, 'tasks/list');
    await settled();
    expect(one.last).toEqual({ jsonrpc: '2.0', id: 3, result: { tasks: [] } });
    expect(backend.asked).toHaveLength(101);
  });

  it('are listed once, also when a cursor comes again', async () => {
    created(begin(one), 't1');
    backend.answerOwn = () => ({ result: { tasks: [{ taskId: 't1' }], nextCursor: 'again' } });
    one.request(2, 'tasks/list');
    await settled();
    expect(one.last).toEqual({ jsonrpc: '2.0', id: 2, result: { tasks: [{ taskId: 't1' }] } });
    expect(backend.asked).toHaveLength(2);
  });

  it('are listed from so many bytes of pages and no more', async () => {
    created(begin(one), 't1');
    const long = 'x'.repeat(5 * 1024 * 1024);
    backend.answerOwn = () => ({ result: { tasks: [], nextCursor: `${backend.asked.length}${long}` } });
    one.request(2, 'tasks/list');
    await settled();
    expect(one.last).toEqual({ jsonrpc: '2.0', id: 2, result: { tasks: [] } });
    expect(backend.asked).toHaveLength(4);
  });

  it('are listed on one page, so that every cursor is unknown', () => {
    one.request(1, 'tasks/list', { cursor: '' });
    expect(one.last).toMatchObject({ id: 1, error: { code: -32602 } });
  });

  it('are not listed to a client that cancelled the question', async () => {
    created(begin(one), 't1');
    one.request(2, 'tasks/list');
    one.cancel(2);
    await settled();
    expect(one.last.id).toBe(1);
  });

  it('are cancelled where they run when their session ends, unless they have ended', () => {
    for (const [id, taskId] of ['t1', 't2', 't3'].entries()) created(begin(one, id), taskId);
    created(begin(other), 't4');
    status('t2', 'failed');
    one.request(9, 'tasks/cancel', { taskId: 't3' });
    const id = Number(backend.last.id);
    harness.say(backend, { jsonrpc: '2.0', id, result: { taskId: 't3', status: 'cancelled' } });
    one.leave();
    expect(backend.asked).toEqual([{ method: 'tasks/cancel', params: { taskId: 't1' } }]);
    status('t1');
    expect(statuses(other)).toEqual([]);
  });

  it('end with their process', () => {
    created(begin(one), 't1');
    harness.crash(backend);
    harness.ready(backend, { tools: ['work'], capabilities });
    one.request(2, 'tasks/get', { taskId: 't1' });
    expect(one.last).toMatchObject({ id: 2, error: { code: -32602 } });
    status('t1');
    expect(statuses(one)).toEqual([]);
  });

  it('belong to the newer call when a backend gives an id twice', () => {
    created(begin(one), 't1');
    created(begin(other), 't1');
    status('t1');
    expect(statuses(one)).toEqual([]);
    expect(statuses(other)).toHaveLength(1);
  });

  it('of one session never push those of another out', () => {
    created(begin(one), 't1');
    for (let count = 0; count < 300; count += 1) created(begin(other, 2), `o${count}`);
    expect(harness.router.held.tasks).toBe(257);
    one.request(2, 'tasks/get', { taskId: 't1' });
    expect(backend.last).toMatchObject({ method: 'tasks/get' });
  });

  it('are a matter of 2025-11-25: earlier sessions have no such methods and hear no such notices', () => {
    const old = harness.client();
    old.initialize('2025-06-18');
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel', 'tasks/list']) {
      old.request(method, method, { taskId: 't1' });
      expect(old.last).toMatchObject({ id: method, error: { code: -32601 } });
    }
    old.texts.length = 0;
    created(begin(old), 't1');
    status('t1');
    expect(old.heard.map(({ id }: Seen) => id)).toEqual([1]);
  });
});

describe('tasks of one session that two backends gave the same id', () => {
  const related = (taskId: string) => ({ 'io.modelcontextprotocol/related-task': { taskId } });
  let one: ScriptedClient;
  let harness: ReturnType<typeof createHarness>;
  const backends = ['b1', 'b2'].map((key) => new ScriptedBackend(key));
  const [first, second] = backends as [ScriptedBackend, ScriptedBackend];

  /** What the newest line at a backend asked for is answered, and that answer is what the client hears. */
  function answer(backend: ScriptedBackend, result: object): unknown {
    harness.say(backend, { jsonrpc: '2.0', id: backend.last.id, result });
    return one.last.result;
  }

  beforeEach(() => {
    harness = createHarness(backends);
    for (const backend of backends) {
      backend.lines.length = 0;
      harness.ready(backend, { tools: ['work'], capabilities });
    }
    one = harness.client();
    one.initialize('2025-11-25', { elicitation: {} });
    one.request(1, 'tools/call', { name: 'b1__work', task: {}, _meta: { progressToken: 'p1' } });
    answer(first, { task: { taskId: '1', status: 'working' } });
    one.request(2, 'tools/call', { name: 'b2__work', task: {}, _meta: { progressToken: 'p2' } });
  });

  const create = () => answer(second, { task: { taskId: '1', status: 'working' } });

  it('are told apart by the name of the second in front of its id', () => {
    expect(create()).toEqual({ task: { taskId: 'b2+1', status: 'working' } });
    one.request(3, 'tasks/get', { taskId: 'b2+1' });
    expect(second.last.params).toEqual({ taskId: '1' });
    expect(answer(second, { taskId: '1', x: 1 })).toEqual({ taskId: 'b2+1', x: 1 });
    one.request(4, 'tasks/get', { taskId: '1' });
    expect(first.last.params).toEqual({ taskId: '1' });
    expect(answer(first, { taskId: '1' })).toEqual({ taskId: '1' });
    one.request(5, 'tasks/result', { taskId: 'b2+1' });
    expect(answer(second, { content: [], _meta: related('1') })).toEqual({
      content: [],
      _meta: related('b2+1'),
    });
  });

  it('are listed under the ids that the client knows', async () => {
    create();
    for (const backend of backends) {
      backend.answerOwn = () => ({ result: { tasks: [{ x: 1, taskId: '1', y: 2 }] } });
    }
    one.request(3, 'tasks/list');
    await settled();
    expect(one.last.result).toEqual({
      tasks: [
        { x: 1, taskId: '1', y: 2 },
        { x: 1, taskId: 'b2+1', y: 2 },
      ],
    });
  });

  it('tell of themselves under those ids, and ask so', () => {
    create();
    const tell = (backend: ScriptedBackend) =>
      harness.say(backend, {
        jsonrpc: '2.0',
        method: 'notifications/tasks/status',
        params: { taskId: '1', status: 'working' },
      });
    tell(first);
    expect(one.last.params).toMatchObject({ taskId: '1' });
    tell(second);
    expect(one.last.params).toMatchObject({ taskId: 'b2+1' });
    const progress = { progressToken: second.seen[0]?.id, progress: 1, _meta: related('1') };
    harness.say(second, { jsonrpc: '2.0', method: 'notifications/progress', params: progress });
    expect(one.last.params).toEqual({ progressToken: 'p2', progress: 1, _meta: related('b2+1') });
    const params = { _meta: related('1') };
    harness.say(second, { jsonrpc: '2.0', id: 5, method: 'elicitation/create', params });
    expect(one.last.params).toEqual({ _meta: related('b2+1') });
  });

  it('end at the backends under the ids that these know', () => {
    create();
    one.leave();
    for (const backend of backends) {
      expect(backend.asked.at(-1)).toEqual({ method: 'tasks/cancel', params: { taskId: '1' } });
    }
  });
});

it('tasks/result waits longer than other requests', () => {
  const backend = new ScriptedBackend('b1', { requestTimeoutMs: 1_000, maxRequestTimeMs: 5_000 });
  const harness = createHarness([backend]);
  harness.ready(backend, { tools: ['work'], capabilities });
  const client = harness.client();
  client.initialize();
  client.request(1, 'tools/call', { name: 'b1__work', task: {} });
  harness.say(backend, { jsonrpc: '2.0', id: 1, result: { task: { taskId: 't1' } } });
  client.request(2, 'tasks/result', { taskId: 't1' });
  harness.clock.advance(4_900);
  expect(client.last.id).toBe(1);
  harness.clock.advance(200);
  expect(client.last).toMatchObject({ id: 2, error: { code: -31004 } });
});
