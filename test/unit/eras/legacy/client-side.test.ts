import { describe, expect, it } from 'vitest';
import { LegacyClientSide } from '../../../../src/eras/legacy/client-side.js';
import type { JsonObject } from '../../../../src/protocol/json.js';
import { methodRules } from '../../../../src/protocol/methods.js';
import { legacyRevisions } from '../../../../src/protocol/revisions.js';
import { clientInfo, introduction, notification, parsed, request, serverInfo } from '../messages.js';

function open(protocolVersion = '2025-11-25', more: JsonObject = {}) {
  const side = new LegacyClientSide(() => introduction);
  const params = { protocolVersion, capabilities: { roots: {} }, clientInfo, ...more };
  const step = side.request(request('initialize', JSON.stringify(params)), '7');
  return { side, reply: replyOf(step) };
}

function replyOf(step: ReturnType<LegacyClientSide['request']>) {
  if (step.kind !== 'reply') throw new Error(`a ${step.kind}, no reply`);
  return parsed(step.message) as { result?: JsonObject; error?: { code: number; message: string } };
}

describe('before the handshake', () => {
  const side = new LegacyClientSide(() => introduction);

  it('ping is answered', () => {
    expect(replyOf(side.request(request('ping'), '1'))).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  });

  it.each(['tools/list', 'tools/call', 'subscriptions/listen', 'no/such'])(
    '%s is told both ways to open',
    (method) => {
      const { error } = replyOf(side.request(request(method), '1'));
      expect(error?.code).toBe(-32600);
      expect(error?.message).toContain('"initialize"');
      expect(error?.message).toContain('"io.modelcontextprotocol/protocolVersion" into the _meta');
    },
  );

  it.each([undefined, '{}', '{"protocolVersion":5}'])(
    'initialize with %s is told what it needs',
    (params) => {
      expect(replyOf(side.request(request('initialize', params), '1')).error?.code).toBe(-32602);
      expect(side.context).toBeUndefined();
    },
  );

  it('notifications are dropped', () => {
    expect(side.notification(notification('notifications/cancelled', '{"requestId":1}')).kind).toBe('drop');
  });
});

describe('the handshake', () => {
  it.each([
    ...legacyRevisions.map((revision) => [revision, revision] as const),
    ['2024-10-07', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
    ['', '2025-11-25'],
  ] as const)('for %j settles on %s', (asked, settled) => {
    const { side, reply } = open(asked);
    expect(reply.result).toMatchObject({ protocolVersion: settled, serverInfo, instructions: 'Ask.' });
    expect(side.context).toMatchObject({
      era: 'legacy',
      revision: settled,
      capabilities: { roots: {} },
      clientInfo,
    });
  });

  it.each([
    ['2024-11-05', ['tools']],
    ['2025-06-18', ['tools', 'completions']],
    ['2025-11-25', ['tools', 'completions', 'tasks']],
  ])('in %s offers %j', (revision, names) => {
    expect(Object.keys(open(revision).reply.result?.capabilities as JsonObject)).toEqual(names);
  });

  it.each([
    [undefined, serverInfo],
    ['me', serverInfo],
    [{ name: 'n' }, serverInfo],
    [
      { name: 'n', version: 'v', title: 't' },
      { name: 'n', version: 'v', title: 't' },
    ],
  ])('with the name %j makes a client called %j', (given, known) => {
    expect(open('2025-11-25', { clientInfo: given }).side.context?.clientInfo).toEqual(known);
  });

  it('is done once', () => {
    const { side } = open();
    const again = request('initialize', '{"protocolVersion":"2024-11-05"}');
    expect(replyOf(side.request(again, '8')).error?.code).toBe(-32600);
    expect(side.context?.revision).toBe('2025-11-25');
  });
});

describe('after the handshake', () => {
  const requests = methodRules.filter(
    ({ from, kind, route }) => from === 'client' && kind === 'request' && route.to !== 'era',
  );
  const rows = legacyRevisions.flatMap((revision) => requests.map((rule) => ({ revision, rule })));
  it.each(rows)('$revision has $rule.method as the table says', ({ revision, rule }) => {
    const step = open(revision).side.request(request(rule.method), '1');
    const { legacy } = rule;
    if (legacy === 'none' || revision < (legacy.since ?? '') || revision > (legacy.until ?? '9999')) {
      expect(replyOf(step).error?.code).toBe(-32601);
    } else expect(step).toMatchObject({ kind: 'request', rule, context: { revision } });
  });

  it.each([
    ['notifications/cancelled', 'notification'],
    ['notifications/roots/list_changed', 'notification'],
    ['notifications/unheard-of', 'drop'],
    ['tools/list', 'drop'],
  ])('the notification %s is a %s', (method, kind) => {
    expect(open().side.notification(notification(method, '{"requestId":1}')).kind).toBe(kind);
  });
});
