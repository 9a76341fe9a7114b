import { describe, expect, it } from 'vitest';
import {
  createHarness,
  ScriptedBackend,
  type ScriptedClient,
  settled,
} from '../../helpers/router-harness.js';
import { modernMeta } from '../eras/messages.js';

function set(changes = {}) {
  const [backend, mute] = [new ScriptedBackend('b1', changes), new ScriptedBackend('b2')];
  const harness = createHarness([backend, mute]);
  harness.ready(backend, ['echo']);
  harness.ready(mute, { tools: ['echo'], capabilities: { tools: {} } });
  const client = () => {
    const made = harness.client();
    made.initialize();
    return made;
  };
  const log = (level: string, more: object = {}, by = backend) =>
    harness.say(by, {
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { level, data: 1, ...more },
    });
  let ids = 0;
  const setLevel = async (who: ScriptedClient, level: string) => {
    ids += 1;
    who.request(`level ${ids}`, 'logging/setLevel', { level });
    await settled();
  };
  return { backend, mute, harness, client, log, setLevel };
}

const lines = (who: ScriptedClient) =>
  who.heard.filter(({ method }) => method === 'notifications/message').map(({ params }) => params?.level);
const levels = ({ asked }: ScriptedBackend) => asked.map(({ params }) => params?.level);

describe('log levels', () => {
  it('are kept per session: each hears what it asked for', async () => {
    const { harness, client, log, setLevel } = set({ logs: 'broadcast' });
    const [a, b] = [client(), client()];
    await setLevel(a, 'debug');
    await setLevel(b, 'error');
    log('debug');
    log('error');
    expect(lines(a)).toEqual(['debug', 'error']);
    expect(lines(b)).toEqual(['error']);
    expect(harness.router.inFlight).toBe(0);
  });

  it('of a call that waits for its process reach that before the call does', async () => {
    const { backend, harness } = set();
    harness.crash(backend);
    harness.move(backend, { kind: 'starting', sinceMs: harness.clock.now() });
    const one = harness.client();
    const _meta = modernMeta({ 'io.modelcontextprotocol/logLevel': 'debug' });
    one.request(1, 'tools/call', { name: 'b1__echo', _meta });
    expect(backend.lines).toEqual([]);
    harness.ready(backend, ['echo']);
    expect(levels(backend)).toEqual(['debug']);
    await settled();
    expect(backend.last.method).toBe('tools/call');
  });

  it('reach backends as the most verbose one wanted, and only those with the capability', async () => {
    const { backend, mute, client, setLevel } = set();
    const [a, b] = [client(), client()];
    await setLevel(a, 'error');
    await setLevel(b, 'debug');
    await setLevel(a, 'warning');
    expect(levels(backend)).toEqual(['info', 'debug']);
    expect(a.heard.map(({ result }) => result)).toEqual([{}, {}]);
    expect(levels(mute)).toEqual([]);
    b.leave();
    await settled();
    expect(levels(backend)).toEqual(['info', 'debug', 'warning']);
  });

  it('are right for a client that comes later and asks for none', async () => {
    const { backend, client, log, setLevel } = set();
    const a = client();
    await setLevel(a, 'error');
    const b = client();
    await settled();
    expect(levels(backend)).toEqual(['error', 'info']);
    b.request(1, 'tools/call', { name: 'b1__echo' });
    log('debug');
    log('info');
    expect(lines(b)).toEqual(['info']);
  });

  it('are told to backends that start later or again', async () => {
    const { backend, mute, harness, client, setLevel } = set();
    await setLevel(client(), 'debug');
    harness.ready(mute, { capabilities: { logging: {} } });
    harness.crash(backend);
    harness.ready(backend, ['echo']);
    await settled();
    expect(levels(mute)).toEqual(['debug']);
    expect(levels(backend)).toEqual(['debug', 'debug']);
  });

  it('are set although a backend refuses them', async () => {
    const { backend, client, setLevel } = set();
    backend.answerOwn = () => ({ error: { code: -32601, message: 'no' } });
    const one = client();
    await setLevel(one, 'debug');
    expect(one.last.result).toEqual({});
  });

  it('are told one at a time to a backend that is slow, in the end the right one', async () => {
    const { backend, client, setLevel } = set();
    backend.held = [];
    const one = client();
    for (const level of ['debug', 'error', 'debug', 'alert', 'error']) await setLevel(one, level);
    expect(levels(backend)).toEqual(['debug']);
    backend.held[0]?.answer({ result: {} });
    await settled();
    expect(levels(backend)).toEqual(['debug', 'error']);
  });

  it.each([{}, { level: 'loud' }, { level: 3 }])('are refused as %j', (params) => {
    const one = set().client();
    one.request(1, 'logging/setLevel', params);
    expect(one.last).toMatchObject({ id: 1, error: { code: -32602 } });
    expect(one.last.error?.message).toContain('debug, info, notice');
  });
});

