import { describe, expect, it } from 'vitest';
import { legacyBackendSide } from '../../../../src/eras/legacy/backend-side.js';

const side = legacyBackendSide({
  clientInfo: { name: 'gateway', version: '1' },
  capabilities: { sampling: {} },
});

describe('what a legacy backend is told', () => {
  it('is who we are, once, and that the handshake is over', () => {
    expect(side.opening).toEqual({
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: { sampling: {} },
        clientInfo: { name: 'gateway', version: '1' },
      },
    });
    expect(side.opened).toEqual({ method: 'notifications/initialized', params: undefined });
  });

  it.each([[undefined], [{}], [{ cursor: 'c', _meta: { a: 1 } }]])(
    'are parameters as they are: %j',
    (params) => {
      expect(side.requestParams(params)).toBe(params);
      expect(side.notificationParams(params)).toBe(params);
    },
  );

  it('is a request for each resource', () => {
    if (side.changes.on !== 'request') throw new Error('expected requests');
    expect(side.changes.subscribe('a:b')).toEqual({ method: 'resources/subscribe', params: { uri: 'a:b' } });
    expect(side.changes.unsubscribe('a:b')).toEqual({
      method: 'resources/unsubscribe',
      params: { uri: 'a:b' },
    });
  });
});

describe('an answer to initialize', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'in revision %s is accepted',
    (revision) => {
      expect(
        side.readOpening({
          protocolVersion: revision,
          capabilities: { tools: {} },
          serverInfo: { name: 's' },
        }),
      ).toEqual({
        outcome: 'accepted',
        revision,
        capabilities: { tools: {} },
        serverInfo: { name: 's' },
        instructions: undefined,
      });
    },
  );

  it('may lack all but its revision', () => {
    expect(side.readOpening({ protocolVersion: '2025-06-18', capabilities: [], instructions: 3 })).toEqual({
      outcome: 'accepted',
      revision: '2025-06-18',
      capabilities: {},
      serverInfo: {},
      instructions: undefined,
    });
  });

  it.each([
    [[], 'answered initialize with no object'],
    [{}, 'answered initialize without a protocolVersion'],
    [{ protocolVersion: '2026-07-28' }, 'speaks revision "2026-07-28", the gateway speaks 2024-11-05'],
  ])('like %j is refused for good', (result, reason) => {
    expect(side.readOpening(result)).toEqual({
      outcome: 'refused',
      final: true,
      reason: expect.stringContaining(reason),
    });
  });

  it('that is an error says nothing of another revision', () => {
    expect(side.afterError({ code: -32022, data: { supported: ['2026-07-28'] } })).toBeUndefined();
  });
});
