import { describe, expect, it } from 'vitest';
import { LastOutput } from '../../../src/supervisor/last-output.js';

describe('the last output of a starting process', () => {
  it('is unknown before anything was printed, and after blank lines only', () => {
    const output = new LastOutput();
    expect(output.line).toBeUndefined();
    output.push(Buffer.from('\n \n'));
    expect(output.line).toBeUndefined();
  });

  it('is the last line, ended or not', () => {
    const output = new LastOutput();
    output.push(Buffer.from('Need to install the following packages:\nOk to proceed? (y) '));
    expect(output.line).toBe('Ok to proceed? (y)');
  });
});
