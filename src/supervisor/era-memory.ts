import type { Era } from '../eras/backend-side.js';

/**
 * The era that a backend of the configuration was found to be of. It outlives restarts, and is shared by all
 * processes of that backend, so that only the first of them is tried out.
 */
export class EraMemory {
  #found: Era | undefined;

  get found(): Era | undefined {
    return this.#found;
  }

  note(era: Era): void {
    this.#found = era;
  }

  /** It may have been wrong, or be so by now. */
  forget(): void {
    this.#found = undefined;
  }
}
