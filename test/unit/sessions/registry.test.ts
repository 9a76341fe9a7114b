import { describe, expect, it } from 'vitest';
import { SessionRegistry } from '../../../src/sessions/registry.js';

describe('SessionRegistry', () => {
  it('counts sessions in total and by address', () => {
    const registry = new SessionRegistry<string>();
    registry.add('a', '192.0.2.1');
    registry.add('b', '192.0.2.1');
    registry.add('c', '192.0.2.2');
    expect([registry.size, registry.countOf('192.0.2.1'), registry.countOf('192.0.2.3')]).toEqual([3, 2, 0]);
    registry.remove('a');
    expect([registry.size, registry.countOf('192.0.2.1')]).toEqual([2, 1]);
  });

  it('counts a session that is added or removed twice only once', () => {
    const registry = new SessionRegistry<string>();
    registry.add('a', '192.0.2.1');
    registry.add('a', '192.0.2.1');
    registry.add('b', '192.0.2.1');
    registry.remove('a');
    registry.remove('a');
    expect(registry.countOf('192.0.2.1')).toBe(1);
  });

  it('tells when the last session has left, and at once when there is none', async () => {
    const registry = new SessionRegistry<string>();
    await registry.whenEmpty();
    registry.add('a', '192.0.2.1');
    registry.add('b', '192.0.2.1');
    let empty = false;
    const emptied = registry.whenEmpty().then(() => {
      empty = true;
    });
    registry.remove('a');
    await Promise.resolve();
    expect(empty).toBe(false);
    registry.remove('b');
    await emptied;
  });
});
