import { largeResult, smallCall } from './requests.mjs';
import { besideLarge } from './scenarios/beside-large.mjs';
import { COMPARISONS, eraPairs, keyOf, nameOf, SAME_ERA } from './scenarios/eras.mjs';
import { idleConnections } from './scenarios/idle-connections.mjs';
import { largeArgumentCalls } from './scenarios/large-arguments.mjs';
import { largeMemory } from './scenarios/large-memory.mjs';
import { largeResults } from './scenarios/large-results.mjs';
import { longList } from './scenarios/long-list.mjs';
import { smallCalls } from './scenarios/small-calls.mjs';
import { startUp } from './scenarios/start-up.mjs';

/** @typedef {import('./sides.mjs').SideName} SideName */

/**
 * Measures one side once.
 * @typedef {(tools: {
 *   start: (options: import('./sides.mjs').SideOptions) => Promise<import('./sides.mjs').Side>,
 *   pace: import('./load.mjs').Pace,
 *   round: number,
 *   side: SideName,
 * }) => Promise<Record<string, number>>} Run
 */

/**
 * One line of the table.
 * @typedef {object} Figure
 * @property {string} key in what the scenario returns
 * @property {string} label
 * @property {'higher' | 'lower'} better
 * @property {number} [must] bound of the ratio to the plain relay that a good gateway keeps
 * @property {number} [aim] bound that is ambitious, and physical
 */

/**
 * @typedef {object} Scenario
 * @property {Run} run
 * @property {readonly SideName[]} sides those for which it means something
 * @property {readonly Figure[]} figures
 */

const KIB = 1024;
const MIB = 1024 * KIB;

/** The gateway's default `maxLineBytes` is 10 MiB for the whole line, so its payload is a little less. */
const ALMOST_10_MIB = 10 * MIB - 4 * KIB;

/** @type {readonly SideName[]} */
const ALL = ['stdio', 'relay', 'gateway'];

/** For what a backend alone has none of. @type {readonly SideName[]} */
const SERVERS = ['relay', 'gateway'];

const CALLS_PER_S = /** @type {const} */ ({ key: 'callsPerSecond', better: 'higher' });
const P50_MS = /** @type {const} */ ({ key: 'p50Ms', better: 'lower' });
const P99_MS = /** @type {const} */ ({ key: 'p99Ms', better: 'lower' });
const CPU_US = /** @type {const} */ ({ key: 'cpuUs', better: 'lower' });

/**
 * The pairs of one era as they are, then pairs divided by each other.
 * @param {string} load
 * @returns {readonly Figure[]}
 */
function eraFigures(load) {
  const { key: calls } = CALLS_PER_S;
  const { key: cpu } = CPU_US;
  return [
    ...SAME_ERA.flatMap((pair) => [
      { ...CALLS_PER_S, key: keyOf(calls, pair), label: `${load}, ${nameOf(pair)}: calls/s` },
      { ...CPU_US, key: keyOf(cpu, pair), label: `${load}, ${nameOf(pair)}: CPU µs/call` },
    ]),
    ...COMPARISONS.flatMap(({ pair, by }) => [
      {
        ...CALLS_PER_S,
        key: keyOf(calls, pair, by),
        label: `${load}, ${nameOf(pair)} ÷ ${nameOf(by)}: calls/s`,
      },
      { ...CPU_US, key: keyOf(cpu, pair, by), label: `${load}, ${nameOf(pair)} ÷ ${nameOf(by)}: CPU` },
    ]),
  ];
}

