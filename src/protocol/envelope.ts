import type { FieldName } from './fields.js';
import { JsonScan } from './json-scan.js';
import { untracked } from './key-trie.js';
import type {
  Fields,
  Malformed,
  Message,
  NotificationMessage,
  RequestMessage,
  ResponseMessage,
  Span,
} from './message.js';
import { fieldAtNode, knownMethod, member, messageKeys } from './message-keys.js';
import { elementSpans, kindAt } from './walk.js';

const quote = 0x22;
const point = 0x2e;
const zero = 0x30;
const two = 0x32;
const lowerN = 0x6e;

/** Values up to this many bytes are shown in a reason; longer ones are named by their kind. */
const shownBytes = 40;

const noFields = Object.fromEntries(
  fieldAtNode.filter((name) => name !== undefined).map((name) => [name, undefined]),
) as Fields;

/** Scratch space for one message at a time: reading never waits, and no message is kept here. */
const scan = new JsonScan(messageKeys);

export interface ReadOptions {
  /** Deepest nesting to accept, in levels; `Infinity` for none. The whole text is read in any case. */
  readonly maxDepth: number;
}

/**
 * Reads the envelope of one message, which has to be valid UTF-8, and validates all of it as JSON. Never throws.
 *
 * A text with an id but neither method, result nor error counts as an answer (`invalid`), so that a call which
 * waits for it can be ended; with `params` it is a request that lacks its method, and malformed.
 * [JSON-RPC 2.0 §§ 4, 5, 6]
 */
export function readMessage(bytes: Buffer, { maxDepth }: ReadOptions): Message | Malformed {
  const fault = scan.run(bytes);
  if (fault >= 0) return notJson(bytes, fault);
  const kind = kindAt(bytes, scan.value);
  if (kind !== 'object' && kind !== 'array') {
    return malformed(bytes, `a message must be a JSON object; got ${shown(bytes, scan.value)}`);
  }
  if (scan.depth > maxDepth) {
    return malformed(bytes, `the message is nested ${scan.depth} levels deep; the limit is ${maxDepth}`);
  }
  if (kind === 'array') return { kind: 'batch', bytes, elements: elementSpans(bytes, scan.value) };
  if (scan.firstRepeated !== untracked) {
    return malformed(bytes, `"${messageKeys.labels[scan.firstRepeated]}" occurs twice`);
  }
  const version = scan.span(member.jsonrpc);
  if (!spellsVersion(bytes, version)) {
    return malformed(bytes, `"jsonrpc" must be "2.0"; ${got(bytes, version)}`);
  }
  return scan.has(member.method) ? readIncoming(bytes) : readResponse(bytes);
}

function readIncoming(bytes: Buffer): RequestMessage | NotificationMessage | Malformed {
  const methodSpan = scan.span(member.method);
  const method = methodSpan && (knownMethod(bytes, methodSpan) ?? stringAt(bytes, methodSpan));
  if (method === undefined) return malformed(bytes, `"method" must be a string; ${got(bytes, methodSpan)}`);
  if (scan.has(member.result) || scan.has(member.error)) {
    return malformed(bytes, 'a message with a method must have neither "result" nor "error"');
  }
  const id = scan.span(member.id);
  if (id !== undefined && !isUsableId(bytes, id)) {
    return malformed(bytes, `"id" must be a string or a number; ${got(bytes, id)}`);
  }
  const params = scan.span(member.params);
  if (params !== undefined && kindAt(bytes, params) !== 'object') {
    return malformed(bytes, `"params" must be an object; ${got(bytes, params)}`);
  }
  const fields = fieldsFound();
  const { multiline } = scan;
  return id === undefined
    ? { kind: 'notification', bytes, method, params, fields, multiline }
    : { kind: 'request', bytes, id, method, params, fields, multiline };
}

function readResponse(bytes: Buffer): ResponseMessage | Malformed {
  const result = scan.span(member.result);
  const error = scan.span(member.error);
  const idSpan = scan.span(member.id);
  const id = idSpan !== undefined && isUsableId(bytes, idSpan) ? idSpan : undefined;
  if (result === undefined && error === undefined && (id === undefined || scan.has(member.params))) {
    return malformed(bytes, 'a message must have "method", "result" or "error"');
  }
  if (id === undefined) {
    // Only an error can answer a message whose id could not be read. [JSON-RPC 2.0 § 5]
    const withoutId = idSpan === undefined || isNull(bytes, idSpan);
    if (!withoutId || result !== undefined) {
      return malformed(bytes, `the "id" of an answer must be a string or a number; ${got(bytes, idSpan)}`);
    }
  }
  const { multiline } = scan;
  const value = result ?? error;
  const both = result !== undefined && error !== undefined;
  // A strict client takes anything but an object for no message at all, and waits on.
  if (value === undefined || both || kindAt(bytes, value) !== 'object') {
    return { kind: 'response', bytes, id, outcome: 'invalid', value, multiline };
  }
  const outcome = value === result ? 'result' : 'error';
  return { kind: 'response', bytes, id, outcome, value, multiline };
}

