import { stringAt } from './envelope.js';
import { type Entry, type ListKind, lists } from './listing.js';
import type { ResponseMessage, Span } from './message.js';
import { elementSpans, kindAt, memberSpans } from './walk.js';

/** What one answer to a list method holds. */
export interface ListingPage {
  readonly entries: readonly Entry[];
  /** Asks for the next page; `undefined` when this was the last one. The empty string is a cursor. */
  readonly nextCursor: string | undefined;
  /** What could not be used, and why. */
  readonly warnings: readonly string[];
}

/** Skipped entries named one by one; a page of nothing but junk must not fill the log. */
const maxNamed = 20;

/**
 * Reads one page of a list. Every entry keeps its exact text, unknown members included; no schema in it is
 * looked at. An entry that is no object, or whose name or URI is not a string or empty, is skipped with a
 * warning; a list that is no array counts as an empty one, a cursor that is no string as none. Of an
 * identifier that occurs twice the last counts, as with `JSON.parse`.
 *
 * The entries share one copy of the list's text, so that they do not keep the answer, or the chunk in which it
 * arrived, in memory.
 */
export function readPage(kind: ListKind, response: ResponseMessage): ListingPage {
  const { bytes, outcome, value } = response;
  const { method } = lists[kind];
  if (outcome !== 'result' || value === undefined || kindAt(bytes, value) !== 'object') {
    return {
      entries: [],
      nextCursor: undefined,
      warnings: [`${method} was answered without a result object`],
    };
  }
  const members = memberSpans(bytes, value, [kind, 'nextCursor']);
  const list = readList(kind, bytes, members[kind]);
  const cursor = readCursor(method, bytes, members.nextCursor);
  return {
    entries: list.entries,
    nextCursor: cursor.nextCursor,
    warnings: [...list.warnings, ...cursor.warnings],
  };
}

function readList(
  kind: ListKind,
  bytes: Buffer,
  span: Span | undefined,
): Pick<ListingPage, 'entries' | 'warnings'> {
  const { method, identifier: key } = lists[kind];
  if (span === undefined || kindAt(bytes, span) !== 'array') {
    const found = span === undefined ? 'missing' : kindOf(bytes, span);
    return { entries: [], warnings: [`${method}: "${kind}" is ${found}, expected an array`] };
  }
  const text = Buffer.from(bytes.subarray(span.start, span.end));
  const entries: Entry[] = [];
  const skipped: string[] = [];
  elementSpans(text, { start: 0, end: text.length }).forEach((element, index) => {
    const entry = readEntry(text.subarray(element.start, element.end), key);
    if (typeof entry === 'string') skipped.push(`${method}: skipped ${kind}[${index}]: ${entry}`);
    else entries.push(entry);
  });
  if (skipped.length <= maxNamed) return { entries, warnings: skipped };
  const more = `${method}: skipped ${skipped.length - maxNamed} more entries`;
  return { entries, warnings: [...skipped.slice(0, maxNamed), more] };
}

/** The entry, or why it cannot be used. */
function readEntry(text: Buffer, key: string): Entry | string {
  const whole = { start: 0, end: text.length };
  if (kindAt(text, whole) !== 'object') return `it is ${kindOf(text, whole)}, expected an object`;
  const span = memberSpans(text, whole, [key])[key];
  if (span === undefined) return `it has no "${key}"`;
  const identifier = stringAt(text, span);
  if (identifier === undefined) return `its "${key}" is ${kindOf(text, span)}, expected a string`;
  if (identifier === '') return `its "${key}" is empty`;
  return { text, identifier, identifierSpan: span };
}

function readCursor(
  method: string,
  bytes: Buffer,
  span: Span | undefined,
): Pick<ListingPage, 'nextCursor' | 'warnings'> {
  if (span === undefined) return { nextCursor: undefined, warnings: [] };
  const nextCursor = stringAt(bytes, span);
  if (nextCursor !== undefined) return { nextCursor, warnings: [] };
  const found = kindOf(bytes, span);
  return {
    nextCursor,
    warnings: [`${method}: "nextCursor" is ${found}, expected a string; the list ends here`],
  };
}

/** `null`, `true` and `false` as they stand, anything else by its kind with an article. */
function kindOf(bytes: Buffer, span: Span): string {
  const kind = kindAt(bytes, span);
  if (kind === 'literal') return bytes.toString('latin1', span.start, span.end);
  return kind === 'array' || kind === 'object' ? `an ${kind}` : `a ${kind}`;
}
