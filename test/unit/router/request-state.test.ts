import { describe, expect, it } from 'vitest';
import { digestOf, RequestStates, type Ticket } from '../../../src/router/request-state.js';
import type { GatewayId, SessionKey } from '../../../src/shared/ids.js';
import { request } from '../eras/messages.js';

const ticket: Ticket = {
  call: 7 as GatewayId,
  session: 3 as SessionKey,
  round: 1,
  digest: 'd',
  expiresMs: 5_000,
};

describe('a state', () => {
  const states = new RequestStates();
  const state = states.sign(ticket);

  it('is read by the process that signed it', () => {
    expect(states.read(state)).toEqual(ticket);
    expect(states.sign({ ...ticket, round: 2 })).not.toBe(state);
  });

  it('is not read by another', () => {
    expect(new RequestStates().read(state)).toBeUndefined();
  });

  it('is not read when any character of it is another, or missing', () => {
    for (let at = 0; at < state.length; at += 1) {
      const other = state[at] === 'A' ? 'B' : 'A';
      expect(states.read(state.slice(0, at) + other + state.slice(at + 1)), `at ${at}`).toBeUndefined();
      expect(states.read(state.slice(0, at) + state.slice(at + 1)), `without ${at}`).toBeUndefined();
    }
  });

  it.each([
    '',
    '.',
    'switchboard.',
    'switchboard..',
    `${state}.`,
    `${state}.x`,
    ` ${state}`,
    `${state}=`,
    'begun',
  ])('is not %j', (text) => {
    expect(states.read(text)).toBeUndefined();
  });

  it('of one ticket does not sign another', () => {
    const other = states.sign({ ...ticket, session: 4 as SessionKey });
    const [prefix, body] = other.split('.');
    expect(states.read([prefix, body, state.split('.')[2]].join('.'))).toBeUndefined();
  });
});

describe('what a request is', () => {
  const same = digestOf(request('tools/call', '{"name":"t","arguments":{"a":1}}'));

  it.each([
    '{"arguments":{"a":1},"name":"t"}',
    '{"name":"t","arguments":{"a":1},"inputResponses":{"q":{}},"requestState":"s"}',
    '{"name":"t","arguments":{"a":1},"_meta":{"progressToken":4}}',
  ])('is not changed by %s', (params) => {
    expect(digestOf(request('tools/call', params))).toBe(same);
  });

  it.each([
    ['tools/call', '{"name":"u","arguments":{"a":1}}'],
    ['tools/call', '{"name":"t","arguments":{"a":1.0}}'],
    ['tools/call', '{"name":"t","arguments":{}}'],
    ['tools/call', '{"name":"t"}'],
    ['tools/call', '{"uri":"t","arguments":{"a":1}}'],
    ['prompts/get', '{"name":"t","arguments":{"a":1}}'],
  ])('is changed by %s %s', (method, params) => {
    expect(digestOf(request(method, params))).not.toBe(same);
  });

  it('is not confused by where a field ends', () => {
    const one = digestOf(request('resources/read', '{"name":"a","uri":"b"}'));
    expect(digestOf(request('resources/read', '{"name":"a\\"b"}'))).not.toBe(one);
  });
});
