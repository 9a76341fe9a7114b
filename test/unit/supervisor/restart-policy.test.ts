import { describe, expect, it } from 'vitest';
import {
  decideRestart,
  type ExitHistory,
  noExits,
  recordExit,
  wakeDistanceMs,
} from '../../../src/supervisor/restart-policy.js';
import { backendSettings } from '../../helpers/settings.js';

const settings = backendSettings().restart;

const almostOne = 1 - Number.EPSILON;

function historyOf(exitsMs: readonly number[], healthyForMs = 0): ExitHistory {
  return exitsMs.reduce((history, atMs) => recordExit(history, { atMs, healthyForMs }, settings), noExits);
}

function delayAfter(exits: number, random: number): number | undefined {
  // Far enough apart not to count as a crash loop.
  const history = historyOf(Array.from({ length: exits }, (_, index) => index * 61_000));
  const verdict = decideRestart(history, 'exit code 1', settings, () => random);
  return verdict.kind === 'retry' ? verdict.delayMs : undefined;
}

describe('the delay of a restart', () => {
  it.each([
    [1, 499],
    [2, 999],
    [3, 1_999],
    [6, 15_999],
    [7, 29_999],
    [50, 29_999],
  ])('after exit %i is at most %i ms', (exits, longestMs) => {
    expect(delayAfter(exits, almostOne)).toBe(longestMs);
  });

  it('is drawn from the whole range', () => {
    expect(delayAfter(3, 0)).toBe(0);
    expect(delayAfter(3, 0.5)).toBe(1_000);
  });

  it('starts small again only after a stable life', () => {
    const flapping = recordExit(historyOf([0, 61_000]), { atMs: 200_000, healthyForMs: 59_999 }, settings);
    expect(flapping.count).toBe(3);
    const stable = recordExit(historyOf([0, 61_000]), { atMs: 200_000, healthyForMs: 60_000 }, settings);
    expect(stable.count).toBe(1);
  });

  it('grows for a backend that lives three seconds each time', () => {
    const bounds = [1, 2, 3, 4].map((exits) => {
      const history = historyOf(
        Array.from({ length: exits }, (_, index) => index * 20_000),
        3_000,
      );
      const verdict = decideRestart(history, 'exit code 1', settings, () => almostOne);
      return verdict.kind === 'retry' ? verdict.delayMs : undefined;
    });
    expect(bounds).toEqual([499, 999, 1_999, 3_999]);
  });
});

describe('giving up', () => {
  it('counts as failed after 5 exits within 60 s, with the last exit as reason', () => {
    expect(decideRestart(historyOf([0, 1_000, 2_000, 3_000]), 'exit code 1', settings, () => 0).kind).toBe(
      'retry',
    );
    expect(
      decideRestart(historyOf([0, 1_000, 2_000, 3_000, 59_999]), 'exit code 1', settings, () => 0),
    ).toEqual({
      kind: 'failed',
      reason: 'exited 5 times in 60 s (last exit: exit code 1)',
      delayMs: 300_000,
    });
  });

  it('does not count exits outside the window', () => {
    expect(decideRestart(historyOf([0, 1_000, 2_000, 3_000, 60_000]), 'x', settings, () => 0).kind).toBe(
      'retry',
    );
  });

  it('stays failed when the slow retry exits again, whatever the window says', () => {
    const failed = { ...historyOf([0, 1, 2, 3, 4]), failed: true };
    const again = recordExit(failed, { atMs: 300_000, healthyForMs: 0 }, settings);
    expect(decideRestart(again, 'exit code 2', settings, () => 0)).toEqual({
      kind: 'failed',
      reason: 'failed again (exit code 2)',
      delayMs: 300_000,
    });
  });

  it('is forgotten after a stable life', () => {
    const failed = { ...historyOf([0, 1, 2, 3, 4]), failed: true };
    const later = recordExit(failed, { atMs: 500_000, healthyForMs: 60_000 }, settings);
    expect(decideRestart(later, 'x', settings, () => 0).kind).toBe('retry');
  });
});

it('keeps a distance between starts on demand, a longer one when failed', () => {
  expect(wakeDistanceMs('backing-off', settings)).toBe(500);
  expect(wakeDistanceMs('failed', settings)).toBe(30_000);
});
