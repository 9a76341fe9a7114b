import { describe, expect, it } from 'vitest';
import { ownIntroduction } from '../../../src/eras/own-introduction.js';
import { translation } from '../../../src/eras/translation.js';
import { metaKeys } from '../../../src/protocol/fields.js';
import { legacyClientRule, type MethodRule } from '../../../src/protocol/methods.js';
import { clientInfo, contextOf, edited, notification, request, response, serverInfo } from './messages.js';

function rule(method: string): MethodRule {
  const found = legacyClientRule(method, 'request', '2025-11-25');
  if (found === undefined) throw new Error(`no rule for ${method}`);
  return found;
}

const legacy = contextOf('legacy');
const modern = contextOf('modern');
const stamp = `"${metaKeys.revision}":"2026-07-28","${metaKeys.clientInfo}":{"name":"client","version":"1"},"${metaKeys.clientCapabilities}":{"roots":{}}`;
const server = `"${metaKeys.serverInfo}":{"name":"gateway","version":"0"}`;
const anothers = `"${metaKeys.serverInfo}":{"name":"backend"}`;

describe('between two of the same era', () => {
  it.each(['legacy', 'modern'] as const)('%s: nothing changes', (era) => {
    const { request: toBackend, response: toClient, questions } = translation(era, era);
    expect(toBackend(request('tools/call', '{"name":"t"}'), contextOf(era), 'error')).toEqual([]);
    expect(toClient(response('result', '{"content":[]}'), rule('tools/call'), contextOf(era))).toEqual([]);
    expect(questions).toBe('as-they-are');
  });
});

describe('a legacy client at a modern backend', () => {
  const to = translation('legacy', 'modern');

  it.each([
    ['{"name":"t"}', `{"_meta":{${stamp}},"name":"t"}`],
    ['{}', `{"_meta":{${stamp}}}`],
    ['{ }', `{"_meta":{${stamp}} }`],
    ['{"_meta":{"progressToken":1.0}}', `{"_meta":{${stamp},"progressToken":1.0}}`],
    ['{"a":1,"_meta":{}}', `{"a":1,"_meta":{${stamp}}}`],
    ['{"_meta":null}', `{"_meta":{${stamp}}}`],
    ['{"_meta":["x"],"a":1}', `{"_meta":{${stamp}},"a":1}`],
    ['{"_meta":7}', `{"_meta":{${stamp}}}`],
  ])('says with %s who it is', (params, expected) => {
    const message = request('tools/call', params);
    expect(edited(message, to.request(message, legacy, undefined))).toBe(expected);
  });

  it('says what it wants to hear', () => {
    const message = request('tools/call', '{}');
    expect(edited(message, to.request(message, legacy, 'error'))).toBe(
      `{"_meta":{${stamp},"${metaKeys.logLevel}":"error"}}`,
    );
  });

  it('says who it is in a request without parameters', () => {
    const message = request('tools/list');
    const [edit] = to.request(message, legacy, undefined);
    expect(edit?.text).toBe(`"params":{"_meta":{${stamp}}},`);
  });

  it('says so in notifications, and so does the gateway', () => {
    const message = notification('notifications/cancelled', '{"requestId":1}');
    expect(edited(message, to.notice(message, legacy))).toBe(`{"_meta":{${stamp}},"requestId":1}`);
    expect(to.noticeParams({ requestId: 1 }, legacy)).toEqual({
      requestId: 1,
      _meta: JSON.parse(`{${stamp}}`),
    });
  });

  it.each([
    ['{"content":[]}', '{"content":[]}'],
    ['{"resultType":"complete","content":[1.0]}', '{"content":[1.0]}'],
    ['{"content":[],"resultType":"complete"}', '{"content":[]}'],
    ['{"a":1,"resultType":"complete","ttlMs":0,"b":2,"cacheScope":"x"}', '{"a":1,"b":2}'],
    ['{"resultType":"complete"}', '{}'],
    [`{"resultType":"complete","_meta":{${anothers}},"a":1}`, '{"a":1}'],
    [`{"a":1,"_meta":{"x":1,${anothers},"y":2}}`, '{"a":1,"_meta":{"x":1,"y":2}}'],
    ['{"a":1,"_meta":{}}', '{"a":1,"_meta":{}}'],
    ['{"_meta":null,"a":1}', '{"_meta":null,"a":1}'],
    ['{"structuredContent":{"resultType":"mine"}}', '{"structuredContent":{"resultType":"mine"}}'],
    ['[]', '[]'],
    ['7', '7'],
  ])('gets of the result %s what it knows', (result, expected) => {
    const message = response('result', result);
    expect(edited(message, to.response(message, rule('tools/call'), legacy))).toBe(expected);
  });

  it.each([
    ['resources/read', '{"code":-32602,"message":"m","data":{"uri":"a:1"}}', -32002],
    ['resources/read', '{"data":{"uri":"a:1"},"message":"m","code":-32602}', -32002],
    ['resources/read', '{"code":-32602,"message":"bad cursor"}', -32602],
    ['resources/read', '{"code":-32603,"message":"m","data":{"uri":"a:1"}}', -32603],
    ['tools/call', '{"code":-32602,"message":"m","data":{"uri":"a:1"}}', -32602],
  ])('%s: the error %s has the code %d', (method, error, code) => {
    const message = response('error', error);
    const given = JSON.parse(edited(message, to.response(message, rule(method), legacy)));
    expect(given).toEqual({ ...JSON.parse(error), code });
  });
});

