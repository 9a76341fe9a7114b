/**
 * From this many pieces on, those below `smallBytes` are copied together as they come: a `Buffer` of one byte takes
 * a few hundred in memory, so a writer of single bytes could otherwise make a line cost that many times its length.
 */
const manyPieces = 64;
const smallBytes = 1024;
const blockBytes = 16 * 1024;

/** Bytes that arrive in pieces, to be joined once. However small the pieces, memory stays near their total. */
export class PieceList {
  #pieces: Buffer[] = [];
  /** Holds the latest small pieces, `#used` bytes of it; not yet among `#pieces`. */
  #block: Buffer | undefined;
  #used = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** May keep `piece` itself: it must not change afterwards. */
  push(piece: Buffer): void {
    this.#length += piece.length;
    if (piece.length >= smallBytes || this.#pieces.length < manyPieces) {
      this.#closeBlock();
      this.#pieces.push(piece);
      return;
    }
    if (this.#used + piece.length > blockBytes) this.#closeBlock();
    this.#block ??= Buffer.allocUnsafeSlow(blockBytes);
    this.#used += piece.copy(this.#block, this.#used);
  }

  /** All bytes as one buffer; the list is empty afterwards. */
  take(): Buffer {
    this.#closeBlock();
    const [first] = this.#pieces;
    const bytes =
      first !== undefined && this.#pieces.length === 1 ? first : Buffer.concat(this.#pieces, this.#length);
    this.#pieces = [];
    this.#length = 0;
    return bytes;
  }

  #closeBlock(): void {
    if (this.#block === undefined) return;
    this.#pieces.push(this.#block.subarray(0, this.#used));
    this.#block = undefined;
    this.#used = 0;
  }
}
