import { describe, expect, it } from 'vitest';
import { MalformedLimit } from '../../../src/sessions/malformed-limit.js';

describe('MalformedLimit', () => {
  it('is exceeded by the eleventh malformed message within 60 s', () => {
    const limit = new MalformedLimit();
    const verdicts = Array.from({ length: 11 }, (_, index) => limit.exceededAt(index * 1_000));
    expect(verdicts.indexOf(true)).toBe(10);
  });

  it('forgets what is 60 s old', () => {
    const limit = new MalformedLimit();
    for (let count = 0; count < 10; count += 1) limit.exceededAt(0);
    expect(limit.exceededAt(60_000)).toBe(false);
  });

  it('still counts what is a little younger', () => {
    const limit = new MalformedLimit();
    for (let count = 0; count < 10; count += 1) limit.exceededAt(0);
    expect(limit.exceededAt(59_999)).toBe(true);
  });
});
