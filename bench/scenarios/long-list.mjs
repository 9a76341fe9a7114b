import { load } from '../load.mjs';
import { toolsList } from '../requests.mjs';

/** Each of the further tools takes more than this in the list. */
const MIN_BYTES_PER_TOOL = 200;

/**
 * Lists of many tools, one after the other.
 * @param {number} furtherTools
 * @returns {import('../scenarios.mjs').Run}
 */
export function longList(furtherTools) {
  return async ({ start, pace }) => {
    const side = await start({ furtherTools });
    const [caller] = await side.connect(1);
    const request = toolsList(side, caller, 'payload', furtherTools * MIN_BYTES_PER_TOOL);
    return load(side.pid, [{ caller, request, inFlight: 1 }], pace);
  };
}
