import type { InFlight } from './in-flight.js';
import type { SessionRecord } from './session-record.js';

/** Says when no client waits for an answer any more and no call goes on without one. Streams never end by themselves. */
export class Rest {
  readonly #sessions: ReadonlySet<SessionRecord>;
  readonly #inFlight: InFlight;
  #reached: (() => void) | undefined;

  constructor(sessions: ReadonlySet<SessionRecord>, inFlight: InFlight) {
    this.#sessions = sessions;
    this.#inFlight = inFlight;
  }

  /** Resolves when it is reached; requests that arrive meanwhile are the caller's to prevent. */
  reached(): Promise<void> {
    return new Promise((resolve) => {
      this.#reached = resolve;
      this.ended();
    });
  }

  /** A request or a call has come to its end. */
  ended(): void {
    if (this.#reached === undefined || this.#inFlight.size > 0) return;
    if ([...this.#sessions].some((session) => session.awaitsAnswer)) return;
    this.#reached();
    this.#reached = undefined;
  }
}
