import { handshakeParams, paramsOf } from './eras.mjs';

/**
 * Ids all have the same eight digits, so that a packed message needs only them patched. Every caller counts from
 * the same number: ids of different connections are equal, as those of real clients are.
 */
const FIRST_ID = 10_000_000;
const ID_DIGITS = 8;
const ID_MARK = '"id":';

/**
 * A request to send many times, with the proof that an answer is the right one.
 * @typedef {object} Request
 * @property {import('./channel.mjs').Packed} packed
 * @property {number} idOffset where the id stands in the packed bytes
 * @property {Buffer} mark what the head of a good answer contains
 * @property {number} minBytes how long a good answer is at least
 */

/** @typedef {(elapsedMs: number) => void} Done */

/** The client's side of one connection: numbers requests, finds and checks their answers. */
export class Caller {
  #channel;
  #kind;
  #lastId = FIRST_ID;
  /** @type {Map<number, { request: Request, done: Done, sentAtMs: number }>} */
  #waiting = new Map();

  /**
   * @param {import('./channel.mjs').Channel} channel
   * @param {import('./eras.mjs').ClientKind} kind
   */
  constructor(channel, kind) {
    this.#channel = channel;
    this.#kind = kind;
    channel.listen((head, bytes) => this.#take(head, bytes));
  }

  /**
   * @param {string} method
   * @param {object} params
   * @param {{ mark: string, minBytes?: number }} expected
   * @returns {Request}
   */
  prepare(method, params, { mark, minBytes = 0 }) {
    const before = `{"jsonrpc":"2.0",${ID_MARK}`;
    const rest = `,"method":"${method}","params":${JSON.stringify(paramsOf(this.#kind, params))}}`;
    const packed = this.#channel.pack(before + FIRST_ID + rest);
    return { packed, idOffset: packed.start + before.length, mark: Buffer.from(mark), minBytes };
  }

  /**
   * Sends a prepared request; `done` hears how long the answer took.
   * @param {Request} request
   * @param {Done} done
   */
  call(request, done) {
    const { packed, idOffset } = request;
    this.#lastId += 1;
    const bytes = Buffer.from(packed.bytes);
    let digits = this.#lastId;
    for (let i = ID_DIGITS - 1; i >= 0; i -= 1) {
      const at = idOffset + i;
      bytes[at] = (0x30 + (digits % 10)) ^ packed.maskAt(at - packed.start);
      digits = Math.floor(digits / 10);
    }
    this.#waiting.set(this.#lastId, { request, done, sentAtMs: performance.now() });
    this.#channel.write(bytes);
  }

  /**
   * @param {Request} request
   * @returns {Promise<number>} how long the answer took, in milliseconds
   */
  ask(request) {
    return new Promise((resolve) => this.call(request, resolve));
  }

  /** Opens the conversation as every legacy client does; a modern one begins with its first request. */
  async open() {
    if (this.#kind === 'modern') return;
    await this.ask(this.prepare('initialize', handshakeParams, { mark: '"protocolVersion"' }));
    this.#channel.write(this.#channel.pack('{"jsonrpc":"2.0","method":"notifications/initialized"}').bytes);
  }

  close() {
    this.#channel.close();
  }

  /**
   * @param {Buffer} head
   * @param {number} bytes
   */
  #take(head, bytes) {
    const id = readId(head);
    const call = this.#waiting.get(id);
    if (call === undefined) {
      if (head.includes('"method":"notifications/')) return;
      throw new Error(`an answer that nobody waits for: ${excerpt(head)}`);
    }
    this.#waiting.delete(id);
    const { request, done, sentAtMs } = call;
    if (bytes < request.minBytes || !head.includes(request.mark)) {
      throw new Error(`a wrong answer of ${bytes} bytes: ${excerpt(head)}`);
    }
    done(performance.now() - sentAtMs);
  }
}

/** @param {Buffer} head */
function readId(head) {
  let at = head.indexOf(ID_MARK) + ID_MARK.length;
  let id = 0;
  for (const end = at + ID_DIGITS; at < end; at += 1) id = id * 10 + (head[at] - 0x30);
  return id;
}

/** @param {Buffer} head */
function excerpt(head) {
  return head.toString('utf8', 0, 300);
}
