import { describe, expect, it } from 'vitest';
import { backendRule, legacyClientRule, methodRules } from '../../../src/protocol/methods.js';
import { legacyRevisions } from '../../../src/protocol/revisions.js';

describe('the method table', () => {
  it('has each method once per direction', () => {
    const names = methodRules.map(({ from, method }) => `${from} ${method}`);
    expect(names).toEqual([...new Set(names)]);
  });

  it.each(['tasks/get', 'tasks/result', 'tasks/cancel', 'tasks/list'])(
    'has %s since 2025-11-25',
    (method) => {
      const having = legacyRevisions.filter((revision) => legacyClientRule(method, 'request', revision));
      expect(having).toEqual(['2025-11-25']);
    },
  );

  it.each([
    'tools/call',
    'prompts/get',
    'resources/read',
    'resources/subscribe',
    'completion/complete',
    'logging/setLevel',
  ])('has %s in all revisions', (method) => {
    const having = legacyRevisions.filter((revision) => legacyClientRule(method, 'request', revision));
    expect(having).toEqual([...legacyRevisions]);
  });

  it('tells requests from notifications, and clients from backends', () => {
    expect(legacyClientRule('tools/call', 'notification', '2025-11-25')).toBeUndefined();
    expect(legacyClientRule('sampling/createMessage', 'request', '2025-11-25')).toBeUndefined();
    expect(backendRule('tools/call', 'request')).toBeUndefined();
    expect(backendRule('notifications/message', 'request')).toBeUndefined();
    expect(backendRule('notifications/message', 'notification')?.route).toEqual({ to: 'log-reader' });
  });

  it('lets reads alone be repeated', () => {
    const repeated = methodRules.filter(({ repeatable }) => repeatable).map(({ method }) => method);
    expect(repeated).toEqual(['prompts/get', 'resources/read', 'completion/complete']);
  });
});