/** @type {Readonly<Record<string, Scenario>>} */
export const SCENARIOS = {
  '8x8': {
    run: smallCalls({ connections: 8, inFlight: 8 }),
    sides: ALL,
    figures: [
      { ...CALLS_PER_S, label: '8 × 8: calls/s', must: 1, aim: 1.25 },
      { ...CPU_US, label: '8 × 8: CPU µs/call', must: 0.95, aim: 0.75 },
      { ...P99_MS, label: '8 × 8: p99 ms', must: 1.3, aim: 1.1 },
    ],
  },
  '100x1': {
    run: smallCalls({ connections: 100, inFlight: 1 }),
    sides: ALL,
    figures: [
      { ...CALLS_PER_S, label: '100 × 1: calls/s', must: 1, aim: 1.2 },
      { ...CPU_US, label: '100 × 1: CPU µs/call' },
    ],
  },
  sequential: {
    run: smallCalls({ connections: 1, inFlight: 1 }),
    sides: ALL,
    figures: [
      { ...P50_MS, label: 'sequential: p50 ms', must: 1.15, aim: 1.05 },
      { ...CPU_US, label: 'sequential: CPU µs/call', must: 1.15, aim: 1 },
    ],
  },
  'result-64k': {
    run: largeResults(64 * KIB),
    sides: ALL,
    figures: [
      { ...P50_MS, label: '64 KiB result: p50 ms', must: 0.85, aim: 0.7 },
      { ...CPU_US, label: '64 KiB result: CPU µs/call' },
    ],
  },
  'result-1m': {
    run: largeResults(MIB),
    sides: ALL,
    figures: [
      { ...P50_MS, label: '1 MiB result: p50 ms', must: 0.5, aim: 0.4 },
      { ...CPU_US, label: '1 MiB result: CPU µs/call' },
    ],
  },
  'result-10m': {
    run: largeResults(ALMOST_10_MIB),
    sides: ALL,
    figures: [
      { ...P50_MS, label: '10 MiB result: p50 ms', must: 0.4, aim: 0.25 },
      { ...CPU_US, label: '10 MiB result: CPU µs/call', must: 0.4, aim: 0.2 },
    ],
  },
  'arguments-1m': {
    run: largeArgumentCalls(MIB),
    sides: ALL,
    figures: [
      { ...P50_MS, label: '1 MiB arguments: p50 ms', must: 0.85, aim: 0.7 },
      { ...CPU_US, label: '1 MiB arguments: CPU µs/call' },
    ],
  },
  'beside-1m': {
    run: besideLarge(MIB),
    sides: ALL,
    figures: [
      { ...P50_MS, label: 'small beside 1 MiB: p50 ms', must: 0.5, aim: 0.25 },
      { ...P99_MS, label: 'small beside 1 MiB: p99 ms', must: 0.8, aim: 0.55 },
    ],
  },
  memory: {
    run: largeMemory({ connections: 4, bytes: 8 * MIB }),
    sides: SERVERS,
    figures: [
      { key: 'extraMiB', label: '4 × 8 MiB at once: extra MiB', better: 'lower', must: 0.5, aim: 0.3 },
      { key: 'restingMiB', label: 'at rest: RSS MiB', better: 'lower', must: 1.5, aim: 1.35 },
    ],
  },
  idle: {
    run: idleConnections(2200),
    sides: SERVERS,
    figures: [
      { key: 'rssMiB', label: '2,200 idle: RSS MiB', better: 'lower', must: 1.5, aim: 1.25 },
      {
        key: 'connectionsPerSecond',
        label: 'connect + initialize: per s',
        better: 'higher',
        must: 0.9,
        aim: 1.1,
      },
    ],
  },
  'start-up': {
    run: startUp,
    sides: ALL,
    figures: [
      { key: 'startUpMs', label: 'start-up to tools/list: ms', better: 'lower', must: 1.4, aim: 1.15 },
    ],
  },
  'list-1000': {
    run: longList(1000),
    sides: ALL,
    figures: [
      { ...P50_MS, label: '1,000 tools listed: p50 ms', must: 0.3, aim: 0.06 },
      { ...CPU_US, label: '1,000 tools listed: CPU µs/call', must: 0.2, aim: 0.05 },
    ],
  },
  eras: {
    run: eraPairs({ connections: 8, inFlight: 8, request: smallCall }),
    sides: SERVERS,
    figures: eraFigures('8 × 8'),
  },
  'eras-64k': {
    run: eraPairs({
      connections: 8,
      inFlight: 8,
      request: (side, caller) => largeResult(side, caller, 64 * KIB),
    }),
    sides: SERVERS,
    figures: eraFigures('64 KiB'),
  },
};
