import { describe, expect, it } from 'vitest';
import { parseDuration, parseSize } from '../../../src/config/units.js';

describe('parseDuration', () => {
  it.each([
    ['400ms', 400],
    ['20s', 20_000],
    ['10m', 600_000],
    ['1h', 3_600_000],
    ['1.5s', 1500],
    ['1.005s', 1005],
    ['0s', 0],
  ])('reads %s as %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['', '20', 's', '20 s', '-1s', '1d', '1h30m', '20S', '1e3s', '.5s', 'soon', '5constructor'])(
    'refuses "%s"',
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );
});

describe('parseSize', () => {
  it.each([
    ['512B', 512],
    ['64KiB', 65_536],
    ['4MiB', 4_194_304],
    ['1GiB', 1_073_741_824],
    ['1.5KiB', 1536],
  ])('reads %s as %d bytes', (text, bytes) => {
    expect(parseSize(text)).toBe(bytes);
  });

  it.each(['', '4', '4MB', '4mib', '4 MiB', '-4MiB', 'MiB', '4M'])('refuses "%s"', (text) => {
    expect(parseSize(text)).toBeUndefined();
  });
});
