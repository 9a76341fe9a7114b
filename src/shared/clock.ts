/** A timer that has been started; cancelling one that has fired does nothing. */
export interface Timer {
  cancel(): void;
}

/** Time as the gateway's policies see it, so that tests can hold it in their hands. */
export interface Clock {
  /** Milliseconds since some fixed moment; never goes backwards. */
  now(): number;
  /** Runs `run` once after `ms` milliseconds. */
  after(ms: number, run: () => void): Timer;
  /** Runs `run` every `ms` milliseconds until cancelled. */
  every(ms: number, run: () => void): Timer;
}

/** The operating system's monotonic clock. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const handle = setTimeout(run, ms);
    return { cancel: () => clearTimeout(handle) };
  },
  every(ms, run) {
    const handle = setInterval(run, ms);
    return { cancel: () => clearInterval(handle) };
  },
};
