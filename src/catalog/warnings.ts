import type { BackendKey } from '../shared/ids.js';

/** Something about a backend's entries that a person should know, for the log and the status. */
export interface CatalogWarning {
  readonly backend: BackendKey;
  readonly text: string;
}

/** Warnings kept per backend: enough to see what is wrong, too few for a bad backend to fill the log. */
const maxPerBackend = 20;

/** Gathers warnings; beyond 20 of one backend it only counts. */
export class WarningList {
  readonly #texts = new Map<BackendKey, string[]>();

  add(backend: BackendKey, text: string): void {
    const texts = this.#texts.get(backend);
    if (texts === undefined) this.#texts.set(backend, [text]);
    else texts.push(text);
  }

  /** What was gathered, by backend in the order of their first warning. */
  list(): readonly CatalogWarning[] {
    return [...this.#texts].flatMap(([backend, texts]) => {
      const kept = texts.slice(0, maxPerBackend);
      if (texts.length > kept.length) kept.push(`and ${texts.length - kept.length} more warnings`);
      return kept.map((text) => ({ backend, text }));
    });
  }
}
