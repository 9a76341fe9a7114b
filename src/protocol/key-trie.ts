const backslash = 0x5c;

/** The node of every key that no path names; it has no children. */
export const untracked = 0;

/** The node of the top-level value. */
export const root = 1;

/** One key below a node. */
interface Child {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly node: number;
}

/**
 * Paths of object keys as a tree, for a scanner that sees keys as bytes. Nodes are small integers (`untracked`,
 * `root`, then one per key of each path), so that whoever scans can keep what it finds in flat arrays.
 */
export class KeyTrie {
  /** Per node, the keys that lead to it, as people write them: `params.name`. */
  readonly labels: string[] = ['', ''];
  /** Per node, its children by the length of their keys, where most comparisons end. */
  readonly #children: Child[][][] = [[], []];

  constructor(paths: Iterable<readonly string[]>) {
    for (const path of paths) path.reduce((node, key) => this.#childOrNew(node, key), root);
  }

  /** How many nodes there are; they are the integers below. */
  get size(): number {
    return this.labels.length;
  }

  /** @throws {Error} when the trie was not built with `path`. */
  nodeAt(path: readonly string[]): number {
    const node = path.reduce((parent, key) => this.#childByText(parent, key), root);
    if (node === untracked) throw new Error(`the trie has no path "${path.join('.')}"`);
    return node;
  }

  /**
   * The node below `parent` for the key whose JSON string has the bytes from `start` to `end` between its quotes;
   * `untracked` if no path names it. A key written with escapes counts as the key they spell.
   */
  child(parent: number, bytes: Uint8Array, start: number, end: number): number {
    const children = this.#children[parent];
    if (children === undefined || children.length === 0) return untracked;
    const length = end - start;
    for (const child of children[length] ?? []) {
      if (equalAt(bytes, start, child.bytes)) return child.node;
    }
    for (let i = start; i < end; i++) {
      if (bytes[i] === backslash) return this.#childByText(parent, decoded(bytes, start, end));
    }
    return untracked;
  }

  #childByText(parent: number, key: string): number {
    for (const sameLength of this.#children[parent] ?? []) {
      for (const child of sameLength) {
        if (child.key === key) return child.node;
      }
    }
    return untracked;
  }

  #childOrNew(parent: number, key: string): number {
    const known = this.#childByText(parent, key);
    if (known !== untracked) return known;
    const child = { key, bytes: Uint8Array.from(Buffer.from(key)), node: this.size };
    this.labels.push(parent === root ? key : `${this.labels[parent]}.${key}`);
    this.#children.push([]);
    const siblings = this.#children[parent] ?? [];
    while (siblings.length <= child.bytes.length) siblings.push([]);
    siblings[child.bytes.length]?.push(child);
    return child.node;
  }
}

function equalAt(bytes: Uint8Array, start: number, expected: Uint8Array): boolean {
  for (let i = 0; i < expected.length; i++) {
    if (bytes[start + i] !== expected[i]) return false;
  }
  return true;
}

/** The text of a JSON string without its quotes, whose escapes are known to be good. */
function decoded(bytes: Uint8Array, start: number, end: number): string {
  return JSON.parse(`"${Buffer.from(bytes.subarray(start, end)).toString()}"`);
}
