import type { Era } from '../eras/backend-side.js';

/**
 * The era that a backend of the configuration was found to be of. It outlives restarts, and is shared by all
 * processes of that backend, so that only the first of them is tried out.
 */
export class EraMemory {
  #found: { readonly era: Era; readonly proven: boolean } | undefined;
  #wrongPresumptions = 0;

  get found(): Era | undefined {
    return this.#found?.era;
  }

  /**
   * How many times as long as usual a process may take to answer a first question: twice as long after each time that
   * the backend turned out not to be of the era that its silence told of. It may just be slow to start.
   */
  get patience(): number {
    return 2 ** this.#wrongPresumptions;
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
    if (this.#found?.proven === false) this.#wrongPresumptions += 1;
    this.#found = undefined;
  }
}
