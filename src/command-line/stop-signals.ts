/** A Ctrl-C under npm comes twice at once: from the terminal, and handed on by npm. Both are one wish. */
const sameKeypressMs = 250;

/**
 * Waits for the first SIGTERM or SIGINT, which asks for a clean end.
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
      } else if (signal !== 'SIGINT' || first.signal !== 'SIGINT' || atMs - first.atMs > sameKeypressMs) {
        again(signal);
      }
    };
    process.on('SIGTERM', take);
    process.on('SIGINT', take);
  });
}
