import { load } from '../load.mjs';
import { largeResult } from '../requests.mjs';

/**
 * Calls with a long answer, one after the other.
 * @param {number} bytes
 * @returns {import('../scenarios.mjs').Run}
 */
export function largeResults(bytes) {
  return async ({ start, pace }) => {
    const side = await start({});
    const [caller] = await side.connect(1);
    return load(side.pid, [{ caller, request: largeResult(side, caller, bytes), inFlight: 1 }], pace);
  };
}
