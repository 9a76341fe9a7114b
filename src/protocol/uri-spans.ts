import { stringAt } from './envelope.js';
import type { Span } from './message.js';
import type { ResultRule } from './result-rules.js';
import { elementSpans, memberSpans } from './walk.js';

/** The spans of all URIs (JSON strings with their quotes) that the rules find in a validated result, ascending. */
export function uriSpans(bytes: Buffer, result: Span, rules: readonly ResultRule[]): Span[] {
  const found: Span[] = [];
  for (const { each, type, uri } of rules) {
    for (const object of follow(bytes, [result], each)) {
      if (type !== undefined && typeOf(bytes, object) !== type) continue;
      for (const span of follow(bytes, [object], uri)) {
        if (stringAt(bytes, span) !== undefined) found.push(span);
      }
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

function follow(bytes: Buffer, from: readonly Span[], path: readonly string[]): readonly Span[] {
  return path.reduce<readonly Span[]>(
    (spans, key) =>
      spans.flatMap((span) => {
        if (key === '[]') return elementSpans(bytes, span);
        const value = memberSpans(bytes, span, [key])[key];
        return value === undefined ? [] : [value];
      }),
    from,
  );
}

function typeOf(bytes: Buffer, object: Span): string | undefined {
  const { type } = memberSpans(bytes, object, ['type']);
  return type && stringAt(bytes, type);
}
