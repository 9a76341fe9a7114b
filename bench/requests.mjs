/** A usual short argument; with it a call is about 150 bytes long. */
const SHORT_TEXT = 'the quick brown fox jumps over the lazy dog';

/** @typedef {import('./caller.mjs').Caller} Caller */
/** @typedef {import('./sides.mjs').Side} Side */

/**
 * A call as most are.
 * @param {Side} side
 * @param {Caller} caller
 */
export function smallCall(side, caller) {
  return toolCall(side, caller, 'echo', { text: SHORT_TEXT }, { mark: SHORT_TEXT });
}

/**
 * A call whose answer is long.
 * @param {Side} side
 * @param {Caller} caller
 * @param {number} bytes
 */
export function largeResult(side, caller, bytes) {
  return toolCall(side, caller, 'payload', { bytes }, { mark: 'lorem ipsum', minBytes: bytes });
}

/**
 * A call whose arguments are long.
 * @param {Side} side
 * @param {Caller} caller
 * @param {number} bytes
 */
export function largeArguments(side, caller, bytes) {
  return toolCall(side, caller, 'measure', { text: 'x'.repeat(bytes) }, { mark: '"text":"ok"' });
}

/**
 * @param {Side} side
 * @param {Caller} caller
 * @param {string} lastTool local name of a tool that a whole list has in its head
 * @param {number} minBytes
 */
export function toolsList(side, caller, lastTool, minBytes = 0) {
  return caller.prepare('tools/list', {}, { mark: side.toolName(lastTool), minBytes });
}

/**
 * @param {Side} side
 * @param {Caller} caller
 * @param {string} tool
 * @param {object} args
 * @param {{ mark: string, minBytes?: number }} expected
 */
function toolCall(side, caller, tool, args, expected) {
  return caller.prepare('tools/call', { name: side.toolName(tool), arguments: args }, expected);
}
