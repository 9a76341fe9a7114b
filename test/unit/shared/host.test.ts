import { describe, expect, it } from 'vitest';
import { authority, isIpLiteral, isLoopbackName, parseHost } from '../../../src/shared/host.js';

describe('parseHost', () => {
  it.each([
    ['localhost', { name: 'localhost', port: undefined }],
    ['LocalHost:8808', { name: 'localhost', port: 8808 }],
    ['127.0.0.1:8808', { name: '127.0.0.1', port: 8808 }],
    ['[::1]:8808', { name: '[::1]', port: 8808 }],
    ['[::1]', { name: '[::1]', port: undefined }],
    ['gateway.example.com', { name: 'gateway.example.com', port: undefined }],
  ])('takes %s apart', (header, expected) => {
    expect(parseHost(header)).toEqual(expected);
  });

  it.each([
    '',
    '127.0.0.1:evil.com',
    '127.0.0.1:80:evil.com',
    'localhost/evil',
    'evil.com@localhost',
    'localhost evil.com',
    'localhost, evil.com',
    '::1',
    '[::1',
    '[::1]evil.com',
    'localhost:',
    'localhost:123456',
  ])('finds no host in "%s"', (header) => {
    expect(parseHost(header)).toBeUndefined();
  });
});

describe('isLoopbackName', () => {
  it.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.255.0.3', '::1', '[::1]'])('knows %s', (name) => {
    expect(isLoopbackName(name)).toBe(true);
  });

  it.each(['0.0.0.0', '::', '128.0.0.1', 'localhost.evil.test', '127.0.0.1.evil.test', 'evil.localhost', ''])(
    'does not take "%s" for this machine',
    (name) => {
      expect(isLoopbackName(name)).toBe(false);
    },
  );
});

describe('isIpLiteral', () => {
  it.each([
    ['10.1.2.3', true],
    ['[fd00::1]', true],
    ['10.1.2.3.evil.test', false],
    ['pod.internal', false],
  ])('says of %s: %s', (name, expected) => {
    expect(isIpLiteral(name)).toBe(expected);
  });
});

describe('authority', () => {
  it('puts brackets around an IPv6 address, once', () => {
    expect(authority('::1', 80)).toBe('[::1]:80');
    expect(authority('[::1]', 80)).toBe('[::1]:80');
    expect(authority('127.0.0.1', 80)).toBe('127.0.0.1:80');
  });
});
