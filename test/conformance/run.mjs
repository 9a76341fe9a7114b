/** Runs the official conformance suite against the built gateway; README.md beside it says how to read the outcome. */
import { parseArgs } from 'node:util';
import { startAdapter } from './adapter/http-adapter.mjs';
import { startDirectServer } from './direct-server.mjs';
import { startGateway } from './gateway.mjs';
import { judge } from './judge.mjs';
import { differencesIn, report } from './report.mjs';
import { requiredScenarios, runSuite } from './suite.mjs';

const usage = `node test/conformance/run.mjs [options]
  --set 2025-11-25|2026-07-28   only this requirement set
  --target legacy|modern|direct only this behind the socket: the gateway, speaking one era with the fixture, or
                                the fixture itself, which is no part of an ordinary run
  --trace                       every message on the sockets, on stderr`;

const { values } = parseArgs({
  options: {
    set: { type: 'string' },
    target: { type: 'string' },
    trace: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}

const sets = pick('--set', values.set, ['2025-11-25', '2026-07-28']);
const targets = pick('--target', values.target, ['legacy', 'modern'], ['direct']);
const trace = values.trace
  ? (/** @type {string} */ arrow, /** @type {string} */ text) => console.error(arrow, text)
  : () => undefined;

const runs = [];
for (const set of sets) {
  for (const target of targets) {
    console.error(`${set}, ${target} …`);
    const results = await resultsOf(set, target);
    runs.push({ set, target, verdicts: judge(set, target, results, requiredScenarios(set)) });
  }
}
console.log(report(runs));
const found = differencesIn(runs);
if (found.length > 0) {
  console.log(`\n${found.length} differences from what is expected:\n\n${found.join('\n\n')}`);
  process.exitCode = 1;
}

/**
 * @param {string} flag
 * @param {string | undefined} wanted
 * @param {string[]} ordinary what is taken if nothing is wanted
 * @param {string[]} [others] what else may be wanted
 */
function pick(flag, wanted, ordinary, others = []) {
  if (wanted === undefined) return ordinary;
  const known = [...ordinary, ...others];
  if (!known.includes(wanted)) throw new Error(`${flag}: unknown "${wanted}"; there are ${known.join(', ')}`);
  return [wanted];
}

/**
 * @param {string} set
 * @param {string} target
 */
async function resultsOf(set, target) {
  const server = await startTarget(set, target);
  try {
    const adapter = await startAdapter(server.url, trace);
    try {
      return await runSuite(set, adapter.url);
    } finally {
      adapter.close();
    }
  } finally {
    await server.close();
  }
}

/**
 * @param {string} set
 * @param {string} target
 */
function startTarget(set, target) {
  return target === 'direct' ? startDirectServer(set === '2026-07-28') : startGateway(target);
}
