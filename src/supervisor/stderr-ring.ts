import { printable } from './printable.js';

/** How much of a process's stderr is kept: a screen or two of stack traces, and no more however much it writes. */
const defaultCapacityBytes = 64 * 1024;

const lineFeed = 0x0a;

/** The last bytes that a process wrote to stderr. Its memory is fixed, whether lines end or not. */
export class StderrRing {
  readonly #capacityBytes: number;
  #bytes: Buffer | undefined;
  #end = 0;
  #filled = 0;

  constructor(capacityBytes = defaultCapacityBytes) {
    this.#capacityBytes = capacityBytes;
  }

  push(chunk: Buffer): void {
    const capacity = this.#capacityBytes;
    this.#bytes ??= Buffer.alloc(capacity);
    const kept = chunk.subarray(Math.max(0, chunk.length - capacity));
    const untilWrap = Math.min(kept.length, capacity - this.#end);
    kept.copy(this.#bytes, this.#end, 0, untilWrap);
    kept.copy(this.#bytes, 0, untilWrap);
    this.#end = (this.#end + kept.length) % capacity;
    this.#filled = Math.min(capacity, this.#filled + kept.length);
  }

  /**
   * The last lines, at most `maxBytes` of them, with control characters escaped. A line that was cut at its
   * start is left out, unless nothing else is there.
   */
  tail(maxBytes: number): string {
    const bytes = this.#last(Math.min(maxBytes, this.#filled));
    const whole = bytes.length === this.#filled && this.#filled < this.#capacityBytes;
    const firstBreak = bytes.indexOf(lineFeed);
    const cutLine = !whole && firstBreak !== -1 && firstBreak < bytes.length - 1;
    const text = bytes.subarray(cutLine ? firstBreak + 1 : 0).toString();
    return text
      .split('\n')
      .map((line) => printable(line.trimEnd(), maxBytes))
      .join('\n')
      .trimEnd();
  }

  #last(count: number): Buffer {
    if (this.#bytes === undefined) return Buffer.alloc(0);
    const start = this.#end - count;
    if (start >= 0) return this.#bytes.subarray(start, this.#end);
    return Buffer.concat([
      this.#bytes.subarray(this.#capacityBytes + start),
      this.#bytes.subarray(0, this.#end),
    ]);
  }
}
