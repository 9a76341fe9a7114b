import { describe, expect, it } from 'vitest';
import { createBackendSide, erasToTry } from '../../../src/eras/detect.js';

describe('the eras to try with a backend', () => {
  it.each([
    ['auto', undefined, ['modern', 'legacy']],
    ['auto', 'modern', ['modern']],
    ['auto', 'legacy', ['legacy']],
    ['modern', undefined, ['modern']],
    ['modern', 'legacy', ['modern']],
    ['legacy', undefined, ['legacy']],
    ['legacy', 'modern', ['legacy']],
  ] as const)('are, configured as %s and found as %s, %j', (configured, found, eras) => {
    expect(erasToTry(configured, found)).toEqual(eras);
  });

  it.each(['legacy', 'modern'] as const)('have a side of their own: %s', (era) => {
    expect(createBackendSide(era, { clientInfo: {}, capabilities: {} }).era).toBe(era);
  });
});
