import type { ResponseMessage } from '../protocol/message.js';
import type { BackendError } from '../shared/backend-error.js';
import { emptyAnswer } from './answer.js';

/** Somebody who wants, or no longer wants, to hear of a resource, and waits to learn what comes of it. */
export interface Wish {
  readonly uri: string;
  readonly wanted: boolean;
  readonly resolve: (answer: ResponseMessage) => void;
  readonly reject: (error: BackendError) => void;
}

/** The resources of which somebody wants to hear at one process. */
export class Wishes {
  readonly #uris = new Set<string>();
  #open: Wish[] = [];

  /** In the order in which they were first wanted. */
  get uris(): readonly string[] {
    return [...this.#uris];
  }

  /** Something is wanted otherwise than when `take` was last called. */
  get changed(): boolean {
    return this.#open.length > 0;
  }

  add(uri: string, wanted: boolean): Promise<ResponseMessage> {
    if (wanted) this.#uris.add(uri);
    else this.#uris.delete(uri);
    return new Promise((resolve, reject) => {
      this.#open.push({ uri, wanted, resolve, reject });
    });
  }

  /** The wishes since the last time, which the next stream fulfils. */
  take(): readonly Wish[] {
    const open = this.#open;
    this.#open = [];
    return open;
  }

  /** Answers wishes of which only those for resources that `isHeard` came true. */
  settle(
    wishes: readonly Wish[],
    isHeard: (uri: string) => boolean,
    refusal: (uri: string) => ResponseMessage,
  ): void {
    for (const { uri, wanted, resolve } of wishes) {
      if (!wanted || isHeard(uri)) {
        resolve(emptyAnswer());
        continue;
      }
      this.#uris.delete(uri);
      resolve(refusal(uri));
    }
  }
}
