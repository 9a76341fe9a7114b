import { describe, expect, it } from 'vitest';
import { modernBackendSide, requestMeta } from '../../../../src/eras/modern/backend-side.js';

const prefix = 'io.modelcontextprotocol/';
const caller = { clientInfo: { name: 'gateway', version: '1' }, capabilities: { sampling: {} } };
const meta = {
  [`${prefix}protocolVersion`]: '2026-07-28',
  [`${prefix}clientInfo`]: { name: 'gateway', version: '1' },
  [`${prefix}clientCapabilities`]: { sampling: {} },
};
const side = modernBackendSide(caller);

function streamOf({ changes }: typeof side) {
  if (changes.on !== 'stream') throw new Error('expected a stream');
  return changes;
}
const changes = streamOf(side);

describe('what a modern backend is told', () => {
  it('is who we are, with each message', () => {
    expect(requestMeta(caller, '2026-07-28')).toEqual(meta);
    expect(side.opening).toEqual({ method: 'server/discover', params: undefined });
    expect(side.opened).toBeUndefined();
  });

  it.each([
    [undefined, { _meta: meta }],
    [{ cursor: 'c' }, { cursor: 'c', _meta: meta }],
    [{ _meta: { progressToken: 3 } }, { _meta: { progressToken: 3, ...meta } }],
    [{ _meta: { [`${prefix}protocolVersion`]: 'old' } }, { _meta: meta }],
    [{ _meta: 'no object' }, { _meta: meta }],
  ])('makes parameters %j of a request or a notification carry it', (params, stamped) => {
    expect(side.requestParams(params)).toEqual(stamped);
    expect(side.notificationParams(params)).toEqual(stamped);
  });
});

describe('an answer to server/discover', () => {
  const proper = {
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {} },
    instructions: 'Ask politely.',
    ttlMs: 0,
    cacheScope: 'private',
    _meta: { [`${prefix}serverInfo`]: { name: 's', version: '1' } },
  };

  it('is accepted with all that it says', () => {
    expect(side.readOpening(proper)).toEqual({
      outcome: 'accepted',
      revision: '2026-07-28',
      capabilities: { tools: {} },
      serverInfo: { name: 's', version: '1' },
      instructions: 'Ask politely.',
    });
  });

  it.each([
    ['other revisions besides', { ...proper, supportedVersions: ['2025-11-25', '2026-07-28', 7] }],
    ['nothing but its revisions', { supportedVersions: ['2026-07-28'] }],
    ['members of the wrong kind', { ...proper, capabilities: [], instructions: 1, _meta: 'x' }],
  ])('is accepted with %s', (_what, result) => {
    expect(side.readOpening(result)).toMatchObject({ outcome: 'accepted', revision: '2026-07-28' });
  });

  it.each([
    ['no object', [], 'with no object'],
    ['nothing of a discovery', { params: {} }, 'without supportedVersions'],
    ['revisions that are no list', { supportedVersions: '2026-07-28' }, 'without supportedVersions'],
    [
      'an unknown kind of result',
      { ...proper, resultType: 'input_required' },
      'with resultType "input_required"',
    ],
    [
      'only revisions that we do not speak',
      { ...proper, supportedVersions: ['2025-11-25', '2027-01-01'] },
      'speaks revisions "2025-11-25", "2027-01-01", the gateway speaks 2026-07-28',
    ],
    ['no revision at all', { ...proper, supportedVersions: [] }, 'speaks revisions of no name'],
  ])('is refused with %s', (_what, result, reason) => {
    expect(side.readOpening(result)).toEqual({
      outcome: 'refused',
      final: false,
      reason: expect.stringContaining(reason),
    });
  });

  it.each([
    [{ code: -32022, message: 'm', data: { supported: ['2025-11-25', '2026-07-28'] } }, true],
    [{ code: -32022, message: 'm', data: { supported: ['2025-11-25'] } }, false],
    [{ code: -32022, message: 'm', data: { supported: '2026-07-28' } }, false],
    [{ code: -32022, message: 'm' }, false],
    [{ code: -32601, message: 'm', data: { supported: ['2026-07-28'] } }, false],
    ['no error', false],
  ])('that is the error %j leads to another try: %s', (error, again) => {
    expect(side.afterError(error)?.era).toBe(again ? 'modern' : undefined);
  });
});

describe('the stream of changes', () => {
  const promising = {
    tools: { listChanged: true },
    prompts: { listChanged: true },
    resources: { listChanged: true },
  };
  it.each([
    ['nothing, when nothing is promised or wanted', {}, [], undefined],
    ['nothing for lists that do not change', { tools: { listChanged: false }, prompts: {} }, [], undefined],
    ['what is promised', { tools: { listChanged: true }, prompts: {} }, [], { toolsListChanged: true }],
    [
      'all lists, and the resources that are wanted',
      promising,
      ['a:b', 'c:d'],
      {
        toolsListChanged: true,
        promptsListChanged: true,
        resourcesListChanged: true,
        resourceSubscriptions: ['a:b', 'c:d'],
      },
    ],
    ['wanted resources alone', {}, ['a:b'], { resourceSubscriptions: ['a:b'] }],
  ])('is asked for %s', (_what, capabilities, uris, notifications) => {
    const message = changes.listen(capabilities, uris);
    expect(message).toEqual(notifications && { method: 'subscriptions/listen', params: { notifications } });
  });

  it.each([
    ['notifications/subscriptions/acknowledged', 'acknowledgement'],
    ['notifications/cancelled', 'end'],
    ['notifications/tools/list_changed', 'change'],
    ['notifications/prompts/list_changed', 'change'],
    ['notifications/resources/list_changed', 'change'],
    ['notifications/resources/updated', 'change'],
    ['notifications/progress', 'none'],
    ['notifications/message', 'none'],
  ])('takes %s for: %s', (method, kind) => {
    expect(changes.classify(method)).toBe(kind);
  });

  it.each([
    [{ notifications: { resourceSubscriptions: ['a:b', 5] } }, ['a:b']],
    [{ notifications: { toolsListChanged: true } }, []],
    [{ notifications: { resourceSubscriptions: 'a:b' } }, []],
    [{}, []],
    [undefined, []],
  ])('is acknowledged by %j for the resources %j', (params, uris) => {
    expect([...changes.acknowledgedUris(params)]).toEqual(uris);
  });
});
