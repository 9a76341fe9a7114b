import type { Writable } from 'node:stream';

/**
 * Up to this size the messages of one turn are copied together: one piece is cheaper for the stream than
 * many, and the copy costs a few microseconds. Above, the pieces go out as they are.
 */
const maxCopiedBytes = 64 * 1024;

/** A process's stdin: everything written in one turn of the event loop leaves in one write. */
export class InputWriter {
  readonly #stream: Writable;
  #gathered: Buffer[] = [];
  #gatheredBytes = 0;

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  /** Bytes that the process has not taken yet. */
  get unwrittenBytes(): number {
    return this.#stream.writableLength + this.#gatheredBytes;
  }

  /** Takes the pieces of one message. After `end`, or when the pipe is broken, they are dropped. */
  write(pieces: readonly Buffer[]): void {
    if (!this.#stream.writable) return;
    if (this.#gathered.length === 0) setImmediate(this.#flush);
    for (const piece of pieces) {
      this.#gathered.push(piece);
      this.#gatheredBytes += piece.length;
    }
  }

  /** Writes what was gathered, then closes the pipe. */
  end(): void {
    this.#flush();
    this.#stream.end();
  }

  readonly #flush = (): void => {
    const pieces = this.#gathered;
    const bytes = this.#gatheredBytes;
    this.#gathered = [];
    this.#gatheredBytes = 0;
    if (pieces.length === 0 || !this.#stream.writable) return;
    if (bytes <= maxCopiedBytes) {
      this.#stream.write(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces, bytes));
      return;
    }
    this.#stream.cork();
    for (const piece of pieces) this.#stream.write(piece);
    this.#stream.uncork();
  };
}
