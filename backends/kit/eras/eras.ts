import type { JsonObject } from '../../../src/protocol/json.js';
import type { ResourceObserver } from '../resource-definition.js';
import type { Era, EraOptions } from './era.js';
import { LegacyEra } from './legacy/era.js';
import { isEnveloped } from './modern/envelope.js';
import { ModernEra } from './modern/era.js';

/** Both eras side by side on one connection. Nobody else knows how many there are. */
export class Eras {
  readonly #legacy: Era;
  readonly #modern: Era;

  constructor(options: EraOptions) {
    this.#legacy = new LegacyEra(options);
    this.#modern = new ModernEra(options);
  }

  /**
   * The era of a message with these parameters. It is decided by each message for itself, so that clients of
   * both eras can use the same process, as behind a gateway. [MCP 2026-07-28 versioning § Backward Compatibility]
   */
  of(params: JsonObject): Era {
    return isEnveloped(params) ? this.#modern : this.#legacy;
  }

  /** Tells the clients of all eras. */
  readonly observer: ResourceObserver = {
    updated: (uri) => {
      for (const era of [this.#legacy, this.#modern]) era.observer.updated(uri);
    },
    listChanged: () => {
      for (const era of [this.#legacy, this.#modern]) era.observer.listChanged();
    },
  };

  /** Ends requests that last as long as the server does; they are answered. */
  end(): void {
    for (const era of [this.#legacy, this.#modern]) era.end?.();
  }
}