/** The exact text of the JSON value at `span`, which has to be short: an id or a progress token. */
export function idText(bytes: Buffer, span: Span): string {
  const integer = smallInteger(bytes, span);
  return integer === undefined ? bytes.toString('utf8', span.start, span.end) : String(integer);
}

/**
 * A form of an id's JSON text under which ids that mean the same are equal: strings by the text they spell,
 * integers up to 2^53 by their value as `JSON.parse` reads it, other numbers by their exact text. A string never
 * equals a number.
 */
export function idKey(text: string): string {
  if (text.startsWith('"')) return text.includes('\\') ? `"${JSON.parse(text)}"` : text;
  const value = Number(text);
  return Number.isSafeInteger(value) ? String(value) : text;
}

/** The value of a number that is written with plain digits and at most 2^53 - 1; undefined for anything else. */
export function smallInteger(bytes: Buffer, { start, end }: Span): number | undefined {
  // No integer up to 2^53 - 1 has more than 16 digits.
  if (end - start > 16) return undefined;
  let value = 0;
  for (let at = start; at < end; at++) {
    const digit = (bytes[at] ?? 0) - zero;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
  }
  return value <= Number.MAX_SAFE_INTEGER ? value : undefined;
}

/** The text that the JSON string at `span` (with its quotes) spells; undefined for another kind of value. */
export function stringAt(bytes: Buffer, { start, end }: Span): string | undefined {
  if (bytes[start] !== quote) return undefined;
  const text = bytes.toString('utf8', start + 1, end - 1);
  return text.includes('\\') ? JSON.parse(`"${text}"`) : text;
}

function fieldsFound(): Fields {
  const fields: { -readonly [Name in FieldName]: Span | undefined } = { ...noFields };
  for (let i = 0; i < scan.metCount; i++) {
    const node = scan.met[i] ?? untracked;
    const name = fieldAtNode[node];
    if (name !== undefined) fields[name] = scan.span(node);
  }
  return fields;
}

function spellsVersion(bytes: Buffer, version: Span | undefined): boolean {
  if (version === undefined) return false;
  const { start, end } = version;
  const plain =
    end - start === 5 &&
    bytes[start] === quote &&
    bytes[start + 1] === two &&
    bytes[start + 2] === point &&
    bytes[start + 3] === zero;
  return plain || stringAt(bytes, version) === '2.0';
}

function isUsableId(bytes: Buffer, id: Span): boolean {
  const kind = kindAt(bytes, id);
  return kind === 'string' || kind === 'number';
}

function isNull(bytes: Buffer, span: Span): boolean {
  return bytes[span.start] === lowerN;
}

function notJson(bytes: Buffer, at: number): Malformed {
  const code = bytes[at];
  const problem =
    code === undefined
      ? `it ends too early, after ${at} bytes`
      : `unexpected ${byteName(code)} at byte ${at}`;
  return {
    kind: 'malformed',
    code: -32700,
    reason: `not valid JSON: ${problem}`,
    idText: undefined,
    response: false,
  };
}

function byteName(code: number): string {
  const visible = code > 0x20 && code < 0x7f;
  return visible ? `"${String.fromCharCode(code)}"` : `byte 0x${code.toString(16).padStart(2, '0')}`;
}

/** A valid JSON text that is no message; its id and whether it is an answer come from the last scan. */
function malformed(bytes: Buffer, reason: string): Malformed {
  const id = scan.isRepeated(member.id) ? undefined : scan.span(member.id);
  return {
    kind: 'malformed',
    code: -32600,
    reason,
    idText: id !== undefined && isUsableId(bytes, id) ? idText(bytes, id) : undefined,
    response: !scan.has(member.method) && (scan.has(member.result) || scan.has(member.error)),
  };
}

function got(bytes: Buffer, span: Span | undefined): string {
  return span === undefined ? 'it is missing' : `got ${shown(bytes, span)}`;
}

function shown(bytes: Buffer, span: Span): string {
  const kind = kindAt(bytes, span);
  if (kind === 'object' || kind === 'array') return `an ${kind}`;
  return span.end - span.start > shownBytes ? `a long ${kind}` : bytes.toString('utf8', span.start, span.end);
}
