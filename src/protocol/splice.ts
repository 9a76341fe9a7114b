const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;

/**
 * Messages up to this size come out as one buffer, because one more piece to write costs as much as copying
 * them; larger ones keep their bytes where they are.
 */
const joinedBytes = 16 * 1024;

/** Ranges up to this size are copied byte by byte: a native copy needs a view first, which costs more. */
const shortRangeBytes = 128;

const lineEndPiece = Buffer.from('\n');

/** The bytes from `start` to `end` give way to `text`. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string | Buffer;
}

export interface SpliceOptions {
  /** Every raw line feed and carriage return becomes a space: in valid JSON they only stand between tokens. */
  readonly flatten?: boolean;
  /** A line feed is added at the end. */
  readonly lineEnd?: boolean;
}

/**
 * A message with some of its bytes replaced, as pieces to be written one after the other. `edits` are ascending
 * and do not overlap. `bytes` are never changed, but pieces may be views of them.
 */
export function splice(
  bytes: Buffer,
  edits: readonly Edit[],
  options: SpliceOptions = {},
): readonly Buffer[] {
  const { flatten = false, lineEnd = false } = options;
  if (!flatten && bytes.length > joinedBytes) return pieces(bytes, edits, lineEnd);
  return [joined(bytes, edits, flatten, lineEnd)];
}

function joined(bytes: Buffer, edits: readonly Edit[], flatten: boolean, lineEnd: boolean): Buffer {
  let length = bytes.length + (lineEnd ? 1 : 0);
  for (const { start, end, text } of edits) length += byteLength(text) - (end - start);
  const target = Buffer.allocUnsafe(length);
  let at = 0;
  let from = 0;
  for (const { start, end, text } of edits) {
    at = copyRange(bytes, from, start, target, at);
    at = write(text, target, at);
    from = end;
  }
  at = copyRange(bytes, from, bytes.length, target, at);
  if (flatten) replaceLineBreaks(target);
  if (lineEnd) target[at] = lineFeed;
  return target;
}

function pieces(bytes: Buffer, edits: readonly Edit[], lineEnd: boolean): Buffer[] {
  const list: Buffer[] = [];
  let from = 0;
  for (const { start, end, text } of edits) {
    if (start > from) list.push(bytes.subarray(from, start));
    list.push(typeof text === 'string' ? Buffer.from(text) : text);
    from = end;
  }
  if (from < bytes.length) list.push(bytes.subarray(from));
  if (lineEnd) list.push(lineEndPiece);
  return list;
}

function byteLength(text: string | Buffer): number {
  if (typeof text !== 'string') return text.length;
  return isShortAscii(text) ? text.length : Buffer.byteLength(text);
}

function write(text: string | Buffer, target: Buffer, at: number): number {
  if (typeof text !== 'string') return copyRange(text, 0, text.length, target, at);
  if (!isShortAscii(text)) return at + target.write(text, at);
  for (let i = 0; i < text.length; i++) target[at + i] = text.charCodeAt(i);
  return at + text.length;
}

/** Ids, tokens and names nearly always are. */
function isShortAscii(text: string): boolean {
  if (text.length > shortRangeBytes) return false;
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 0x7f) return false;
  }
  return true;
}

function copyRange(source: Buffer, start: number, end: number, target: Buffer, at: number): number {
  if (end - start > shortRangeBytes) return at + source.copy(target, at, start, end);
  for (let i = start; i < end; i++) target[at + i - start] = source[i] ?? 0;
  return at + end - start;
}

function replaceLineBreaks(line: Buffer): void {
  for (let i = 0; i < line.length; i++) {
    if (line[i] === lineFeed || line[i] === carriageReturn) line[i] = space;
  }
}
