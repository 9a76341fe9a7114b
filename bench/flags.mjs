import { parseArgs } from 'node:util';
import { SCENARIOS } from './scenarios.mjs';
import { SIDES } from './sides.mjs';

const USAGE = `node bench/run.mjs [options]
  --rounds N                 how often each scenario runs on each side (default 5)
  --only NAME[,NAME]         only these scenarios: ${Object.keys(SCENARIOS).join(', ')}
  --sides NAME[,NAME]        only these sides: ${SIDES.join(', ')}
  --quick                    short measurements, to see that everything works
  --json FILE                write every single figure there
  --gateway-node-args=ARGS   options of Node for the gateway, e.g. "--cpu-prof --cpu-prof-dir=profiles"`;

/** The gateway needs 0.8 s of processor time until its small calls cost no less from second to second. */
const USUAL_PACE = { warmUpCpuMs: 1000, measureCpuMs: 600 };
const QUICK_PACE = { warmUpCpuMs: 100, measureCpuMs: 200 };

/**
 * @param {string[]} args
 */
export function readFlags(args) {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '5' },
      only: { type: 'string' },
      sides: { type: 'string' },
      quick: { type: 'boolean', default: false },
      json: { type: 'string' },
      'gateway-node-args': { type: 'string', default: '' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    process.exit(0);
  }
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new Error(`--rounds: expected an integer ≥ 1, got "${values.rounds}"`);
  return {
    rounds,
    scenarios: pick('--only', Object.keys(SCENARIOS), values.only),
    sides: pick('--sides', SIDES, values.sides),
    pace: values.quick ? QUICK_PACE : USUAL_PACE,
    jsonFile: values.json,
    gatewayNodeArgs: values['gateway-node-args'].split(' ').filter((arg) => arg !== ''),
  };
}

/**
 * @template {string} Name
 * @param {string} flag
 * @param {readonly Name[]} known
 * @param {string | undefined} wanted
 * @returns {readonly Name[]}
 */
function pick(flag, known, wanted) {
  if (wanted === undefined) return known;
  const names = wanted.split(',');
  const stranger = names.find((name) => !known.includes(/** @type {Name} */ (name)));
  if (stranger !== undefined)
    throw new Error(`${flag}: unknown "${stranger}"; there are ${known.join(', ')}`);
  return known.filter((name) => names.includes(name));
}
