import type { ToClient } from '../shared/ids.js';

const opening = Buffer.from('[');
const comma = Buffer.from(',');
const closing = Buffer.from(']');

/**
 * The answers to one batch, sent as one array once the last of them is there. A batch that needs no answer
 * gets none. [MCP 2025-03-26 basic § Batching; JSON-RPC 2.0 § 6]
 */
export class Batch {
  readonly #send: (message: ToClient) => void;
  readonly #answers: ToClient[] = [];
  /** Requests without an answer, and one more while the batch is being read. */
  #missing = 1;

  constructor(send: (message: ToClient) => void) {
    this.#send = send;
  }

  /** One more request that will have an answer. */
  expect(): void {
    this.#missing += 1;
  }

  /** The answer to an element whose id could not be read, and which nobody expected. */
  add(message: ToClient): void {
    this.#answers.push(message);
  }

  /** The answer to an expected request. */
  answer(message: ToClient): void {
    this.#answers.push(message);
    this.#done();
  }

  /** A request that was cancelled: it gets no answer. */
  withdraw(): void {
    this.#done();
  }

  /** All elements have been read. */
  seal(): void {
    this.#done();
  }

  #done(): void {
    this.#missing -= 1;
    if (this.#missing > 0 || this.#answers.length === 0) return;
    const pieces = this.#answers.flatMap((answer, index) => [index === 0 ? opening : comma, ...answer]);
    this.#send([...pieces, closing] as readonly Buffer[] as ToClient);
  }
}
