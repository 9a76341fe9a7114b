import { describe, expect, it } from 'vitest';
import type { ListKind } from '../../../src/protocol/listing.js';
import { ListingRefresh } from '../../../src/supervisor/listing-refresh.js';
import { createFakeClock } from '../../helpers/fake-clock.js';

function setUp() {
  const clock = createFakeClock();
  const reads: (readonly ListKind[])[] = [];
  let finish: (changed: boolean) => void = () => undefined;
  const refresh = new ListingRefresh(clock, (kinds) => {
    reads.push([...kinds]);
    return new Promise((resolve) => {
      finish = resolve;
    });
  });
  return {
    clock,
    refresh,
    reads,
    async finishReading(changed: boolean) {
      finish(changed);
      await Promise.resolve();
      await Promise.resolve();
    },
  };
}

describe('refreshing a listing', () => {
  it('reads once for a burst, and only the lists that were named', () => {
    const { clock, refresh, reads } = setUp();
    refresh.begin();
    refresh.announce(['tools']);
    refresh.announce(['tools']);
    refresh.announce(['prompts']);
    clock.advance(100);
    expect(reads).toEqual([['tools', 'prompts']]);
  });

  it('reads at most three times for 500 notices in one second', async () => {
    const { clock, refresh, reads, finishReading } = setUp();
    refresh.begin();
    for (let sent = 0; sent < 500; sent += 1) {
      refresh.announce(['tools']);
      clock.advance(2);
      await finishReading(false);
    }
    clock.advance(60_000);
    expect(reads.length).toBeGreaterThan(0);
    expect(reads.length).toBeLessThanOrEqual(3);
  });

  it('has one reading under way and one waiting, which covers all that came meanwhile', async () => {
    const { clock, refresh, reads, finishReading } = setUp();
    refresh.begin();
    refresh.announce(['tools']);
    clock.advance(100);
    refresh.announce(['prompts']);
    refresh.announce(['tools']);
    clock.advance(5_000);
    expect(reads).toHaveLength(1);
    await finishReading(true);
    clock.advance(100);
    expect(reads).toEqual([['tools'], ['prompts', 'tools']]);
  });

  it('holds notices back until the first listing is there', () => {
    const { clock, refresh, reads } = setUp();
    refresh.announce(['tools']);
    clock.advance(5_000);
    expect(reads).toHaveLength(0);
    refresh.begin();
    clock.advance(0);
    expect(reads).toEqual([['tools']]);
  });

  it('reads nothing and leaves no timer after its end', async () => {
    const { clock, refresh, reads, finishReading } = setUp();
    refresh.begin();
    refresh.announce(['tools']);
    clock.advance(100);
    refresh.announce(['tools']);
    refresh.end();
    await finishReading(true);
    refresh.announce(['tools']);
    clock.advance(60_000);
    expect(reads).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });
});
