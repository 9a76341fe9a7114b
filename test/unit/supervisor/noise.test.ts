import { describe, expect, it } from 'vitest';
import { Noise } from '../../../src/supervisor/noise.js';

describe('noise', () => {
  it('counts all lines and keeps the first five', () => {
    const noise = new Noise();
    for (let line = 1; line <= 7; line += 1) noise.add(Buffer.from(`line ${line}`));
    expect(noise.count).toBe(7);
    expect(noise.first).toEqual(['line 1', 'line 2', 'line 3', 'line 4', 'line 5']);
  });

  it('escapes and shortens what it keeps', () => {
    const noise = new Noise();
    expect(noise.add(Buffer.from(`\u001b[32m${'x'.repeat(1000)}`))).toBe(`\\x1b[32m${'x'.repeat(195)}…`);
  });

  it('recognises the start of an indented message', () => {
    const noise = new Noise();
    noise.add(Buffer.from('{"status":200}'));
    expect(noise.advice).toBeUndefined();
    noise.add(Buffer.from('{'));
    expect(noise.advice).toContain('over several lines');
  });
});
