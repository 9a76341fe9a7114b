import type { ToClient } from '../shared/ids.js';

interface Held {
  message: ToClient;
  bytes: number;
  readonly token: string | undefined;
  next: Held | undefined;
}

/** Messages that wait for a slow client, in their order; of progress only the newest per token. */
export class HeldMessages {
  #first: Held | undefined;
  #last: Held | undefined;
  #bytes = 0;
  readonly #progress = new Map<string, Held>();

  /** Bytes of all that waits. */
  get bytes(): number {
    return this.#bytes;
  }

  get isEmpty(): boolean {
    return this.#first === undefined;
  }

  add(message: ToClient): void {
    this.#append(message, undefined);
  }

  /**
   * A newer progress takes the place of the one that waits for the same token. It does not move to the end:
   * there it would come after the answer of its own call.
   */
  addProgress(message: ToClient, token: string): void {
    const waiting = this.#progress.get(token);
    if (waiting === undefined) {
      this.#progress.set(token, this.#append(message, token));
      return;
    }
    const bytes = sizeOf(message);
    this.#bytes += bytes - waiting.bytes;
    waiting.message = message;
    waiting.bytes = bytes;
  }

  /** Takes the one that has waited longest. */
  take(): ToClient | undefined {
    const taken = this.#first;
    if (taken === undefined) return undefined;
    this.#first = taken.next;
    if (this.#first === undefined) this.#last = undefined;
    this.#bytes -= taken.bytes;
    if (taken.token !== undefined) this.#progress.delete(taken.token);
    return taken.message;
  }

  clear(): void {
    this.#first = undefined;
    this.#last = undefined;
    this.#bytes = 0;
    this.#progress.clear();
  }

  #append(message: ToClient, token: string | undefined): Held {
    const held: Held = { message, bytes: sizeOf(message), token, next: undefined };
    if (this.#last === undefined) this.#first = held;
    else this.#last.next = held;
    this.#last = held;
    this.#bytes += held.bytes;
    return held;
  }
}

function sizeOf(message: ToClient): number {
  let bytes = 0;
  for (const piece of message) bytes += piece.length;
  return bytes;
}
