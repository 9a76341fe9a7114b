import { numberEnd, stringEnd, wordEnd } from './json-tokens.js';
import { type KeyTrie, root, untracked } from './key-trie.js';
import type { Span } from './message.js';

// Bytes of the grammar. They stand in each file that reads bytes: V8 reads an imported constant from memory
// each time, which made the scan 15 % slower.
const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const minus = 0x2d;
const zero = 0x30;
const nine = 0x39;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const lowerF = 0x66;
const lowerN = 0x6e;
const lowerT = 0x74;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Levels of nesting the scan has room for at once; a text that goes deeper gets a stack of its own. */
const usualDepth = 1024;

const trueWord = Uint8Array.from(Buffer.from('true'));
const falseWord = Uint8Array.from(Buffer.from('false'));
const nullWord = Uint8Array.from(Buffer.from('null'));

/**
 * Reads a JSON text once, as bytes, and holds it to the grammar of RFC 8259 exactly as `JSON.parse` does: no byte
 * order mark, nothing behind the value. On the way it notes where the values stand that a trie of keys names. It
 * neither recurses nor allocates per token, so no depth and no number of members exhausts anything.
 *
 * An instance is scratch space: what it tells about a text holds until its next `run`.
 */
export class JsonScan {
  /** The nodes of the trie that the text has, by order of appearance; only the first `metCount` are valid. */
  readonly met: Int32Array;
  metCount = 0;
  /** The node whose key was the first to stand twice in its object; `untracked` if none does. */
  firstRepeated = untracked;
  /** Levels of nesting: 0 for a scalar, 1 for an object of scalars. */
  depth = 0;
  /** A line feed or carriage return stands between tokens. */
  multiline = false;

  readonly #trie: KeyTrie;
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  readonly #times: Uint8Array;
  readonly #usualStack = new Int32Array(usualDepth);

  constructor(trie: KeyTrie) {
    this.#trie = trie;
    this.met = new Int32Array(trie.size);
    this.#starts = new Int32Array(trie.size);
    this.#ends = new Int32Array(trie.size);
    this.#times = new Uint8Array(trie.size);
  }

  /** Where the text's one value stands, without the white space around it. */
  get value(): Span {
    return this.#spanOf(root);
  }

  /** Where the value of a node stands (the first one, if its key is repeated). */
  span(node: number): Span | undefined {
    if (this.#times[node] === 0) return undefined;
    return this.#spanOf(node);
  }

  has(node: number): boolean {
    return this.#times[node] !== 0;
  }

  isRepeated(node: number): boolean {
    return this.#times[node] === 2;
  }

  /**
   * Reads a whole text of valid UTF-8.
   * @returns the index of the first byte that no JSON text could have there (the length, if the text ends too
   * early), or -1 when all of it is one JSON value.
   */
  run(bytes: Uint8Array): number {
    this.#forget();
    const { length } = bytes;
    const starts = this.#starts;
    const ends = this.#ends;
    let stack = this.#usualStack;
    let depth = 0;
    let deepest = 0;
    // The container that is being read, as an even number (an object) or an odd one (an array); half of it is
    // its node. The stack holds those around it. At the top level it means nothing.
    let container = 1;
    let at = 0;

    nextValue: for (;;) {
      let node = depth === 0 ? root : untracked;
      if ((bytes[at] ?? 0) <= space) at = this.#spaceEnd(bytes, at);
      if ((container & 1) === 0) {
        if (bytes[at] !== quote) return at;
        const keyEnd = stringEnd(bytes, at);
        if (keyEnd < 0) return ~keyEnd;
        if (container !== untracked) node = this.#nodeOfKey(container >> 1, bytes, at, keyEnd);
        at = keyEnd;
        if ((bytes[at] ?? 0) <= space) at = this.#spaceEnd(bytes, at);
        if (bytes[at] !== colon) return at;
        at++;
        if ((bytes[at] ?? 0) <= space) at = this.#spaceEnd(bytes, at);
      }

      starts[node] = at;
      const first = bytes[at] ?? 0;
      if (first === quote) {
        at = stringEnd(bytes, at);
      } else if (first === openBrace || first === openBracket) {
        if (depth === stack.length) stack = doubled(stack);
        stack[depth] = container;
        depth++;
        if (depth > deepest) deepest = depth;
        container = node * 2 + (first === openBracket ? 1 : 0);
        at++;
        if ((bytes[at] ?? 0) <= space) at = this.#spaceEnd(bytes, at);
        // ']' and '}' stand two behind their opening counterparts.
        if (bytes[at] !== first + 2) continue;
        at++;
        depth--;
        container = stack[depth] ?? 0;
      } else if (first === lowerT) {
        at = wordEnd(bytes, at, trueWord);
      } else if (first === lowerF) {
        at = wordEnd(bytes, at, falseWord);
      } else if (first === lowerN) {
        at = wordEnd(bytes, at, nullWord);
      } else if (first === minus || (first >= zero && first <= nine)) {
        at = numberEnd(bytes, at);
      } else {
        return at;
      }
      if (at < 0) return ~at;
      ends[node] = at;

      while (depth > 0) {
        if ((bytes[at] ?? 0) <= space) at = this.#spaceEnd(bytes, at);
        const next = bytes[at];
        if (next === comma) {
          at++;
          continue nextValue;
        }
        if (next !== ((container & 1) === 0 ? closeBrace : closeBracket)) return at;
        at++;
        ends[container >> 1] = at;
        depth--;
        container = stack[depth] ?? 0;
      }
      if (at < length) at = this.#spaceEnd(bytes, at);
      if (at < length) return at;
      this.depth = deepest;
      return -1;
    }
  }

  #spanOf(node: number): Span {
    return { start: this.#starts[node] ?? 0, end: this.#ends[node] ?? 0 };
  }

  #forget(): void {
    for (let i = 0; i < this.metCount; i++) this.#times[this.met[i] ?? 0] = 0;
    this.metCount = 0;
    this.firstRepeated = untracked;
    this.depth = 0;
    this.multiline = false;
  }

  #spaceEnd(bytes: Uint8Array, at: number): number {
    let next = at;
    for (;;) {
      const code = bytes[next];
      if (code === lineFeed || code === carriageReturn) this.multiline = true;
      else if (code !== space && code !== tab) return next;
      next++;
    }
  }

  /** The node of a key of a tracked object, from its opening quote to behind the closing one. */
  #nodeOfKey(parent: number, bytes: Uint8Array, start: number, end: number): number {
    const node = this.#trie.child(parent, bytes, start + 1, end - 1);
    if (node === untracked) return untracked;
    const times = this.#times[node] ?? 0;
    if (times === 0) {
      this.#times[node] = 1;
      this.met[this.metCount] = node;
      this.metCount++;
      return node;
    }
    this.#times[node] = 2;
    if (this.firstRepeated === untracked) this.firstRepeated = node;
    return untracked;
  }
}

function doubled(stack: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(stack.length * 2);
  larger.set(stack);
  return larger;
}
