import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { SCENARIOS } from './scenarios.mjs';
import { turned } from './turned.mjs';

const measureScript = fileURLToPath(new URL('measure.mjs', import.meta.url));

/** @typedef {import('./sides.mjs').SideName} SideName */

/**
 * What one scenario gave on one side in one round; no figures if it failed.
 * @typedef {object} Measurement
 * @property {number} round
 * @property {string} scenario
 * @property {SideName} side
 * @property {Record<string, number> | undefined} figures
 */

/**
 * @typedef {object} Plan
 * @property {number} rounds
 * @property {readonly string[]} scenarios
 * @property {readonly SideName[]} sides
 * @property {import('./load.mjs').Pace} pace
 * @property {string[]} gatewayNodeArgs
 */

/**
 * Runs all rounds. The sides of a scenario follow each other at once, in an order that turns from round to
 * round (A B C, B C A, C A B, …), so that whatever else the machine does falls on all of them alike.
 * @param {Plan} plan
 * @returns {Promise<Measurement[]>}
 */
export async function runRounds({ rounds, scenarios, sides, pace, gatewayNodeArgs }) {
  /** @type {Measurement[]} */
  const measurements = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const scenario of scenarios) {
      for (const side of turned(sides, round)) {
        if (!SCENARIOS[scenario].sides.includes(side)) continue;
        process.stderr.write(`round ${round + 1} of ${rounds}: ${scenario} on ${side}\n`);
        const figures = await measure(JSON.stringify({ scenario, side, round, pace, gatewayNodeArgs }));
        measurements.push({ round, scenario, side, figures });
      }
    }
  }
  return measurements;
}

/**
 * @param {string} task
 * @returns {Promise<Record<string, number> | undefined>}
 */
async function measure(task) {
  const child = spawn(process.execPath, [measureScript, task], { stdio: ['ignore', 'pipe', 'inherit'] });
  // The child stops what it started before it ends; then this process ends too.
  const passOn = () => {
    child.kill('SIGTERM');
    child.once('close', () => process.exit(1));
  };
  process.once('SIGINT', passOn);
  process.once('SIGTERM', passOn);
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  const [code] = await once(child, 'close');
  process.off('SIGINT', passOn);
  process.off('SIGTERM', passOn);
  return code === 0 ? JSON.parse(said) : undefined;
}
