import { printable } from './printable.js';

/** Enough to recognise a banner or a stray print, for the status. */
const maxKept = 5;
const maxKeptLength = 200;

/** Bytes of a line that are decoded: more than `maxKeptLength` characters can take. */
const maxDecodedBytes = maxKeptLength * 4;

/** Counts what a backend printed to stdout that is no message, and keeps the first few lines. */
export class Noise {
  #count = 0;
  #multilineJson = false;
  readonly #first: string[] = [];

  /** @returns the line as it may be shown. */
  add(line: Buffer): string {
    const shown = printable(line.subarray(0, maxDecodedBytes).toString().trim(), maxKeptLength);
    this.#count += 1;
    if (this.#first.length < maxKept) this.#first.push(shown);
    if (shown === '{') this.#multilineJson = true;
    return shown;
  }

  get count(): number {
    return this.#count;
  }

  /** The first lines, cut and with control characters escaped. */
  get first(): readonly string[] {
    return this.#first;
  }

  /** What is to be mended: a line held nothing but an opening brace, most likely of an indented answer. */
  get advice(): string | undefined {
    return this.#multilineJson
      ? 'prints JSON over several lines on stdout, where a message must be one line'
      : undefined;
  }
}
