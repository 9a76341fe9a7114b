// Bytes of the grammar. They stand in each file that reads bytes: V8 reads an imported constant from memory
// each time, which made the scan 15 % slower.
const space = 0x20;
const quote = 0x22;
const plus = 0x2b;
const minus = 0x2d;
const point = 0x2e;
const zero = 0x30;
const nine = 0x39;
const upperE = 0x45;
const backslash = 0x5c;
const lowerE = 0x65;
const lowerU = 0x75;

/**
 * Each function here takes the index of a token's first byte and returns the index behind its last one. A token
 * that the grammar of RFC 8259 does not allow gives the complement (`~index`, always negative) of the first byte
 * that is wrong; that index is the length of `bytes` when they end too early. The byte behind the end reads as
 * zero, which no token may contain.
 */

/**
 * Plain bytes in a row after which a string is read by words. Making a view costs as much as reading about 70
 * bytes one by one (measured on Node 20), so short strings are better off without.
 */
const longRun = 128;

/** 1 for the bytes that end a run of plain ones inside a string: control characters, quote, backslash. */
const endsRun = Uint8Array.from({ length: 256 }, (_, code) =>
  code < space || code === quote || code === backslash ? 1 : 0,
);
const isEscape = tableOf('"\\/bfnrt');
const isHex = tableOf('0123456789abcdefABCDEF');

/** `at` is the opening quote. */
export function stringEnd(bytes: Uint8Array, at: number): number {
  let next = at + 1;
  for (;;) {
    const wordsFrom = next + longRun;
    while (endsRun[bytes[next] ?? 0] === 0) {
      next++;
      if (next === wordsFrom) next = plainWordsEnd(bytes, next);
    }
    if (bytes[next] === quote) return next + 1;
    if (bytes[next] !== backslash) return ~next;
    next++;
    if (isEscape[bytes[next] ?? 0] === 1) {
      next++;
    } else if (bytes[next] === lowerU) {
      const digitsEnd = next + 5;
      next++;
      while (next < digitsEnd && isHex[bytes[next] ?? 0] === 1) next++;
      if (next < digitsEnd) return ~next;
    } else {
      return ~next;
    }
  }
}

/** `at` is a minus or a digit. */
export function numberEnd(bytes: Uint8Array, at: number): number {
  let next = bytes[at] === minus ? at + 1 : at;
  if (bytes[next] === zero) {
    next++;
  } else {
    next = digitsEnd(bytes, next);
    if (next < 0) return next;
  }
  if (bytes[next] === point) {
    next = digitsEnd(bytes, next + 1);
    if (next < 0) return next;
  }
  if (bytes[next] === lowerE || bytes[next] === upperE) {
    next++;
    if (bytes[next] === plus || bytes[next] === minus) next++;
    next = digitsEnd(bytes, next);
  }
  return next;
}

/** The bytes from `at` have to be those of `word`. */
export function wordEnd(bytes: Uint8Array, at: number, word: Uint8Array): number {
  for (let i = 0; i < word.length; i++) {
    if (bytes[at + i] !== word[i]) return ~(at + i);
  }
  return at + word.length;
}

/** Behind one or more digits. */
function digitsEnd(bytes: Uint8Array, at: number): number {
  let next = at;
  while (isDigit(bytes[next] ?? 0)) next++;
  return next === at ? ~at : next;
}

function isDigit(code: number): boolean {
  return code >= zero && code <= nine;
}

/**
 * Skips plain bytes four words at a time; some of the bytes behind its result may be plain too. The three bytes
 * before `at` have to be plain, because words begin at multiples of four.
 */
function plainWordsEnd(bytes: Uint8Array, at: number): number {
  const start = at - ((bytes.byteOffset + at) & 3);
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + start, (bytes.length - start) >>> 2);
  let next = 0;
  while (next + 3 < words.length) {
    const marks =
      runEndMarks(words[next] ?? 0) |
      runEndMarks(words[next + 1] ?? 0) |
      runEndMarks(words[next + 2] ?? 0) |
      runEndMarks(words[next + 3] ?? 0);
    if ((marks & 0x80808080) !== 0) break;
    next += 4;
  }
  return Math.max(at, start + next * 4);
}

/**
 * Sets the highest bit of the lowest of four bytes for which `endsRun` holds, none if there is none. Exchanging
 * 0x22 with 0x20 makes quote and control characters one range, below 0x21; subtracting its upper limit borrows
 * from the highest bit of just those bytes. A backslash becomes zero, and so falls below 1.
 */
function runEndMarks(word: number): number {
  const low = word ^ 0x02020202;
  const cleared = word ^ 0x5c5c5c5c;
  return ((low - 0x21212121) & ~low) | ((cleared - 0x01010101) & ~cleared);
}

function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}
