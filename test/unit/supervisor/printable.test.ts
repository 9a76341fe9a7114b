import { describe, expect, it } from 'vitest';
import { printable } from '../../../src/supervisor/printable.js';

describe('printable', () => {
  it.each([
    ['plain words stay', 'größe 🦊', 'größe 🦊'],
    ['an escape sequence is spelled out', '\u001b[32m✔ done\u001b[0m', '\\x1b[32m✔ done\\x1b[0m'],
    ['line breaks are spelled out', 'a\r\nb', 'a\\x0d\\x0ab'],
    ['line separators are spelled out', 'a\u2028b', 'a\\u2028b'],
  ])('%s', (_title, text, shown) => {
    expect(printable(text, 100)).toBe(shown);
  });

  it('cuts what is longer than the limit and says so', () => {
    expect(printable('abcdef', 3)).toBe('abc…');
    expect(printable('abc', 3)).toBe('abc');
  });
});
