/**
 * A Ctrl-C under npm comes twice at once: from the terminal, and handed on by npm; so does the end of a terminal:
 * from the kernel, and from its shell. Both are one wish.
 */
const sameWishMs = 250;

/** SIGHUP is the end of the terminal: the backends, in groups of their own, do not hear of it themselves. */
const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Waits for the first signal that asks for a clean end.
 * @param again called for each further one, which asks for an end at once
 */
export function stopSignal(again: (signal: NodeJS.Signals) => void): Promise<{ signal: NodeJS.Signals }> {
  return new Promise((resolve) => {
    let first: { readonly signal: NodeJS.Signals; readonly atMs: number } | undefined;
    const take = (signal: NodeJS.Signals) => {
      const atMs = performance.now();
      if (first === undefined) {
        first = { signal, atMs };
        resolve({ signal });
      } else if (signal === 'SIGTERM' || signal !== first.signal || atMs - first.atMs > sameWishMs) {
        again(signal);
      }
    };
    for (const signal of stopSignals) process.on(signal, take);
  });
}
