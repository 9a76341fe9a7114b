import type { Era } from '../eras/backend-side.js';

/**
 * The era that a backend of the configuration was found to be of. It outlives restarts, and is shared by all
 * processes of that backend, so that only the first of them is tried out.
 */
export class EraMemory {
  #found: { readonly era: Era; readonly proven: boolean } | undefined;

  get found(): Era | undefined {
    return this.#found?.era;
  }

  /** A conversation was opened in this era. */
  prove(era: Era): void {
    this.#found = { era, proven: true };
  }

  /** A process did not survive being tried in another era. It may have had other reasons. */
  presume(era: Era): void {
    this.#found = { era, proven: false };
  }

  /** A start came to nothing: a presumption was no better than what it excluded. */
  doubt(): void {
    if (this.#found?.proven === false) this.forget();
  }

  /** The backend did not answer as one of that era: it was wrong, or is so by now. */
  forget(): void {
    this.#found = undefined;
  }
}
