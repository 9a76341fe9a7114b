import type { Listing } from '../protocol/listing.js';
import type { BackendPeer } from '../router/ports.js';
import { BackendError } from '../shared/backend-error.js';
import type { Clock, Timer } from '../shared/clock.js';
import type { Log } from '../shared/log.js';
import type { EraMemory } from './era-memory.js';
import type { Leaving } from './leaving.js';
import type { Run } from './run.js';

export interface StartOptions {
  readonly spawn: () => Run;
  /** Waited for before each spawn, so that one process lives at a time. */
  readonly leaving: Leaving;
  readonly eras: EraMemory;
  readonly clock: Clock;
  readonly log: Log;
  /** How long it may take until the handshake is done, in milliseconds. */
  readonly timeoutMs: number;
  readonly served: (run: Run, peer: BackendPeer, listing: Listing) => void;
  /** The handshake failed; the process may live. */
  readonly failed: (run: Run, error: BackendError) => void;
  readonly timedOut: (run: Run | undefined) => void;
}

/**
 * One start of a backend, from nothing to its first listing. It takes a second process when the first did not
 * survive being tried in an era that is not its own.
 */
export class Start {
  readonly #options: StartOptions;
  readonly #deadline: Timer;
  #run: Run | undefined;
  #ended = false;

  constructor(options: StartOptions) {
    const { clock, eras, timeoutMs, timedOut } = options;
    this.#options = options;
    this.#deadline = clock.after(timeoutMs, () => {
      eras.forget();
      timedOut(this.#run);
    });
  }

  /** The process that is being brought up; `undefined` while its predecessor is on its way out. */
  get run(): Run | undefined {
    return this.#run;
  }

  /** Spawns as soon as nothing of an earlier process is left. */
  begin(): void {
    const { leaving, spawn } = this.#options;
    leaving.whenFree(() => {
      if (this.#ended) return;
      const run = spawn();
      this.#run = run;
      void this.#bringUp(run);
    });
  }

  /** It is over, one way or another: nothing of it is told any more. */
  end(): void {
    this.#ended = true;
    this.#deadline.cancel();
  }

  async #bringUp(run: Run): Promise<void> {
    const { eras, failed, leaving, log, served, timeoutMs } = this.#options;
    try {
      const opened = await run.open(timeoutMs);
      if (this.#ended) return;
      if (opened.kind === 'spent') {
        log.info({ era: opened.next, reason: opened.reason }, 'backend is started anew in another era');
        eras.presume(opened.next);
        this.#run = undefined;
        leaving.add(run);
        this.begin();
        return;
      }
      eras.prove(opened.peer.era);
      this.#deadline.cancel();
      const listing = await run.list();
      if (!this.#ended) served(run, opened.peer, listing);
    } catch (error) {
      if (!(error instanceof BackendError)) throw error;
      if (this.#ended) return;
      eras.forget();
      failed(run, error);
    }
  }
}
