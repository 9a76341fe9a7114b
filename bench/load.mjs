import { cpuUs } from './proc.mjs';
import { median, quantile } from './statistics.mjs';

/**
 * @typedef {object} Pace
 * @property {number} warmUpMs load before the measured part: compilers and allocators settle
 * @property {number} measureMs
 */

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

  await sleep(pace.warmUpMs);
  while (latencies.length === 0) await sleep(pace.warmUpMs);
  phase = 'measure';
  latencies = [];
  const cpuBeforeUs = cpuUs(pid);
  const beganMs = performance.now();
  do await sleep(pace.measureMs);
  while (latencies.length < MIN_CALLS);
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

/** @param {number} ms */
function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