describe('a log line of a shared backend', () => {
  it('goes to the one session that has calls there', () => {
    const { client, log } = set();
    const [a, b] = [client(), client()];
    log('error');
    a.request(1, 'tools/call', { name: 'b1__echo' });
    b.request(1, 'tools/call', { name: 'b2__echo' });
    log('error');
    expect([a, b].map((each) => lines(each).length)).toEqual([1, 0]);
  });

  it('goes to the one session that subscribes to something there, until that is over', async () => {
    const { backend, harness, client, log } = set();
    harness.ready(backend, { resources: ['a:1', 'a:2'] });
    backend.held = [];
    const [a, b] = [client(), client()];
    a.request(1, 'resources/subscribe', { uri: 'a:1' });
    log('error');
    expect(lines(a)).toEqual(['error']);
    a.cancel(1);
    log('error');
    b.request(1, 'resources/subscribe', { uri: 'a:2' });
    log('alert');
    expect([a, b].map(lines)).toEqual([['error'], ['alert']]);
    b.leave();
    client().request(1, 'tools/call', { name: 'b1__echo' });
    log('error');
    expect([a, b].map(lines)).toEqual([['error'], ['alert']]);
  });

  it('goes to nobody when several have calls there', () => {
    const { client, log } = set();
    const both = [client(), client()];
    for (const each of both) each.request(1, 'tools/call', { name: 'b1__echo' });
    log('error');
    expect(both.map(lines)).toEqual([[], []]);
  });

  it('goes to the one session that is connected, not to sockets without a handshake', () => {
    const { harness, client, log } = set();
    const stranger = harness.client();
    const one = client();
    log('debug');
    expect(lines(one)).toEqual(['debug']);
    expect(stranger.heard).toEqual([]);
  });

  it('goes to everybody where the configuration says so, but for sockets without a handshake', () => {
    const { harness, client, log } = set({ logs: 'broadcast' });
    const stranger = harness.client();
    const both = [client(), client()];
    log('debug');
    expect(both.map(lines)).toEqual([['debug'], ['debug']]);
    expect(stranger.heard).toEqual([]);
  });

  it.each([
    ['with a logger', { logger: 'db' }, 'b1/db'],
    ['without one', {}, 'b1'],
    ['with one that is no string', { logger: null }, 'b1'],
  ])('carries the name of the backend %s', (_, more, logger) => {
    const { client, log } = set();
    const one = client();
    log('info', more);
    expect(one.last.params).toEqual({ level: 'info', data: 1, logger });
  });

  it('is handed on byte for byte but for the logger', () => {
    const { backend, harness, client } = set();
    const one = client();
    harness.say(
      backend,
      '{"jsonrpc":"2.0","method":"notifications/message","params":{ "level":"info","data":{"n":1.0}}}',
    );
    expect(one.texts).toEqual([
      '{"jsonrpc":"2.0","method":"notifications/message","params":{"logger":"b1", "level":"info","data":{"n":1.0}}}',
    ]);
  });

  it('is dropped without a level', () => {
    const { backend, harness, client } = set();
    const one = client();
    harness.say(backend, { jsonrpc: '2.0', method: 'notifications/message', params: { data: 1 } });
    harness.say(backend, { jsonrpc: '2.0', method: 'notifications/message' });
    expect(one.heard).toEqual([]);
  });
});
