import { isUtf8 } from 'node:buffer';
import { PieceList } from './piece-list.js';
import { Utf8Check } from './utf8-check.js';

const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;

/** What stays of an oversize line: its first and last bytes, where a JSON-RPC answer has its id. */
const headBytes = 4096;
const tailBytes = 256;

/** A line that was dropped because of its length. */
export interface OversizeLine {
  /** Its first 4 KiB. */
  readonly head: Buffer;
  /** Its last 256 bytes. */
  readonly tail: Buffer;
  /** All of its bytes, without the line feed. */
  readonly length: number;
}

const nothing: OversizeLine = { head: Buffer.alloc(0), tail: Buffer.alloc(0), length: 0 };

export interface LineSplitterOptions {
  /** Longest line to deliver, in bytes without its line feed. Longer ones are dropped as they grow. */
  readonly maxLineBytes: number;
  /**
   * Takes one line, without line end and byte order mark. It may be a view of the chunk it came in: whoever keeps
   * a part of it for long copies that part. It is never blank.
   */
  onLine(line: Buffer, validUtf8: boolean): void;
  /** Told once for each line that was too long, when it ends. */
  onOversize(line: OversizeLine): void;
}

/**
 * Splits a byte stream into lines at line feeds alone, before any decoding: U+2028 and a lone carriage return are
 * ordinary characters. What it delivers does not depend on how the stream was cut into chunks. Each byte is
 * looked at once and copied at most once. [MCP 2025-11-25 transports § stdio]
 */
export class LineSplitter {
  readonly #options: LineSplitterOptions;
  readonly #utf8 = new Utf8Check();
  /** The line that has not ended yet. */
  readonly #line = new PieceList();
  /** What is known of that line once it is too long; then `#line` is empty. */
  #oversize: OversizeLine | undefined;

  constructor(options: LineSplitterOptions) {
    this.#options = options;
  }

  /** Takes the next chunk and keeps it; the caller must not write into it afterwards. */
  push(chunk: Buffer): void {
    const first = chunk.indexOf(lineFeed);
    if (first < 0) {
      this.#grow(chunk);
      return;
    }
    let start = 0;
    if (this.#isOpen()) {
      this.#grow(chunk.subarray(0, first));
      this.#finish();
      start = first + 1;
    }
    const linesEnd = chunk.lastIndexOf(lineFeed) + 1;
    if (start < linesEnd) this.#splitLines(chunk.subarray(start, linesEnd));
    if (linesEnd < chunk.length) this.#grow(chunk.subarray(linesEnd));
  }

  /** The stream is over: a last line without a line feed is delivered. */
  end(): void {
    if (this.#isOpen()) this.#finish();
  }

  /** `lines` are whole, each with its line feed. One check of them all is much cheaper than one for each. */
  #splitLines(lines: Buffer): void {
    const allValid = isUtf8(lines);
    for (let start = 0; start < lines.length; ) {
      const end = lines.indexOf(lineFeed, start);
      const line = lines.subarray(start, end);
      if (line.length > this.#options.maxLineBytes) this.#options.onOversize(grown(nothing, line));
      else this.#deliver(line, allValid || isUtf8(line));
      start = end + 1;
    }
  }

  #isOpen(): boolean {
    return this.#line.length > 0 || this.#oversize !== undefined;
  }

  #grow(piece: Buffer): void {
    if (this.#oversize !== undefined) {
      this.#oversize = grown(this.#oversize, piece);
    } else if (this.#line.length + piece.length > this.#options.maxLineBytes) {
      this.#oversize = grown(grown(nothing, this.#line.take()), piece);
      this.#utf8.end();
    } else {
      this.#line.push(piece);
      this.#utf8.push(piece);
    }
  }

  #finish(): void {
    const oversize = this.#oversize;
    this.#oversize = undefined;
    if (oversize !== undefined) this.#options.onOversize(oversize);
    else this.#deliver(this.#line.take(), this.#utf8.end());
  }

  #deliver(line: Buffer, validUtf8: boolean): void {
    const bare = withoutEnds(line);
    if (!isBlank(bare)) this.#options.onLine(bare, validUtf8);
  }
}

/** An oversize line with one more piece of it. Its ends are copies, so that the rest can go. */
function grown({ head, tail, length }: OversizeLine, piece: Buffer): OversizeLine {
  const missing = headBytes - head.length;
  return {
    head: missing > 0 ? Buffer.concat([head, piece.subarray(0, missing)]) : head,
    tail: Buffer.concat([tail, piece.subarray(-tailBytes)]).subarray(-tailBytes),
    length: length + piece.length,
  };
}

function withoutEnds(line: Buffer): Buffer {
  const start = line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf ? 3 : 0;
  const end = line.length > start && line[line.length - 1] === carriageReturn ? line.length - 1 : line.length;
  return start === 0 && end === line.length ? line : line.subarray(start, end);
}

function isBlank(line: Buffer): boolean {
  let at = 0;
  while (line[at] === space || line[at] === tab) at++;
  return at === line.length;
}

// The beginning and the end of an answer as servers and their libraries write them.
const version = /"jsonrpc"\s*:\s*"2\.0"\s*/.source;
const integerId = /"id"\s*:\s*(\d{1,16})\s*/.source;
const outcome = /"(?:result|error)"\s*:/.source;
const opening = /^(?:\xef\xbb\xbf)?\s*\{\s*/.source;
const idFirst = new RegExp(`${opening}(?:${version},\\s*)?${integerId},\\s*(?:${version},\\s*)?${outcome}`);
const outcomeFirst = new RegExp(`${opening}(?:${version},\\s*)?${outcome}`);
const idLast = new RegExp(`,\\s*${integerId}(?:,\\s*${version})?\\}\\s*$`);

/**
 * The id that a line answers which cannot be read as a whole (too long, or not UTF-8), judged by its first 4 KiB
 * and its last 256 bytes; longer arguments are cut to that. Undefined unless these look like a JSON-RPC answer
 * with an integer id which stands before the outcome or is the last member, perhaps but for `jsonrpc`: anywhere
 * else it could be part of the payload.
 */
export function recogniseAnswerId(head: Buffer, tail: Buffer): number | undefined {
  const beginning = head.toString('latin1', 0, headBytes);
  const ending = tail.subarray(-tailBytes).toString('latin1');
  const match = idFirst.exec(beginning) ?? (outcomeFirst.test(beginning) ? idLast.exec(ending) : null);
  const id = Number(match?.[1]);
  return Number.isSafeInteger(id) ? id : undefined;
}
