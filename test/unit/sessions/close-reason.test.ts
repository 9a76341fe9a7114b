import { describe, expect, it } from 'vitest';
import { fitCloseReason } from '../../../src/sessions/close-reason.js';

describe('fitCloseReason', () => {
  it('leaves a reason of 123 bytes alone', () => {
    expect(fitCloseReason('x'.repeat(123))).toBe('x'.repeat(123));
  });

  it.each([
    ['ASCII', 'x', 123],
    ['two bytes a character', 'é', 61],
    ['three bytes a character', '€', 41],
    ['four bytes a character', '😀', 30],
  ])('cuts a longer reason between characters: %s', (_, character, count) => {
    expect(fitCloseReason(character.repeat(200))).toBe(character.repeat(count));
  });

  it('cuts before a character that straddles the limit', () => {
    expect(fitCloseReason(`${'x'.repeat(120)}😀`)).toBe('x'.repeat(120));
  });
});
