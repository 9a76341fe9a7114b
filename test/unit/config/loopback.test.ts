import { describe, expect, it } from 'vitest';
import { isLoopbackHost } from '../../../src/config/loopback.js';

describe('isLoopbackHost', () => {
  it.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.1.2.3', '::1', '0:0:0:0:0:0:0:1'])(
    'takes %s for this machine alone',
    (host) => {
      expect(isLoopbackHost(host)).toBe(true);
    },
  );

  it.each([
    '0.0.0.0',
    '::',
    '10.0.0.1',
    '128.0.0.1',
    'example.com',
    'localhost.example.com',
    '127.0.0.1.example.com',
    '*',
  ])('takes %s for reachable from elsewhere', (host) => {
    expect(isLoopbackHost(host)).toBe(false);
  });
});
