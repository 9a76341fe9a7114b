import { describe, expect, it } from 'vitest';
import { isLoopbackAddress, normaliseAddress } from '../../../src/sessions/peer-address.js';

describe('normaliseAddress', () => {
  it.each([
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:127.0.0.1', '127.0.0.1'],
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8::1', '2001:db8::1'],
  ])('writes %s as %s', (address, expected) => {
    expect(normaliseAddress(address)).toBe(expected);
  });
});

describe('isLoopbackAddress', () => {
  it.each([
    ['127.0.0.1', true],
    ['127.8.0.1', true],
    ['::1', true],
    ['192.0.2.1', false],
    ['', false],
  ])('says of "%s": %s', (address, expected) => {
    expect(isLoopbackAddress(address)).toBe(expected);
  });
});
