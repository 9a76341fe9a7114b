import { describe, expect, it } from 'vitest';
import { ModernClientSide } from '../../../../src/eras/modern/client-side.js';
import { metaKeys } from '../../../../src/protocol/fields.js';
import type { JsonObject } from '../../../../src/protocol/json.js';
import { methodRules } from '../../../../src/protocol/methods.js';
import {
  clientInfo,
  introduction,
  modernMeta,
  notification,
  parsed,
  request,
  serverInfo,
} from '../messages.js';

const side = new ModernClientSide(() => introduction);

function ask(method: string, params: JsonObject) {
  return side.request(request(method, JSON.stringify(params)), '"x"');
}

function errorOf(step: ReturnType<typeof ask>) {
  if (step.kind !== 'reply') throw new Error(`a ${step.kind}, no reply`);
  const { id, error } = parsed(step.message) as { id: unknown; error: { code: number; data: JsonObject } };
  return { id, code: error.code, data: error.data };
}

describe('a modern request', () => {
  it.each([
    [{ [metaKeys.revision]: undefined }, -32602],
    [{ [metaKeys.revision]: 20260728 }, -32602],
    [{ [metaKeys.revision]: null }, -32602],
    [{ [metaKeys.revision]: '' }, -32022],
    [{ [metaKeys.revision]: '2025-11-25' }, -32022],
    [{ [metaKeys.revision]: '2027-01-01' }, -32022],
    [{ [metaKeys.clientCapabilities]: undefined }, -32602],
    [{ [metaKeys.clientCapabilities]: null }, -32602],
    [{ [metaKeys.clientCapabilities]: [] }, -32602],
    [{ [metaKeys.clientCapabilities]: 'all' }, -32602],
    [{ [metaKeys.logLevel]: 'loud' }, -32602],
    [{ [metaKeys.logLevel]: 3 }, -32602],
  ])('with %j is refused with %d', (members: JsonObject, code) => {
    const { id, code: given, data } = errorOf(ask('tools/list', { _meta: modernMeta(members) }));
    expect([id, given]).toEqual(['x', code]);
    const requested = members[metaKeys.revision];
    if (code === -32022) expect(data).toMatchObject({ supported: ['2026-07-28'], requested });
  });

  it('has its revision checked before its method', () => {
    const members = { [metaKeys.revision]: '2027-01-01' };
    expect(errorOf(ask('no/such', { _meta: modernMeta(members) })).code).toBe(-32022);
  });

  it.each([
    [{}, { clientInfo, capabilities: {}, logLevel: undefined, mayGetTasks: false }],
    [{ [metaKeys.clientInfo]: undefined }, { clientInfo: serverInfo }],
    [{ [metaKeys.clientInfo]: { name: 'n' } }, { clientInfo: serverInfo }],
    [{ [metaKeys.clientCapabilities]: { roots: {} } }, { capabilities: { roots: {} } }],
    [{ [metaKeys.logLevel]: 'error' }, { logLevel: 'error' }],
    [
      { [metaKeys.clientCapabilities]: { extensions: { 'io.modelcontextprotocol/tasks': {} } } },
      { mayGetTasks: true },
    ],
  ])('with %j goes on with what it says', (members, context) => {
    const step = ask('tools/call', { name: 't', _meta: modernMeta(members) });
    expect(step).toMatchObject({
      kind: 'request',
      rule: { method: 'tools/call' },
      context: { era: 'modern', revision: '2026-07-28', ...context },
    });
  });

  const modern = methodRules.filter(({ from, kind }) => from === 'client' && kind === 'request');
  it.each(modern.map((rule) => [rule.method, rule] as const))(
    '%s exists as the table says',
    (method, rule) => {
      const step = ask(method, { _meta: modernMeta() });
      if (rule.modern !== true) expect(errorOf(step).code).toBe(-32601);
      else if (rule.extension !== undefined) {
        expect(errorOf(step)).toMatchObject({
          code: -32021,
          data: { requiredCapabilities: { extensions: { [rule.extension]: {} } } },
        });
      } else expect(step.kind).toBe(method === 'server/discover' ? 'reply' : 'request');
    },
  );

  it('for discovery is told what there is, and that it must not be kept', () => {
    const step = ask('server/discover', { _meta: modernMeta() });
    if (step.kind !== 'reply') throw new Error('no reply');
    const { result } = parsed(step.message);
    expect(result).toEqual({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: true }, completions: {} },
      instructions: 'Ask.',
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { [metaKeys.serverInfo]: serverInfo },
    });
  });
});

describe('a modern notification', () => {
  it.each([
    ['notifications/cancelled', 'notification'],
    ['notifications/roots/list_changed', 'drop'],
    ['notifications/initialized', 'drop'],
    ['notifications/progress', 'drop'],
    ['tools/list', 'drop'],
    ['no/such', 'drop'],
  ])('%s is a %s', (method, kind) => {
    expect(side.notification(notification(method, '{"requestId":1}')).kind).toBe(kind);
  });
});
