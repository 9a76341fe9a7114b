import { describe, expect, it } from 'vitest';
import { createToolFilter } from '../../../src/catalog/filter.js';

const names = ['read_file', 'write_file', 'fs/read.all', 'a+b', 'line\nbreak', 'safe'];
const passing = (allow: string[] | undefined, deny: string[] = []) =>
  names.filter(createToolFilter({ allow, deny }));

describe('createToolFilter', () => {
  it('lets everything through when nothing is set', () => {
    expect(passing(undefined)).toEqual(names);
  });

  it('lets only allowed names through', () => {
    expect(passing(['read*', 'safe'])).toEqual(['read_file', 'safe']);
  });

  it('lets nothing through when the allow list is empty', () => {
    expect(passing([])).toEqual([]);
  });

  it('denies what is both allowed and denied', () => {
    expect(passing(['*_file'], ['write*'])).toEqual(['read_file']);
  });

  it('denies without an allow list', () => {
    expect(passing(undefined, ['*_file'])).toEqual(['fs/read.all', 'a+b', 'line\nbreak', 'safe']);
  });

  it('crosses slashes, dots and line breaks with a star', () => {
    expect(passing(['fs*all', 'line*break'])).toEqual(['fs/read.all', 'line\nbreak']);
  });

  it('matches one character with a question mark and whole names only', () => {
    expect(passing(['saf?', 'afe', 'read'])).toEqual(['safe']);
  });

  it('takes characters of regular expressions literally', () => {
    expect(passing(['a+b', 'f.*'])).toEqual(['a+b']);
  });

  it('lets no endless name through where there are globs', () => {
    const long = 'a'.repeat(1025);
    expect(createToolFilter({ allow: ['*'], deny: [] })(long)).toBe(false);
    expect(createToolFilter({ allow: undefined, deny: ['b'] })(long)).toBe(false);
    expect(createToolFilter({ allow: undefined, deny: [] })(long)).toBe(true);
  });
});
