import { exceptionsOf } from './judge.mjs';

/**
 * One requirement set against one target.
 * @typedef {object} Run
 * @property {string} set
 * @property {string} target
 * @property {import('./judge.mjs').Verdict[]} verdicts
 */

/** @type {Record<string, string>} */
const targets = {
  legacy: 'gateway, legacy backend',
  modern: 'gateway, modern backend',
  direct: 'fixture alone',
};

const headers = [
  'requirement set',
  'behind the socket',
  'scenarios',
  'passed',
  'adapter',
  'nobody',
  'differ',
];

/**
 * The table that the README shows, and under it the reasons of all exceptions.
 * @param {readonly Run[]} runs
 */
export function report(runs) {
  const rows = runs.flatMap(({ set, target, verdicts }) => [
    [set, targets[target], ...countsOf(verdicts, true)],
    [set, targets[target], ...countsOf(verdicts, false)],
  ]);
  const table = [headers, headers.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return [...table, '', ...reasonsOf(runs)].join('\n');
}

/**
 * Every difference between what came and what should have come, one paragraph each.
 * @param {readonly Run[]} runs
 */
export function differencesIn(runs) {
  return runs.flatMap(({ set, target, verdicts }) =>
    verdicts.flatMap(({ scenario, difference }) =>
      difference === undefined
        ? []
        : [`${set}, ${target}: ${scenario}\n${difference.replaceAll(/^/gm, '  ')}`],
    ),
  );
}

/**
 * @param {readonly import('./judge.mjs').Verdict[]} verdicts
 * @param {boolean} required
 */
function countsOf(verdicts, required) {
  const counted = verdicts.filter((verdict) => verdict.required === required);
  const asExpected = counted.filter(({ difference }) => difference === undefined);
  const by = (/** @type {string} */ who) => asExpected.filter(({ answeredBy }) => answeredBy === who).length;
  return [
    `${counted.length} ${required ? 'required' : 'others'}`,
    by('gateway'),
    by('adapter'),
    by('nobody'),
    counted.length - asExpected.length,
  ];
}

/** @param {readonly Run[]} runs */
function reasonsOf(runs) {
  const lines = runs.flatMap(({ set, target }) =>
    exceptionsOf(set, target).map((exception) => {
      const scenarios = exception.scenarios.map((scenario) => `\`${scenario}\``).join(', ');
      const where = exception.target === undefined ? set : `${set}, ${exception.target}`;
      return `- ${where}: ${scenarios} (${exception.answeredBy}). ${exception.reason}`;
    }),
  );
  return new Set(lines);
}
