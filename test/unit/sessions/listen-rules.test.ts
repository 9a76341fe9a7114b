import { describe, expect, it } from 'vitest';
import { listenRules } from '../../../src/sessions/listen-rules.js';
import { ListenError } from '../../../src/shared/listen-error.js';

const listen = {
  host: '127.0.0.1',
  port: 8808,
  paths: ['/mcp'],
  allowedOrigins: undefined,
  allowedHosts: undefined,
};

function refusalOf(change: Partial<typeof listen> | { allowedOrigins: string[] }): ListenError {
  try {
    listenRules({ ...listen, ...change });
  } catch (error) {
    if (error instanceof ListenError) return error;
    throw error;
  }
  throw new Error('was accepted');
}

describe('listenRules', () => {
  it.each(['0.0.0.0', '::', '192.0.2.1', 'gateway.example.com'])(
    'refuses to serve beyond loopback on %s, as clients are not authenticated',
    (host) => {
      const error = refusalOf({ host });
      expect(error.message).toContain('beyond loopback');
      expect(error.exitCode).toBe(78);
    },
  );

  it.each(['127.0.0.1', 'localhost', '::1'])('serves on %s', (host) => {
    expect(listenRules({ ...listen, host }).paths).toEqual(['/mcp']);
  });

  it('names the entry of allowedOrigins that is no origin', () => {
    const error = refusalOf({ allowedOrigins: ['https://a.example.com', 'a.example.com'] });
    expect(error.message).toMatch(/^listen\.allowedOrigins\[1\]: expected .* got "a\.example\.com"$/);
    expect(error.exitCode).toBe(78);
  });

  it('lets configured origins replace the ones of this machine', () => {
    const { allowedOrigins } = listenRules({ ...listen, allowedOrigins: ['https://a.example.com'] });
    const allowed = (origin: string) => allowedOrigins.some((matches) => matches(origin));
    expect(allowed('https://a.example.com')).toBe(true);
    expect(allowed('http://localhost:3000')).toBe(false);
  });
});
