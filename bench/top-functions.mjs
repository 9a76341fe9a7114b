/** Lists the functions of a CPU profile by their own time. `node top-functions.mjs FILE.cpuprofile [how many]` */
import { readFileSync } from 'node:fs';

const [file, count = '25'] = process.argv.slice(2);
if (file === undefined) throw new Error('usage: node top-functions.mjs FILE.cpuprofile [how many]');

/**
 * @type {{
 *   nodes: { id: number, callFrame: { functionName: string, url: string, lineNumber: number } }[],
 *   samples: number[],
 *   timeDeltas: number[],
 * }}
 */
const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, 'utf8'));

const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
/** Microseconds. @type {Map<string, number>} */
const ownTimes = new Map();
for (const [i, id] of samples.entries()) {
  const name = names.get(id) ?? '(unknown)';
  ownTimes.set(name, (ownTimes.get(name) ?? 0) + timeDeltas[i]);
}

const busyUs = [...ownTimes].reduce((sum, [name, us]) => (name.startsWith('(idle)') ? sum : sum + us), 0);
console.log(`busy for ${(busyUs / 1000).toFixed(0)} ms; of these:`);
const sorted = [...ownTimes].filter(([name]) => !name.startsWith('(idle)')).sort(([, a], [, b]) => b - a);
for (const [name, us] of sorted.slice(0, Number(count))) {
  console.log(`${((100 * us) / busyUs).toFixed(1).padStart(5)} %  ${name}`);
}

/** @param {{ functionName: string, url: string, lineNumber: number }} frame */
function nameOf({ functionName, url, lineNumber }) {
  const where = url === '' ? '' : ` ${url.split('/').slice(-3).join('/')}:${lineNumber + 1}`;
  return `${functionName || '(anonymous)'}${where}`;
}
