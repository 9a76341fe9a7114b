/** Where the values come from that placeholders stand for. */
export interface Sources {
  /** The value of an environment variable, or `undefined` if it is not set. */
  variable(name: string): string | undefined;
  /** A file's text, or why it cannot be read (without the path). */
  file(path: string): { readonly text: string } | { readonly failure: string };
}

export type Expansion =
  | { readonly kind: 'text'; readonly text: string }
  /** A variable is not set, or a file cannot be read: the text is right, the surroundings are not. */
  | { readonly kind: 'missing'; readonly reason: string }
  /** The text itself is wrong, whatever the surroundings. `reason` never quotes it. */
  | { readonly kind: 'malformed'; readonly reason: string };

const VARIABLE = /^(?:env:)?(?<name>[A-Za-z_][A-Za-z0-9_()]*)(?::-(?<fallback>.*))?$/s;
const FILE = /^file:(?<path>.+)$/s;
const FORMS = `\${NAME}, \${NAME:-default}, \${env:NAME}, \${file:/path} or, for a literal, $\${`;

/**
 * Replaces placeholders once; what they stand for is not expanded again.
 *
 * - `${NAME}`, `${env:NAME}`: the variable; empty if it is set and empty, missing if it is not set.
 * - `${NAME:-default}`, `${env:NAME:-default}`: the default if the variable is not set or empty, as in a shell.
 *   The default ends at the first `}`; placeholders do not nest.
 * - `${file:/path}`: the file's text without one line end at its end.
 * - `$${` is a literal `${`; any other `$` is an ordinary character.
 * - `${` without `}`, and anything else between the two, is malformed.
 */
export function expand(text: string, sources: Sources): Expansion {
  let expanded = '';
  let from = 0;
  for (;;) {
    const open = text.indexOf('${', from);
    if (open === -1) return { kind: 'text', text: expanded + text.slice(from) };
    if (open > from && text[open - 1] === '$') {
      expanded += `${text.slice(from, open - 1)}\${`;
      from = open + 2;
      continue;
    }
    const close = text.indexOf('}', open);
    if (close === -1) return malformed(open, 'is never closed');
    const placeholder = text.slice(open + 2, close);
    if (placeholder.includes('${')) return malformed(open, 'holds another one, and placeholders do not nest');
    const value = lookUp(placeholder, sources);
    if (value === undefined) return malformed(open, 'opens a placeholder that is none');
    if (value.kind !== 'text') return value;
    expanded += text.slice(from, open) + value.text;
    from = close + 1;
  }
}

function lookUp(placeholder: string, sources: Sources): Expansion | undefined {
  const path = FILE.exec(placeholder)?.groups?.path;
  if (path !== undefined) {
    const file = sources.file(path);
    if ('text' in file) return { kind: 'text', text: file.text.replace(/\r?\n$/, '') };
    return { kind: 'missing', reason: `file ${JSON.stringify(path)} cannot be read (${file.failure})` };
  }
  const { name, fallback } = VARIABLE.exec(placeholder)?.groups ?? {};
  if (name === undefined) return undefined;
  const value = sources.variable(name);
  if (fallback !== undefined && (value === undefined || value === ''))
    return { kind: 'text', text: fallback };
  if (value === undefined) return { kind: 'missing', reason: `variable ${name} is not set` };
  return { kind: 'text', text: value };
}

function malformed(offset: number, what: string): Expansion {
  return { kind: 'malformed', reason: `"\${" at character ${offset + 1} ${what}; write ${FORMS}` };
}
