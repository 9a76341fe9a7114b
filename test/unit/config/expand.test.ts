import { describe, expect, it } from 'vitest';
import { expand, type Sources } from '../../../src/config/expand.js';

const variables = new Map([
  ['A', '1'],
  ['B', `\${A}`],
  ['EMPTY', ''],
]);

const sources: Sources = {
  variable: (name) => variables.get(name),
  file: (path) => (path === '/run/token' ? { text: 'T0KEN\n' } : { failure: 'it does not exist' }),
};

describe('expand', () => {
  it.each([
    ['a variable', `\${A}`, '1'],
    ['a variable with its prefix', `\${env:A}`, '1'],
    ['a value that looks like a placeholder, once only', `\${B}`, `\${A}`],
    ['a default for an unset variable', `\${NOPE:-d}`, 'd'],
    ['a default for an unset variable with its prefix', `\${env:NOPE:-d}`, 'd'],
    ['a default for an empty variable, as a shell does', `\${EMPTY:-d}`, 'd'],
    ['an empty default', `\${NOPE:-}`, ''],
    ['a default that holds the mark of a default', `\${NOPE:-a:-b}`, 'a:-b'],
    ['no default for a set variable', `\${A:-d}`, '1'],
    ['an empty variable as empty', `<\${EMPTY}>`, '<>'],
    ['a dollar without braces as itself', '$A', '$A'],
    ['an escaped placeholder as its text', `$\${A}`, `\${A}`],
    ['only the last dollar as an escape', `$$\${A}`, `$\${A}`],
    ['an escape right behind a placeholder', `\${A}$\${A}`, `1\${A}`],
    ['an escape without closing brace', `$\${A`, `\${A`],
    ['several in one text', `a\${A}b\${A}`, 'a1b1'],
    ['adjacent ones', `\${A}\${A}`, '11'],
    ['a file without the line end at its end', `\${file:/run/token}`, 'T0KEN'],
    ['a text without any', 'plain } { $', 'plain } { $'],
  ])('gives %s', (_, text, expected) => {
    expect(expand(text, sources)).toEqual({ kind: 'text', text: expected });
  });

  it.each([
    ['a\n', 'a'],
    ['a\r\n', 'a'],
    ['a\n\n', 'a\n'],
    [' a ', ' a '],
  ])('trims one line end and nothing else from the file %j', (content, expected) => {
    const withFile: Sources = { ...sources, file: () => ({ text: content }) };
    expect(expand(`\${file:f}`, withFile)).toEqual({ kind: 'text', text: expected });
  });

  it('does not expand what a file holds', () => {
    const withFile: Sources = { ...sources, file: () => ({ text: `\${A}` }) };
    expect(expand(`\${file:f}`, withFile)).toEqual({ kind: 'text', text: `\${A}` });
  });

  it('names an unset variable that has no default', () => {
    expect(expand(`x\${NOPE}y`, sources)).toEqual({ kind: 'missing', reason: 'variable NOPE is not set' });
  });

  it('names a file that cannot be read, and why', () => {
    expect(expand(`\${file:/none}`, sources)).toEqual({
      kind: 'missing',
      reason: 'file "/none" cannot be read (it does not exist)',
    });
  });

  it.each([
    [`\${}`, 'at character 1 opens a placeholder that is none'],
    [`ab\${A`, 'at character 3 is never closed'],
    [`\${input:key}`, 'opens a placeholder that is none'],
    [`\${A B}`, 'opens a placeholder that is none'],
    [`\${file:}`, 'opens a placeholder that is none'],
    [`\${A:-\${B}}`, 'placeholders do not nest'],
  ])('calls %s malformed and says where', (text, reason) => {
    expect(expand(text, sources)).toEqual({ kind: 'malformed', reason: expect.stringContaining(reason) });
  });

  it('does not repeat a malformed text, which may be a password', () => {
    expect(expand(`\${S3NT1NEL secret}`, sources)).toEqual({
      kind: 'malformed',
      reason: expect.not.stringContaining('S3NT1NEL'),
    });
  });
});
