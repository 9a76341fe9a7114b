import { forgetPeak, peakMiB, residentMiB } from '../proc.mjs';
import { largeResult, smallCall } from '../requests.mjs';

/**
 * The memory that a fresh process takes in addition when several clients get a long answer at once.
 * @param {{ connections: number, bytes: number }} shape
 * @returns {import('../scenarios.mjs').Run}
 */
export function largeMemory({ connections, bytes }) {
  return async ({ start }) => {
    const side = await start({});
    const callers = await side.connect(connections);
    await Promise.all(callers.map((caller) => caller.ask(smallCall(side, caller))));
    const restingMiB = residentMiB(side.pid);
    forgetPeak(side.pid);
    await Promise.all(callers.map((caller) => caller.ask(largeResult(side, caller, bytes))));
    return { restingMiB, extraMiB: peakMiB(side.pid) - restingMiB };
  };
}
