import { expand, type Sources } from './expand.js';
import type { Place } from './place.js';

/** The fields of a backend in which placeholders are expanded. */
interface ExpandableFields {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: ReadonlyMap<string, string>;
  readonly cwd: string;
}

interface ExpandedFields extends ExpandableFields {
  /** Why the backend cannot be started, by field: `args[0]: variable TOKEN is not set`. */
  readonly missing: readonly string[];
}

/**
 * Expands all placeholders of one backend. Malformed ones are reported at `place`; what is missing is returned,
 * and its field keeps the text as written. Values never appear in either.
 */
export function expandFields(fields: ExpandableFields, place: Place, sources: Sources): ExpandedFields {
  const missing: string[] = [];

  function expandField(text: string, at: readonly (string | number)[]): string {
    const expansion = expand(text, sources);
    const field = at.reduce((outer: Place, key) => outer.at(key), place);
    const name = field.path.slice(place.path.length).replace(/^\./, '');
    switch (expansion.kind) {
      case 'malformed':
        field.report(expansion.reason);
        return text;
      case 'missing':
        missing.push(`${name}: ${expansion.reason}`);
        return text;
      case 'text':
        if (expansion.text.includes('\0')) missing.push(`${name}: no process can be given a NUL character`);
        return expansion.text;
    }
  }

  return {
    command: expandField(fields.command, ['command']),
    args: fields.args.map((arg, index) => expandField(arg, ['args', index])),
    env: new Map([...fields.env].map(([name, value]) => [name, expandField(value, ['env', name])])),
    cwd: expandField(fields.cwd, ['cwd']),
    missing,
  };
}
