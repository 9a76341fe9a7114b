/**
 * Measures one scenario on one side, once, in a process of its own, and prints the figures as one JSON line.
 * `node measure.mjs '{"scenario":"8x8","side":"relay","round":0,"pace":{…},"gatewayNodeArgs":[]}'`
 */
import { SCENARIOS } from './scenarios.mjs';
import { startSide } from './sides.mjs';

/** Longer than the slowest scenario takes on a slow machine; a side that hangs is given up. */
const GIVE_UP_MS = 120_000;

/** @type {{ scenario: string, side: import('./sides.mjs').SideName, round: number, pace: import('./load.mjs').Pace, gatewayNodeArgs: string[] }} */
const { scenario, side: name, round, pace, gatewayNodeArgs } = JSON.parse(process.argv[2]);

/** Also those still starting: they must be stopped too. @type {Promise<import('./sides.mjs').Side>[]} */
const started = [];

/** Whatever goes wrong outside of the scenario's own course, so that the sides are stopped in any case. */
const trouble = new Promise((_, reject) => {
  process.on('uncaughtException', reject);
  process.on('SIGTERM', () => reject(new Error('told to stop')));
  process.on('SIGINT', () => reject(new Error('interrupted')));
  setTimeout(() => reject(new Error(`no result after ${GIVE_UP_MS} ms`)), GIVE_UP_MS).unref();
});

/** @param {import('./sides.mjs').SideOptions} options */
function start(options) {
  const side = startSide(name, options, gatewayNodeArgs);
  started.push(side);
  return side;
}

try {
  const figures = await Promise.race([SCENARIOS[scenario].run({ start, pace, round, side: name }), trouble]);
  console.log(JSON.stringify(figures));
} catch (error) {
  console.error(`${scenario} on ${name}: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
} finally {
  await Promise.allSettled(started.map(async (side) => (await side).stop()));
}
// A scenario that was given up may still have timers running.
process.exit();
