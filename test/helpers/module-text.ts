/** One module that a source file names, and how. */
interface ModuleUse {
  readonly specifier: string;
  readonly line: number;
}

/** What the architecture test needs to know of one source file. */
export interface ModuleText {
  /** Static, type-only and dynamic imports, and `export … from`. */
  readonly uses: readonly ModuleUse[];
  /** Global timer functions that the code names, with their lines. */
  readonly timers: readonly { readonly name: string; readonly line: number }[];
}

/** Reads a TypeScript file's imports and its use of global timers; comments and texts do not count. */
export function readModuleText(source: string): ModuleText {
  const { code, strings } = maskLiterals(source);
  const lineAt = (offset: number) => source.slice(0, offset).split('\n').length;
  const uses: ModuleUse[] = [];
  // A masked string literal is a quote followed by its number, so that `from 'x'` reads as `from "3"`.
  const importing = /(?:\bfrom|\bimport)\s*\(?\s*"(\d+)"/g;
  for (const match of code.matchAll(importing)) {
    const literal = strings[Number(match[1])];
    if (literal !== undefined) uses.push({ specifier: literal.text, line: lineAt(literal.offset) });
  }
  const timers = [
    ...code.matchAll(/(?<![\w$])(?:(globalThis\.)|(?<!\.))(set(?:Timeout|Interval|Immediate))\b/g),
  ];
  return {
    uses,
    timers: timers.map((match) => ({
      name: match[2] ?? '',
      line: code.slice(0, match.index).split('\n').length,
    })),
  };
}

interface Masked {
  readonly code: string;
  readonly strings: { readonly text: string; readonly offset: number }[];
}

/** Takes comments, texts and regular expressions out of the code; line breaks stay. */
function maskLiterals(source: string): Masked {
  const strings: Masked['strings'] = [];
  let code = '';
  let at = 0;
  /** Depth of braces inside each `${…}` that is open. */
  const substitutions: number[] = [];
  const lineBreaks = (text: string) => text.replace(/[^\n]/g, '');

  const takeTo = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    const end = match === null ? source.length : match.index + match[0].length;
    const text = source.slice(at, end);
    at = end;
    return text;
  };

  while (at < source.length) {
    const char = source[at] as string;
    const pair = source.slice(at, at + 2);
    const inSubstitution = substitutions.length > 0;
    if (pair === '//') {
      takeTo(/[^\n]*/y);
    } else if (pair === '/*') {
      code += lineBreaks(takeTo(/\*\//g));
    } else if (char === "'" || char === '"') {
      const offset = at;
      const text = takeTo(char === "'" ? /'(?:[^'\\\n]|\\.)*'/y : /"(?:[^"\\\n]|\\.)*"/y);
      code += `"${strings.length}"`;
      strings.push({ text: text.slice(1, -1), offset });
    } else if (char === '`' || (char === '}' && inSubstitution && substitutions.at(-1) === 0)) {
      if (char === '}') substitutions.pop();
      at += 1;
      const text = takeTo(/(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{)/y);
      code += `""${lineBreaks(text)}`;
      if (text.endsWith('${')) substitutions.push(0);
    } else if (char === '/' && /(?:^|[(,=:[!&|?{};+*%<>~^-]|\breturn)\s*$/.test(code)) {
      takeTo(/\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//y);
      code += '""';
    } else {
      if (inSubstitution && (char === '{' || char === '}')) {
        substitutions.push((substitutions.pop() ?? 0) + (char === '{' ? 1 : -1));
      }
      code += char;
      at += 1;
    }
  }
  return { code, strings };
}
