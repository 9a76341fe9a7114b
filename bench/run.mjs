/** Compares the gateway with the plain relay and with bare stdio; see README.md beside it. */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { readFlags } from './flags.mjs';
import { table } from './report.mjs';
import { runRounds } from './rounds.mjs';

const { jsonFile, ...plan } = readFlags(process.argv.slice(2));
const measurements = await runRounds(plan);

if (jsonFile !== undefined) writeFileSync(jsonFile, `${JSON.stringify(measurements, undefined, 2)}\n`);
console.log(
  `Node ${process.versions.node}, ${cpus().length} processors, ${plan.rounds} rounds: median [least – most]`,
);
console.log(table(measurements, plan.scenarios));
if (measurements.some(({ figures }) => figures === undefined)) process.exitCode = 1;
