import { describe, expect, it } from 'vitest';
import { originMatcher, sameOrigin } from '../../../src/shared/origin.js';

function matches(entry: string, origin: string): boolean {
  const matcher = originMatcher(entry);
  if (matcher === undefined) throw new Error(`no origin: ${entry}`);
  return matcher(origin);
}

describe('originMatcher', () => {
  it.each([
    ['https://app.example.com', 'https://app.example.com'],
    ['https://app.example.com', 'https://app.example.com:443'],
    ['HTTPS://App.Example.com:443', 'https://app.example.com'],
    ['http://localhost:*', 'http://localhost'],
    ['http://localhost:*', 'http://localhost:3000'],
    ['http://127.0.0.1:*', 'http://127.0.0.1:3000'],
    ['http://[::1]:*', 'http://[::1]:5173'],
    ['https://*.example.com', 'https://a.example.com'],
    ['https://*.example.com:*', 'https://a.example.com:8443'],
    ['null', 'null'],
    ['chrome-extension://abcdef', 'chrome-extension://abcdef'],
  ])('lets an entry %s match the origin %s', (entry, origin) => {
    expect(matches(entry, origin)).toBe(true);
  });

  it.each([
    ['https://app.example.com', 'http://app.example.com'],
    ['https://app.example.com', 'https://app.example.com:8443'],
    ['https://app.example.com', 'https://app.example.com.evil.test'],
    ['https://app.example.com', 'https://evil.test/https://app.example.com'],
    ['https://app.example.com', 'https://app.example.com@evil.test'],
    ['https://app.example.com', 'https://app.example.com/'],
    ['https://app.example.com', 'https://app.example.com, https://evil.test'],
    ['http://localhost:*', 'http://localhost.evil.test'],
    ['http://localhost:*', 'http://localhost:3000.evil.test'],
    ['http://localhost:*', 'https://localhost:3000'],
    ['http://127.0.0.1:*', 'http://127.0.0.1:evil.com'],
    ['http://127.0.0.1:*', 'http://127.0.0.1.evil.test'],
    ['http://localhost:*', 'null'],
    ['https://*.example.com', 'https://example.com'],
    ['https://*.example.com', 'https://a.b.example.com'],
    ['https://*.example.com', 'https://evilexample.com'],
    ['https://*.example.com', 'https://a.example.com:8443'],
    ['chrome-extension://abcdef', 'chrome-extension://abcdeg'],
    ['null', ''],
  ])('keeps an entry %s from matching %s', (entry, origin) => {
    expect(matches(entry, origin)).toBe(false);
  });

  it.each(['', '*', 'example.com', 'https://*', 'https://a.*.com', 'https://*.*.com', 'https://a.com/path'])(
    'refuses the entry "%s"',
    (entry) => {
      expect(originMatcher(entry)).toBeUndefined();
    },
  );
});

describe('sameOrigin', () => {
  it.each([
    ['http://127.0.0.1:8809', 'http://127.0.0.1:8809', true],
    ['http://localhost', 'http://LOCALHOST:80', true],
    ['http://127.0.0.1:8809', 'http://127.0.0.1:8808', false],
    ['null', 'null', false],
  ])('compares %s with %s', (left, right, expected) => {
    expect(sameOrigin(left, right)).toBe(expected);
  });
});
