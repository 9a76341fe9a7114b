import { describe, expect, it } from 'vitest';
import { DualClientSide } from '../../../src/eras/dual-client-side.js';
import { introduction, modernMeta, notification, request } from './messages.js';

const inModern = (method: string) => request(method, JSON.stringify({ _meta: modernMeta() }));
const initialize = request('initialize', '{"protocolVersion":"2025-06-18","capabilities":{}}');

function opened() {
  const side = new DualClientSide(() => introduction);
  side.request(initialize, '1');
  return side;
}

describe('a client of either era', () => {
  it.each([
    ['before', () => new DualClientSide(() => introduction)],
    ['after', opened],
  ])('is modern in each request that says so, %s a handshake', (_when, make) => {
    const side = make();
    expect(side.request(inModern('tools/list'), '1')).toMatchObject({ context: { era: 'modern' } });
  });

  it('is legacy in the rest', () => {
    const side = opened();
    side.request(inModern('tools/list'), '2');
    expect(side.request(request('tools/list'), '3')).toMatchObject({
      context: { era: 'legacy', revision: '2025-06-18' },
    });
    expect(side.context).toMatchObject({ era: 'legacy' });
  });

  it('has no context of its whole session for what it says in modern', () => {
    const side = new DualClientSide(() => introduction);
    side.request(inModern('tools/list'), '1');
    expect(side.context).toBeUndefined();
  });

  it.each([
    [
      'a modern one may say so',
      new DualClientSide(() => introduction),
      JSON.stringify({ _meta: modernMeta() }),
    ],
    ['or not', new DualClientSide(() => introduction), '{"requestId":1}'],
    ['a legacy one has both', opened(), '{"requestId":1}'],
  ])('cancels in either: %s', (_what, side, params) => {
    expect(side.notification(notification('notifications/cancelled', params)).kind).toBe('notification');
  });

  it('has the notifications of its handshake only after it', () => {
    const changed = notification('notifications/roots/list_changed');
    expect(new DualClientSide(() => introduction).notification(changed).kind).toBe('drop');
    expect(opened().notification(changed).kind).toBe('notification');
  });

  it.each<[string, 'null' | undefined, (side: DualClientSide) => void]>([
    ['has said nothing yet', 'null', () => undefined],
    ['is modern', undefined, (side) => side.request(inModern('tools/list'), '1')],
    ['has had its handshake for 2025-06-18', 'null', (side) => side.request(initialize, '1')],
    [
      'has had its handshake for 2025-11-25',
      undefined,
      (side) => side.request(request('initialize', '{"protocolVersion":"2025-11-25"}'), '1'),
    ],
  ])('that %s is told of a message without a usable id under %s', (_what, id, say) => {
    const side = new DualClientSide(() => introduction);
    say(side);
    expect(side.noId).toBe(id);
  });
});
