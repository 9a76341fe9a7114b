/** FIN and opcode 1: a whole text message in one frame. [RFC 6455 § 5.2] */
const finalText = 0x81;
const twoByteLength = 126;
const eightByteLength = 127;

/**
 * Messages below this many bytes are copied into one buffer with their frame header, because every further
 * buffer costs a system call's scatter entry and a stream chunk. Above, copying costs more than that: sent as
 * they are, 10 MiB leave with a fifth less processor time than joined.
 */
const copyBelowBytes = 64 * 1024;

/**
 * One message as an unmasked text frame: the buffers to be written one after the other. Measured against
 * handing the pieces to `ws` as fragments of one message, this spares its receiver a second copy (10 MiB in
 * 9 ms instead of 13 ms), and against joining them first, us a copy.
 */
export function textFrame(pieces: readonly Buffer[]): readonly Buffer[] {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  if (length >= copyBelowBytes) return [header(length, 0), ...pieces];
  const frame = header(length, length);
  let at = frame.length - length;
  for (const piece of pieces) {
    frame.set(piece, at);
    at += piece.length;
  }
  return [frame];
}

/** A frame header for `length` bytes of payload, with `room` bytes left free behind it. */
function header(length: number, room: number): Buffer {
  if (length < twoByteLength) {
    const frame = Buffer.allocUnsafe(2 + room);
    frame[0] = finalText;
    frame[1] = length;
    return frame;
  }
  if (length < 0x1_0000) {
    const frame = Buffer.allocUnsafe(4 + room);
    frame[0] = finalText;
    frame[1] = twoByteLength;
    frame.writeUInt16BE(length, 2);
    return frame;
  }
  const frame = Buffer.allocUnsafe(10 + room);
  frame[0] = finalText;
  frame[1] = eightByteLength;
  frame.writeBigUInt64BE(BigInt(length), 2);
  return frame;
}
