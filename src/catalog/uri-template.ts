/** An expression, and the literal text behind it up to the next one. */
interface Part {
  /** Characters that end what the expression expands to. */
  readonly none: string;
  readonly literal: string;
}

/** Characters that end what an expression expands to, by its operator. [RFC 6570 § 3.2] */
const endedBy: Readonly<Record<string, string>> = {
  '': '/?#',
  '+': '',
  '#': '',
  '.': '/?#',
  '/': '?#',
  ';': '/?#',
  '?': '#',
  '&': '#',
};

/**
 * A template with more expressions matches only itself, and a longer URI matches none: matching takes time in
 * proportion to both, templates come from backends and URIs from clients, and neither may hold up the gateway.
 */
const maxExpressions = 32;
const maxUriLength = 65_536;
/** What it costs to see that a template does not begin as a URI does. */
const lookSteps = 8;

/** Recognises the URIs that a URI template can have been expanded to. [RFC 6570] */
export class UriTemplate {
  readonly #start: string;
  readonly #parts: readonly Part[];

  /** What does not follow the grammar in a template stands for itself, letter by letter. */
  constructor(template: string) {
    const expressions = [...template.matchAll(/\{([+#./;?&]?)[^{}]+\}/g)];
    if (expressions.length > maxExpressions) expressions.length = 0;
    const literal = (index: number) => {
      const before = expressions[index - 1];
      const from = before === undefined ? 0 : before.index + before[0].length;
      return template.slice(from, expressions[index]?.index);
    };
    this.#start = literal(0);
    this.#parts = joined(
      expressions.map(([, operator = ''], index) => ({
        none: endedBy[operator] ?? '',
        literal: literal(index + 1),
      })),
    );
  }

  /** What `matches` costs at most, in steps of about 20 ns. */
  cost(uri: string): number {
    const isLooked = uri.startsWith(this.#start) && uri.length <= maxUriLength;
    return isLooked ? lookSteps + uri.length * this.#parts.length : lookSteps;
  }

  matches(uri: string): boolean {
    if (!uri.startsWith(this.#start) || uri.length > maxUriLength) return false;
    // Where the text matched so far can end, in ascending order.
    let ends: readonly number[] = [this.#start.length];
    for (const part of this.#parts) {
      const isLast = part === this.#parts.at(-1);
      ends = isLast ? lastEnds(uri, ends, part) : endsAfter(uri, ends, part);
    }
    return ends.includes(uri.length);
  }
}

/**
 * Expressions that follow one another without text between them can be expanded to what the least bounded of
 * them can: each may be empty, and of any two operators one allows all that the other does.
 */
function joined(parts: readonly Part[]): Part[] {
  const found: Part[] = [];
  for (const part of parts) {
    const before = found.at(-1);
    if (before?.literal !== '') found.push(part);
    else found[found.length - 1] = { ...part, none: shorter(before.none, part.none) };
  }
  return found;
}

function shorter(one: string, other: string): string {
  return one.length < other.length ? one : other;
}

/** Where an expression and its literal can end that begin at one of `starts`. */
function endsAfter(uri: string, starts: readonly number[], { none, literal }: Part): number[] {
  const ends: number[] = [];
  let stop = -1;
  let hit = -1;
  for (const start of starts) {
    // A start within the reach of an earlier one has the same reach, and all its ends are found already.
    if (start <= stop) continue;
    stop = reach(uri, start, none);
    if (hit < start) hit = uri.indexOf(literal, start);
    for (; hit !== -1 && hit <= stop; hit = uri.indexOf(literal, hit + 1)) ends.push(hit + literal.length);
    if (hit === -1) break;
  }
  return ends;
}

/** The same for the last part, which has to end where the URI does. */
function lastEnds(uri: string, starts: readonly number[], { none, literal }: Part): number[] {
  const from = uri.length - literal.length;
  const isReached = starts.some((start, index) => {
    const next = starts[index + 1];
    return start <= from && (next === undefined || next > from) && reach(uri, start, none) >= from;
  });
  return isReached && uri.endsWith(literal) ? [uri.length] : [];
}

/** The last place up to which an expression that begins at `start` can expand. */
function reach(uri: string, start: number, none: string): number {
  let at = start;
  while (at < uri.length && !none.includes(uri.charAt(at))) at += 1;
  return at;
}