describe('a modern client at a legacy backend', () => {
  const to = translation('modern', 'legacy');
  const cache = '"ttlMs":0,"cacheScope":"private"';

  it('asks as it does', () => {
    expect(to.request(request('tools/call', '{"name":"t"}'), modern, 'error')).toEqual([]);
    expect(to.notice(notification('notifications/cancelled', '{"requestId":1}'), modern)).toEqual([]);
    expect(to.noticeParams({ requestId: 1 }, modern)).toEqual({ requestId: 1 });
  });

  it('does not ask for a legacy task', () => {
    const message = request('tools/call', '{"task":{"ttl":1},"name":"t"}');
    expect(edited(message, to.request(message, modern, undefined))).toBe('{"name":"t"}');
  });

  it.each([
    ['tools/call', '{"content":[1.0]}', `{"resultType":"complete","_meta":{${server}},"content":[1.0]}`],
    ['tools/call', '{}', `{"resultType":"complete","_meta":{${server}}}`],
    ['tools/call', '{"resultType":"odd"}', `{"_meta":{${server}},"resultType":"odd"}`],
    ['tools/call', '{"_meta":{"a":1}}', `{"resultType":"complete","_meta":{${server},"a":1}}`],
    ['tools/call', '{"_meta":{}}', `{"resultType":"complete","_meta":{${server}}}`],
    ['tools/call', '{"_meta":"odd"}', `{"resultType":"complete","_meta":{${server}}}`],
    ['tools/call', '[]', '[]'],
    ['tools/call', '"done"', '"done"'],
    [
      'resources/read',
      '{"contents":[]}',
      `{"resultType":"complete",${cache},"_meta":{${server}},"contents":[]}`,
    ],
  ])('%s: the result %s is made a modern one', (method, result, expected) => {
    const message = response('result', result);
    expect(edited(message, to.response(message, rule(method), modern))).toBe(expected);
  });

  it.each([
    ['{"code":-32002,"message":"m","data":{"uri":"a:1"}}', -32602],
    ['{"message":"m","code":-32002}', -32602],
    ['{"code":-32603,"message":"m","data":{"code":-32002}}', -32603],
  ])('the error %s has the code %d', (error, code) => {
    const message = response('error', error);
    const given = JSON.parse(edited(message, to.response(message, rule('resources/read'), modern)));
    expect(given).toEqual({ ...JSON.parse(error), code });
  });
});

describe('who asks how', () => {
  it.each([
    ['legacy', 'legacy', 'as-they-are'],
    ['legacy', 'modern', 'in-requests'],
    ['modern', 'legacy', 'in-results'],
    ['modern', 'modern', 'as-they-are'],
  ] as const)('a %s client at a %s backend: %s', (client, backend, how) => {
    expect(translation(client, backend).questions).toBe(how);
  });
});

describe('a process of one session alone is told', () => {
  it.each([
    [legacy, { roots: {} }],
    [modern, { roots: {}, sampling: {}, elicitation: { form: {}, url: {} } }],
    [
      contextOf('modern', { capabilities: { experimental: { x: {} } } }),
      expect.objectContaining({ roots: {}, experimental: { x: {} } }),
    ],
  ])('of $era: $capabilities', (context, capabilities) => {
    expect(ownIntroduction(context)).toEqual({ clientInfo, capabilities });
    expect(serverInfo).not.toEqual(clientInfo);
  });
});
