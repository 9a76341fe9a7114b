import { load } from '../load.mjs';
import { turned } from '../turned.mjs';

/** @typedef {import('../eras.mjs').Era} Era */

/**
 * @typedef {object} Pair
 * @property {Era} client
 * @property {Era} backend
 */

/**
 * The name of a figure of one pair.
 * @param {string} key
 * @param {Pair} pair
 */
export function ofPair(key, { client, backend }) {
  return `${key} ${client}–${backend}`;
}

/** The yardstick of all others, measured in each round like them. @type {Pair} */
const BOTH_LEGACY = { client: 'legacy', backend: 'legacy' };

/** @type {Pair} */
const BOTH_MODERN = { client: 'modern', backend: 'modern' };

/** The pairs that need no translation. @type {readonly Pair[]} */
export const SAME_ERA = [BOTH_LEGACY, BOTH_MODERN];

/** @type {readonly Pair[]} */
const CROSS = [
  { client: 'legacy', backend: 'modern' },
  { client: 'modern', backend: 'legacy' },
];

/** All that are compared with the yardstick. @type {readonly Pair[]} */
export const OTHERS = [BOTH_MODERN, ...CROSS];

/**
 * The same calls in each pair of eras of the client and the backend, one pair directly after the other, each in
 * a fresh process, in an order that turns from round to round. Only the gateway translates between eras, so the
 * other sides have the two pairs of one era alone. Figures of a pair have its name behind them.
 * @param {{ connections: number, inFlight: number, request: (side: import('../sides.mjs').Side, caller: import('../caller.mjs').Caller) => import('../caller.mjs').Request }} shape
 * @returns {import('../scenarios.mjs').Run}
 */
export function eraPairs({ connections, inFlight, request }) {
  return async ({ start, pace, round, side: name }) => {
    const pairs = name === 'gateway' ? [...SAME_ERA, ...CROSS] : SAME_ERA;
    /** @type {Record<string, number>} */
    const figures = {};
    for (const pair of turned(pairs, round)) {
      const side = await start({ clientEra: pair.client, backendEra: pair.backend });
      const callers = await side.connect(connections);
      const streams = callers.map((caller) => ({ caller, request: request(side, caller), inFlight }));
      const { callsPerSecond, cpuUs } = await load(side.pid, streams, pace);
      figures[ofPair('callsPerSecond', pair)] = callsPerSecond;
      figures[ofPair('cpuUs', pair)] = cpuUs;
      await side.stop();
    }
    for (const pair of pairs) {
      for (const key of ['callsPerSecond', 'cpuUs']) {
        figures[ofPair(`${key}Ratio`, pair)] = figures[ofPair(key, pair)] / figures[ofPair(key, BOTH_LEGACY)];
      }
    }
    return figures;
  };
}
