import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/protocol/json.js';
import { schemasAreMissing } from '../../helpers/official-schemas.js';
import { envelope } from './era-conversation.js';
import { problemsOf } from './message-validity.js';
import { builtBackend, fixture, startProcess } from './stdio-process.js';

const revisionKey = 'io.modelcontextprotocol/protocolVersion';
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';
const idKey = 'io.modelcontextprotocol/subscriptionId';

/** The methods and envelopes that no backend answers with a result, and the error that each gets. */
const faults: readonly (readonly [method: string, _meta: JsonObject, code: number])[] = [
  ['tools/list', { ...envelope, [revisionKey]: '2027-01-01' }, -32022],
  ['tools/list', { ...envelope, [revisionKey]: '2025-11-25' }, -32022],
  ['server/discover', { ...envelope, [revisionKey]: '1900-01-01' }, -32022],
  ['tools/list', { [revisionKey]: '2026-07-28' }, -32602],
  ['tools/list', { ...envelope, [revisionKey]: 1 }, -32602],
  ['tools/list', { ...envelope, [capabilitiesKey]: 'none' }, -32602],
  ['initialize', envelope, -32601],
  ['ping', envelope, -32601],
  ['logging/setLevel', envelope, -32601],
  ['resources/subscribe', envelope, -32601],
  ['subscriptions/listen', envelope, -32602],
  ['server/discover', {}, -32601],
];

async function answerTo(server: ReturnType<typeof startProcess>, method: string, _meta: JsonObject) {
  server.send({ id: 'fault', method, params: { uri: 'x://', _meta } });
  return server.next();
}

const listen = (id: number | string) => ({
  id,
  method: 'subscriptions/listen',
  params: { notifications: { resourcesListChanged: true, toolsListChanged: true }, _meta: envelope },
});
const acknowledged = (id: number | string, notifications: JsonObject) => ({
  jsonrpc: '2.0',
  method: 'notifications/subscriptions/acknowledged',
  params: { notifications, _meta: { [idKey]: id } },
});
const ended = (id: number | string) =>
  expect.objectContaining({
    id,
    result: expect.objectContaining({
      resultType: 'complete',
      _meta: expect.objectContaining({ [idKey]: id }),
    }),
  });

describe.each(['grammar', 'text-stats', 'system-info', 'notes'])(
  'the backend %s, in modern lines',
  (name) => {
    it('answers each fault with its code and goes on', async () => {
      await using server = startProcess(builtBackend(name));
      for (const [method, _meta, code] of faults) {
        expect(await answerTo(server, method, _meta), `${method} ${JSON.stringify(_meta)}`).toMatchObject({
          id: 'fault',
          error: { code },
        });
      }
      expect(await answerTo(server, 'tools/list', envelope)).toMatchObject({
        result: { resultType: 'complete' },
      });
    });

    it('answers each fault as the official schema has it', async (context) => {
      context.skip(schemasAreMissing !== undefined, schemasAreMissing);
      await using server = startProcess(builtBackend(name));
      for (const [method, _meta] of faults) {
        const message = await answerTo(server, method, _meta);
        expect(problemsOf('modern', { answers: method, message }), JSON.stringify(message)).toEqual([]);
      }
    });

    it('acknowledges a listen and ends it gracefully when its input ends', async () => {
      await using server = startProcess(builtBackend(name));
      const granted = name === 'notes' ? { resourcesListChanged: true } : {};
      server.send(listen(7));
      server.send(listen('7'));
      expect([await server.next(), await server.next()]).toEqual([
        acknowledged(7, granted),
        acknowledged('7', granted),
      ]);
      server.stdin.end();
      expect(await server.exited).toEqual({ code: 0, signal: null });
      expect(await server.rest()).toEqual([ended(7), ended('7')]);
    });
  },
);

describe('a process that is told to stop', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'on %s ends listens gracefully, and calls without an answer',
    async (signal) => {
      await using server = startProcess(fixture('kit-tools.mjs'));
      server.send({ id: 1, method: 'tools/call', params: { name: 'wait', _meta: envelope } });
      await once(server.stderr, 'data');
      server.send(listen(2));
      expect(await server.next()).toEqual(acknowledged(2, {}));
      server.kill(signal);
      expect(await server.exited).toEqual({ code: 0, signal: null });
      expect(await server.rest()).toEqual([ended(2)]);
    },
  );

  it('ends a listen that it has read and not yet acknowledged when its input ends', async () => {
    await using server = startProcess(builtBackend('notes'));
    server.stdin.end(`${JSON.stringify({ jsonrpc: '2.0', ...listen(0) })}\n`);
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(await server.rest()).toEqual([acknowledged(0, { resourcesListChanged: true }), ended(0)]);
  });
});
