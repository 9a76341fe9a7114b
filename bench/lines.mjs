/** A message whose head holds everything that the bench looks at; of longer ones the rest is only counted. */
export const HEAD_BYTES = 4096;

const NEWLINE = 0x0a;

/**
 * Splits a stream into lines. A line of up to `HEAD_BYTES` arrives whole as `head`; of a longer one `head` is
 * at least its first `HEAD_BYTES`, and the rest is counted without being kept, so that the reader costs little
 * beside what it measures.
 * @param {(head: Buffer, bytes: number) => void} onLine
 * @returns {(chunk: Buffer) => void}
 */
export function lineReader(onLine) {
  /** @type {Buffer | undefined} */
  let head;
  let bytes = 0;

  return (chunk) => {
    let from = 0;
    while (from < chunk.length) {
      const newline = chunk.indexOf(NEWLINE, from);
      const to = newline === -1 ? chunk.length : newline;
      const piece = chunk.subarray(from, to);
      if (head === undefined) head = piece;
      else if (head.length < HEAD_BYTES) head = Buffer.concat([head, piece]);
      bytes += piece.length;
      from = to + 1;
      if (newline === -1) return;
      const line = head;
      const length = bytes;
      head = undefined;
      bytes = 0;
      onLine(line, length);
    }
  };
}
