import { describe, expect, it } from 'vitest';
import { cannotBind } from '../../../src/shared/listen-error.js';

describe('cannotBind', () => {
  it.each([
    ['EADDRINUSE', /cannot listen on 127\.0\.0\.1:8808 \(listen\): the port is in use; stop the program/],
    ['EACCES', /needs privileges; choose a port above 1023/],
    ['EADDRNOTAVAIL', /no such address/],
    ['ENOTFOUND', /host name is unknown/],
    ['EOTHER', /something else; set listen\.host and listen\.port/],
  ])('turns %s into a sentence with the address and what helps', (code, sentence) => {
    const cause = Object.assign(new Error('something else'), { code });
    const error = cannotBind('listen', { host: '127.0.0.1', port: 8808 }, cause);
    expect(error.message).toMatch(sentence);
    expect(error.exitCode).toBe(69);
    expect(error.cause).toBe(cause);
  });
});
