import { load } from '../load.mjs';
import { turned } from '../turned.mjs';

/**
 * A client and a backend by how they speak, as in `modern–legacy`.
 * @typedef {{ client: import('../eras.mjs').ClientKind, backend: import('../eras.mjs').Era }} Pair
 */

/** @typedef {'callsPerSecond' | 'cpuUs'} Measure */

/** @type {Pair} */
const bothLegacy = { client: 'legacy', backend: 'legacy' };
/** @type {Pair} */
const longLegacy = { client: 'verbose', backend: 'legacy' };
/** @type {Pair} */
const bothModern = { client: 'modern', backend: 'modern' };
/** @type {Pair} */
const legacyToModern = { client: 'legacy', backend: 'modern' };
/** @type {Pair} */
const modernToLegacy = { client: 'modern', backend: 'legacy' };

/** The pairs that need no translation: a plain relay serves them too. */
export const SAME_ERA = [bothLegacy, longLegacy, bothModern];
const CROSS = [legacyToModern, modernToLegacy];

/** Which pair is divided by which. */
export const COMPARISONS = [
  { pair: bothModern, by: bothLegacy },
  { pair: bothModern, by: longLegacy },
  { pair: legacyToModern, by: bothLegacy },
  { pair: modernToLegacy, by: bothLegacy },
];

/** @param {Pair} pair */
export function nameOf({ client, backend }) {
  return `${client}–${backend}`;
}

/**
 * The key of a figure: of a pair, or of one divided by another.
 * @param {Measure} measure
 * @param {Pair} pair
 * @param {Pair} [by]
 */
export function keyOf(measure, pair, by) {
  return `${measure} ${nameOf(pair)}${by === undefined ? '' : ` ÷ ${nameOf(by)}`}`;
}

/**
 * The same calls with each pair, one directly after the other, each in a fresh process, in an order that turns
 * from round to round. Only the gateway translates, so the other sides have no pairs of two eras.
 * @param {{
 *   connections: number,
 *   inFlight: number,
 *   request: (side: import('../sides.mjs').Side, caller: import('../caller.mjs').Caller) => import('../caller.mjs').Request,
 * }} shape
 * @returns {import('../scenarios.mjs').Run}
 */
export function eraPairs({ connections, inFlight, request }) {
  return async ({ start, pace, round, side: name }) => {
    /** @type {Record<string, number>} */
    const figures = {};
    for (const pair of turned(name === 'gateway' ? [...SAME_ERA, ...CROSS] : SAME_ERA, round)) {
      const side = await start({ clientKind: pair.client, backendEra: pair.backend });
      const callers = await side.connect(connections);
      const streams = callers.map((caller) => ({ caller, request: request(side, caller), inFlight }));
      const { callsPerSecond, cpuUs } = await load(side.pid, streams, pace);
      figures[keyOf('callsPerSecond', pair)] = callsPerSecond;
      figures[keyOf('cpuUs', pair)] = cpuUs;
      await side.stop();
    }
    for (const { pair, by } of COMPARISONS) {
      for (const measure of /** @type {const} */ (['callsPerSecond', 'cpuUs'])) {
        const value = figures[keyOf(measure, pair)];
        if (value !== undefined) figures[keyOf(measure, pair, by)] = value / figures[keyOf(measure, by)];
      }
    }
    return figures;
  };
}
