import type { Run } from './run.js';

/** The way out of runs that were given up: a backend's next process starts only when it is free. */
export class Leaving {
  #run: Run | undefined;

  /** Stops a run; one at a time, as the next run starts only after this one. */
  add(run: Run): void {
    this.#run = run;
    void run.stop().then(() => {
      if (this.#run === run) this.#run = undefined;
    });
  }

  /** Calls `next` once nobody is leaving any more: at once, if nobody is. */
  whenFree(next: () => void): void {
    if (this.#run === undefined) next();
    else void this.#run.stop().then(next);
  }

  /** Resolves once nobody is leaving any more. */
  async free(): Promise<void> {
    await this.#run?.stop();
  }

  kill(): void {
    this.#run?.kill();
  }
}
