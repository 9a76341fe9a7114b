/**
 * Waits for the first SIGTERM or SIGINT, which asks for a clean end.
 * @param again called for each further one, which asks for an end at once
 */
export function stopSignal(again: (signal: NodeJS.Signals) => void): Promise<{ signal: NodeJS.Signals }> {
  return new Promise((resolve) => {
    let asked = false;
    const take = (signal: NodeJS.Signals) => {
      if (asked) again(signal);
      asked = true;
      resolve({ signal });
    };
    process.on('SIGTERM', take);
    process.on('SIGINT', take);
  });
}
