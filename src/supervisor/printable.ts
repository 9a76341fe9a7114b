/** Control characters and line separators: what could move a terminal's cursor or break a log line. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}]/gu;

/**
 * Words of a backend made safe to show on one line: control characters escaped, and cut to `maxLength`
 * characters (UTF-16 units) with an ellipsis.
 */
export function printable(text: string, maxLength: number): string {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return cut.replace(unprintable, escaped);
}

function escaped(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}
