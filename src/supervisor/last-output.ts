import { printable } from './printable.js';

/** Enough for one question or progress line. */
const maxKeptBytes = 400;
const maxShownLength = 200;

/**
 * The last thing that a starting process printed, whichever pipe it used and whether or not it ended the
 * line: a package runner that waits for a `y` can be seen waiting.
 */
export class LastOutput {
  #bytes: Buffer | undefined;

  push(chunk: Buffer): void {
    this.#bytes = Buffer.from(chunk.subarray(Math.max(0, chunk.length - maxKeptBytes)));
  }

  /** The last line that is not blank, safe to show; `undefined` when nothing was printed. */
  get line(): string | undefined {
    const lines = this.#bytes?.toString().split('\n') ?? [];
    const last = lines.findLast((line) => line.trim() !== '');
    return last === undefined ? undefined : printable(last.trim(), maxShownLength);
  }
}
