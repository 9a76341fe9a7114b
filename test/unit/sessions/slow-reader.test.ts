import { describe, expect, it } from 'vitest';
import { type Pressure, pressureOf } from '../../../src/sessions/slow-reader.js';

const settings = { pauseBytes: 1_000, maxBytes: 10_000, stallMs: 10_000 };

describe('pressureOf', () => {
  it.each<[Pressure, number, Pressure]>([
    ['flowing', 0, 'flowing'],
    ['flowing', 1_000, 'flowing'],
    ['flowing', 1_001, 'pressed'],
    ['pressed', 1_000, 'pressed'],
    ['pressed', 501, 'pressed'],
    ['pressed', 500, 'flowing'],
    ['pressed', 10_000, 'pressed'],
    ['pressed', 10_001, 'overflowing'],
    ['flowing', 10_001, 'overflowing'],
  ])('judges a %s client with %i unsent bytes as %s', (before, unsentBytes, expected) => {
    expect(pressureOf(settings, before, unsentBytes)).toBe(expected);
  });
});
