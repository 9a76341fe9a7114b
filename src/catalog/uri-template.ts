/**
 * One step of a template: a character as it is, or any run of characters that an expression can expand to.
 * Steps are walked side by side, so that matching takes time in proportion to the URI's and the template's
 * lengths alone: templates come from backends and URIs from clients, and neither may hold up the gateway.
 */
type Step = { readonly literal: string } | { readonly none: string };

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

/** Recognises the URIs that a URI template can have been expanded to. [RFC 6570] */
export class UriTemplate {
  readonly #steps: readonly Step[];

  /** A template that does not follow the grammar matches only itself, letter by letter. */
  constructor(template: string) {
    this.#steps = stepsOf(template);
  }

  matches(uri: string): boolean {
    let places = this.#reach([0]);
    for (const character of uri) {
      const next = new Set<number>();
      for (const place of places) {
        const step = this.#steps[place];
        if (step === undefined) continue;
        if ('none' in step) {
          if (!step.none.includes(character)) next.add(place);
        } else if (step.literal === character) next.add(place + 1);
      }
      if (next.size === 0) return false;
      places = this.#reach(next);
    }
    return places.has(this.#steps.length);
  }

  /** An expression may expand to nothing, so that the step behind it is reached as well. */
  #reach(places: Iterable<number>): Set<number> {
    const reached = new Set<number>();
    for (let place of places) {
      reached.add(place);
      for (let step = this.#steps[place]; step !== undefined && 'none' in step; step = this.#steps[place]) {
        place += 1;
        reached.add(place);
      }
    }
    return reached;
  }
}

function stepsOf(template: string): readonly Step[] {
  const steps: Step[] = [];
  const expression = /\{([+#./;?&]?)[^{}]+\}/y;
  for (let at = 0; at < template.length; ) {
    expression.lastIndex = at;
    const found = expression.exec(template);
    if (found === null) {
      const literal = String.fromCodePoint(template.codePointAt(at) ?? 0);
      steps.push({ literal });
      at += literal.length;
    } else {
      steps.push({ none: endedBy[found[1] ?? ''] ?? '' });
      at += found[0].length;
    }
  }
  return steps;
}
