import { HEAD_BYTES } from './lines.mjs';

/** Opcodes of RFC 6455 § 5.2. */
const TEXT = 0x1;
const CLOSE = 0x8;
const PING = 0x9;
const PONG = 0xa;

const FINAL = 0x80;
const MASKED = 0x80;

/** Any key but zero: `ws` skips the unmasking of an all-zero one, which no browser would send. */
const MASK_KEY = Buffer.from([0x37, 0xfa, 0x21, 0x3d]);

/**
 * A client's text frame, masked.
 * @param {Buffer} payload
 */
export function textFrame(payload) {
  return frame(TEXT, payload);
}

/**
 * The bytes under the mask at a place in the payload.
 * @param {number} offset
 */
export function maskAt(offset) {
  return MASK_KEY[offset & 3];
}

/**
 * @param {number} opcode
 * @param {Buffer} payload
 */
function frame(opcode, payload) {
  const header = frameHeader(opcode, payload.length);
  const bytes = Buffer.allocUnsafe(header.length + payload.length);
  header.copy(bytes);
  for (let i = 0; i < payload.length; i += 1) bytes[header.length + i] = payload[i] ^ MASK_KEY[i & 3];
  return bytes;
}

/**
 * @param {number} opcode
 * @param {number} length
 */
function frameHeader(opcode, length) {
  if (length < 126) return Buffer.concat([Buffer.from([FINAL | opcode, MASKED | length]), MASK_KEY]);
  if (length < 65_536) {
    const header = Buffer.from([FINAL | opcode, MASKED | 126, 0, 0]);
    header.writeUInt16BE(length, 2);
    return Buffer.concat([header, MASK_KEY]);
  }
  const header = Buffer.alloc(10);
  header[0] = FINAL | opcode;
  header[1] = MASKED | 127;
  header.writeUIntBE(length, 4, 6);
  return Buffer.concat([header, MASK_KEY]);
}

/**
 * Reads a server's frames. Like `lineReader` it keeps the head of a long message and counts the rest.
 * @param {object} handlers
 * @param {(head: Buffer, bytes: number) => void} handlers.onMessage
 * @param {(reply: Buffer) => void} handlers.onPing gets the pong to send
 * @param {(code: number) => void} handlers.onClose
 * @returns {(chunk: Buffer) => void}
 */
export function frameReader({ onMessage, onPing, onClose }) {
  /** Bytes that do not yet make a header and a head. @type {Buffer} */
  let rest = Buffer.alloc(0);
  let head = rest;
  let bytes = 0;
  let missing = 0;

  return (chunk) => {
    let data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (data.length > 0) {
      if (missing > 0) {
        const taken = Math.min(missing, data.length);
        missing -= taken;
        data = data.subarray(taken);
        if (missing === 0) onMessage(head, bytes);
        continue;
      }
      const header = readHeader(data);
      if (header === undefined) break;
      const { opcode, start, length } = header;
      if (data.length - start < Math.min(length, HEAD_BYTES)) break;
      const payload = data.subarray(start, start + length);
      data = data.subarray(start + payload.length);
      switch (opcode) {
        case TEXT:
          head = payload;
          bytes = length;
          missing = length - payload.length;
          if (missing === 0) onMessage(head, bytes);
          break;
        case PING:
          onPing(frame(PONG, payload));
          break;
        case CLOSE:
          onClose(length >= 2 ? payload.readUInt16BE(0) : 1005);
          break;
        default:
          throw new Error(`the bench reads whole text messages only, got a frame with opcode ${opcode}`);
      }
    }
    rest = data;
  };
}

/** @param {Buffer} data */
function readHeader(data) {
  if (data.length < 2) return undefined;
  if ((data[0] & FINAL) === 0) throw new Error('the bench reads whole text messages only, got a fragment');
  const opcode = data[0] & 0x0f;
  const short = data[1];
  if (short < 126) return { opcode, start: 2, length: short };
  if (short === 126) return data.length < 4 ? undefined : { opcode, start: 4, length: data.readUInt16BE(2) };
  return data.length < 10 ? undefined : { opcode, start: 10, length: data.readUIntBE(4, 6) };
}
