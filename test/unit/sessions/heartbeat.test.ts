import { describe, expect, it } from 'vitest';
import { Heartbeat } from '../../../src/sessions/heartbeat.js';
import { createFakeClock } from '../../helpers/fake-clock.js';

function startHeartbeat({ intervalMs = 20_000, graceMs = 20_000, phase = 1 } = {}) {
  const clock = createFakeClock();
  const seen = { pings: [] as number[], silentAt: [] as number[] };
  let received = 0;
  const heartbeat = new Heartbeat({ intervalMs, graceMs }, clock, phase, {
    ping: () => seen.pings.push(clock.now()),
    receivedBytes: () => received,
    silent: () => seen.silentAt.push(clock.now()),
  });
  return {
    clock,
    heartbeat,
    seen,
    hear() {
      received += 1;
    },
  };
}

describe('Heartbeat', () => {
  it('pings once an interval, from the given phase on', () => {
    const { clock, seen, hear } = startHeartbeat({ phase: 0.25 });
    for (let second = 0; second < 50; second += 1) {
      hear();
      clock.advance(1_000);
    }
    expect(seen.pings).toEqual([5_000, 25_000, 45_000]);
  });

  it('reports a peer that is silent for the grace time after a ping', () => {
    const { clock, seen } = startHeartbeat();
    clock.advance(39_999);
    expect(seen.silentAt).toEqual([]);
    clock.advance(1);
    expect(seen.silentAt).toEqual([40_000]);
  });

  it('notices within two intervals a peer that vanishes just after it answered a ping', () => {
    const { clock, seen, hear } = startHeartbeat();
    clock.advance(20_000);
    hear();
    clock.advance(40_000);
    expect(seen.silentAt).toEqual([60_000]);
  });

  it('keeps a quiet peer that answers pings for ten intervals', () => {
    const { clock, seen, hear } = startHeartbeat();
    for (let interval = 0; interval < 10; interval += 1) {
      clock.advance(20_000);
      hear();
    }
    expect(seen.silentAt).toEqual([]);
  });

  it('waits no longer than a grace that is shorter than the interval', () => {
    const { clock, seen, hear } = startHeartbeat({ graceMs: 5_000 });
    clock.advance(20_000);
    hear();
    clock.advance(24_999);
    expect(seen.silentAt).toEqual([]);
    clock.advance(1);
    expect(seen.silentAt).toEqual([45_000]);
  });

  it('says nothing about a peer that it was not listening to', () => {
    const { clock, heartbeat, seen } = startHeartbeat();
    clock.advance(20_000);
    heartbeat.suspend();
    clock.advance(200_000);
    expect(seen).toEqual({ pings: [20_000], silentAt: [] });
    heartbeat.resume();
    clock.advance(40_000);
    expect(seen.silentAt).toEqual([260_000]);
  });

  it('leaves no timer behind once stopped, in the phase before the first ping or later', () => {
    const early = startHeartbeat();
    early.heartbeat.stop();
    expect(early.clock.pending).toBe(0);
    const late = startHeartbeat();
    late.clock.advance(30_000);
    late.heartbeat.stop();
    expect(late.clock.pending).toBe(0);
  });
});
