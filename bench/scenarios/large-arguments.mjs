import { load } from '../load.mjs';
import { largeArguments } from '../requests.mjs';

/**
 * Calls with long arguments and a short answer, one after the other.
 * @param {number} bytes
 * @returns {import('../scenarios.mjs').Run}
 */
export function largeArgumentCalls(bytes) {
  return async ({ start, pace }) => {
    const side = await start({});
    const [caller] = await side.connect(1);
    return load(side.pid, [{ caller, request: largeArguments(side, caller, bytes), inFlight: 1 }], pace);
  };
}
