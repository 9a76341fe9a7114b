import { load } from '../load.mjs';
import { largeResult, smallCall } from '../requests.mjs';

/**
 * Small calls, one after the other, while another connection asks for one long answer after the other: how much
 * one client's large results delay everybody else. The figures are those of the small calls.
 * @param {number} bytes
 * @returns {import('../scenarios.mjs').Run}
 */
export function besideLarge(bytes) {
  return async ({ start, pace }) => {
    const side = await start({});
    const [small, large] = await side.connect(2);
    const watched = { caller: small, request: smallCall(side, small), inFlight: 1 };
    const beside = { caller: large, request: largeResult(side, large, bytes), inFlight: 1 };
    return load(side.pid, [watched, beside], pace, 'first');
  };
}
