import { load } from '../load.mjs';
import { smallCall } from '../requests.mjs';

/**
 * Small calls on a number of connections, each with a number in flight.
 * @param {{ connections: number, inFlight: number }} shape
 * @returns {import('../scenarios.mjs').Run}
 */
export function smallCalls({ connections, inFlight }) {
  return async ({ start, pace }) => {
    const side = await start({});
    const callers = await side.connect(connections);
    const streams = callers.map((caller) => ({ caller, request: smallCall(side, caller), inFlight }));
    return load(side.pid, streams, pace);
  };
}
