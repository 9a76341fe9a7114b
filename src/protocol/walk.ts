import { stringEnd } from './json-tokens.js';
import type { Span } from './message.js';

const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const minus = 0x2d;
const zero = 0x30;
const nine = 0x39;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'literal';

// These functions look around in JSON that `readMessage` has validated, which is why they know no errors: a span
// that is not exactly one value of such a text gives nonsense, or never ends.

/** What kind of value stands there; `literal` is true, false or null. */
export function kindAt(bytes: Uint8Array, span: Span): JsonKind {
  const first = bytes[span.start] ?? 0;
  if (first === openBrace) return 'object';
  if (first === openBracket) return 'array';
  if (first === quote) return 'string';
  return first === minus || (first >= zero && first <= nine) ? 'number' : 'literal';
}

/** Where the elements of an array stand; empty for an empty array and for a value that is no array. */
export function elementSpans(bytes: Buffer, arraySpan: Span): Span[] {
  const elements: Span[] = [];
  if (bytes[arraySpan.start] !== openBracket) return elements;
  let at = spaceEnd(bytes, arraySpan.start + 1);
  while (bytes[at] !== closeBracket) {
    const end = valueEnd(bytes, at);
    elements.push({ start: at, end });
    at = spaceEnd(bytes, end);
    if (bytes[at] === comma) at = spaceEnd(bytes, at + 1);
  }
  return elements;
}

/**
 * Where the values of some members of an object stand; all undefined for a value that is no object. Of a key
 * that occurs more than once the last value counts, as with `JSON.parse`; keys written with escapes count as
 * the keys they spell. The keys asked for are ASCII.
 */
export function memberSpans<K extends string>(
  bytes: Buffer,
  objectSpan: Span,
  keys: readonly K[],
): Record<K, Span | undefined> {
  const found = Object.fromEntries(keys.map((key) => [key, undefined])) as Record<K, Span | undefined>;
  if (bytes[objectSpan.start] !== openBrace) return found;
  let at = spaceEnd(bytes, objectSpan.start + 1);
  while (bytes[at] !== closeBrace) {
    const keyEnd = stringEnd(bytes, at);
    const key = keyAmong(keys, bytes, at, keyEnd);
    const start = spaceEnd(bytes, spaceEnd(bytes, keyEnd) + 1);
    const end = valueEnd(bytes, start);
    if (key !== undefined) found[key] = { start, end };
    at = spaceEnd(bytes, end);
    if (bytes[at] === comma) at = spaceEnd(bytes, at + 1);
  }
  return found;
}

/** A member of an object: its key decoded, and where it stands, from the key's quote to the value's end. */
export interface Entry {
  readonly key: string;
  readonly start: number;
  readonly value: Span;
}

/** The members of an object in their order; empty for a value that is no object. */
export function entrySpans(bytes: Buffer, objectSpan: Span): Entry[] {
  const entries: Entry[] = [];
  if (bytes[objectSpan.start] !== openBrace) return entries;
  let at = spaceEnd(bytes, objectSpan.start + 1);
  while (bytes[at] !== closeBrace) {
    const keyEnd = stringEnd(bytes, at);
    const key: string = JSON.parse(bytes.toString('utf8', at, keyEnd));
    const start = spaceEnd(bytes, spaceEnd(bytes, keyEnd) + 1);
    const end = valueEnd(bytes, start);
    entries.push({ key, start: at, value: { start, end } });
    at = spaceEnd(bytes, end);
    if (bytes[at] === comma) at = spaceEnd(bytes, at + 1);
  }
  return entries;
}

/** Behind the value that begins at `at`. */
function valueEnd(bytes: Uint8Array, at: number): number {
  if (bytes[at] === quote) return stringEnd(bytes, at);
  let next = at;
  if (bytes[at] !== openBrace && bytes[at] !== openBracket) {
    while (!endsScalar(bytes[next] ?? comma)) next++;
    return next;
  }
  let depth = 0;
  do {
    const code = bytes[next];
    if (code === quote) {
      next = stringEnd(bytes, next);
    } else {
      if (code === openBrace || code === openBracket) depth++;
      else if (code === closeBrace || code === closeBracket) depth--;
      next++;
    }
  } while (depth > 0);
  return next;
}

function endsScalar(code: number): boolean {
  return code <= space || code === comma || code === closeBracket || code === closeBrace;
}

function spaceEnd(bytes: Uint8Array, at: number): number {
  let next = at;
  while (isSpace(bytes[next])) next++;
  return next;
}

function isSpace(code: number | undefined): boolean {
  return code === space || code === lineFeed || code === carriageReturn || code === tab;
}

/** Which of `keys` the JSON string from `start` to `end` (with its quotes) spells. */
function keyAmong<K extends string>(
  keys: readonly K[],
  bytes: Buffer,
  start: number,
  end: number,
): K | undefined {
  for (const key of keys) {
    if (key.length === end - start - 2 && spells(bytes, start + 1, key)) return key;
  }
  for (let i = start + 1; i < end - 1; i++) {
    if (bytes[i] === backslash) {
      const decoded: unknown = JSON.parse(bytes.toString('utf8', start, end));
      return keys.find((key) => key === decoded);
    }
  }
  return undefined;
}

function spells(bytes: Uint8Array, start: number, key: string): boolean {
  for (let i = 0; i < key.length; i++) {
    if (bytes[start + i] !== key.charCodeAt(i)) return false;
  }
  return true;
}
