import { setTimeout as sleep } from 'node:timers/promises';

/** How often a state that nobody announces is looked at, in milliseconds. */
const pollMs = 20;

/**
 * Waits for a state that nobody announces, such as a process being gone: calls `read` until it gives something
 * other than `undefined`, `false` or a rejection.
 * @throws when that does not happen within `timeoutMs`, saying `what` was awaited and the last failure.
 */
export async function eventually<T>(
  what: string,
  read: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs = 10_000,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  let failure: unknown;
  while (performance.now() < deadline) {
    try {
      const value = await read();
      if (value !== undefined && value !== false) return value;
    } catch (error) {
      failure = error;
    }
    await sleep(pollMs);
  }
  throw new Error(`${what}: not within ${timeoutMs} ms`, { cause: failure });
}
