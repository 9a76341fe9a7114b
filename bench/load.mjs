import { setTimeout as sleep } from 'node:timers/promises';
import { cpuUs } from './proc.mjs';
import { median, quantile } from './statistics.mjs';

/**
 * How long a load lasts, in processor time of the measured process: on a busy machine a second of the clock may
 * hold little of it, and code that is not compiled yet would be compared with code that is.
 * @typedef {object} Pace
 * @property {number} warmUpCpuMs load before the measured part: compilers and allocators settle
 * @property {number} measureCpuMs
 */

/** Between two looks at the processor time. */
const LOOK_EVERY_MS = 100;

/** Each part ends after this even with less processor time: waiting processes take next to none. */
const LONGEST_PART_MS = 4000;

/**
 * @typedef {object} Stream calls of one kind that follow each other on one connection
 * @property {import('./caller.mjs').Caller} caller
 * @property {import('./caller.mjs').Request} request
 * @property {number} inFlight how many are open at any time
 */

/** Slow calls are measured for longer until there are this many: a median of two says nothing. */
const MIN_CALLS = 8;

/**
 * Keeps every stream's calls open for a while, each answer followed by the next call, and gives the figures of
 * the measured part: of all streams' calls together, or of those of the first if `watched` is `first`.
 * @param {number} pid whose processor time is counted
 * @param {Stream[]} streams
 * @param {Pace} pace
 * @param {'all' | 'first'} [watched]
 */
export async function load(pid, streams, pace, watched = 'all') {
  /** @type {'warm-up' | 'measure' | 'over'} */
  let phase = 'warm-up';
  /** @type {number[]} */
  let latencies = [];
  let open = 0;
  /** @type {() => void} */
  let whenIdle = () => undefined;

  for (const [index, { caller, request, inFlight }] of streams.entries()) {
    const counted = watched === 'all' || index === 0;
    const next = () => {
      open += 1;
      caller.call(request, done);
    };
    const done = (/** @type {number} */ elapsedMs) => {
      open -= 1;
      if (counted && phase !== 'over') latencies.push(elapsedMs);
      if (phase !== 'over') next();
      else if (open === 0) whenIdle();
    };
    for (let i = 0; i < inFlight; i += 1) next();
  }

  await untilSpent(pid, pace.warmUpCpuMs, () => latencies.length > 0);
  phase = 'measure';
  latencies = [];
  const cpuBeforeUs = cpuUs(pid);
  const beganMs = performance.now();
  await untilSpent(pid, pace.measureCpuMs, () => latencies.length >= MIN_CALLS);
  const elapsedMs = performance.now() - beganMs;
  const spentUs = cpuUs(pid) - cpuBeforeUs;
  const calls = latencies.length;
  phase = 'over';
  if (open > 0)
    await new Promise((resolve) => {
      whenIdle = () => resolve(undefined);
    });

  return {
    callsPerSecond: (calls * 1000) / elapsedMs,
    cpuUs: spentUs / calls,
    p50Ms: median(latencies),
    p99Ms: quantile(latencies, 0.99),
  };
}

/**
 * @param {number} pid
 * @param {number} cpuMs
 * @param {() => boolean} isEnough what has to hold besides
 */
async function untilSpent(pid, cpuMs, isEnough) {
  const endUs = cpuUs(pid) + cpuMs * 1000;
  const endMs = performance.now() + LONGEST_PART_MS;
  do await sleep(LOOK_EVERY_MS);
  while (!isEnough() || (cpuUs(pid) < endUs && performance.now() < endMs));
}
