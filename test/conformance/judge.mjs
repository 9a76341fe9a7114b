import { readFileSync } from 'node:fs';

/**
 * A scenario that cannot be asked of the gateway, and why.
 * @typedef {object} Exception
 * @property {string} set
 * @property {string} [target] the only target that it holds for; by default all
 * @property {string[]} scenarios
 * @property {'adapter' | 'nobody'} answeredBy `adapter`: it passes, but that is not the gateway's merit;
 *   `nobody`: it does not pass
 * @property {string} reason
 */

/**
 * What became of one scenario.
 * @typedef {object} Verdict
 * @property {string} scenario
 * @property {boolean} required whether the suite scores it
 * @property {'gateway' | 'adapter' | 'nobody'} answeredBy who is expected to make it pass
 * @property {string | undefined} difference what is not as it should be
 */

/** @type {Exception[]} */
const exceptions = JSON.parse(readFileSync(new URL('exceptions.json', import.meta.url), 'utf8'));

/**
 * Holds results against what is expected: everything passes that is no exception, and no exception is out of date.
 * @param {string} set
 * @param {string} target
 * @param {Map<string, import('./suite.mjs').Check[]>} results
 * @param {readonly string[]} required
 * @returns {Verdict[]}
 */
export function judge(set, target, results, required) {
  const answerers = answerersOf(set, target);
  const scenarios = new Set([...required, ...results.keys(), ...answerers.keys()]);
  return [...scenarios].map((scenario) => {
    const answeredBy = answerers.get(scenario) ?? 'gateway';
    return {
      scenario,
      required: required.includes(scenario),
      answeredBy,
      difference: differenceOf(results.get(scenario), answeredBy),
    };
  });
}

/**
 * The exceptions of a set at a target.
 * @param {string} set
 * @param {string} target
 */
export function exceptionsOf(set, target) {
  return exceptions.filter(
    (exception) => exception.set === set && (exception.target === undefined || exception.target === target),
  );
}

/**
 * @param {string} set
 * @param {string} target
 */
function answerersOf(set, target) {
  return new Map(
    exceptionsOf(set, target).flatMap(({ scenarios, answeredBy }) =>
      scenarios.map((scenario) => /** @type {const} */ ([scenario, answeredBy])),
    ),
  );
}

/**
 * @param {import('./suite.mjs').Check[] | undefined} checks
 * @param {Verdict['answeredBy']} answeredBy
 */
function differenceOf(checks, answeredBy) {
  if (checks === undefined) return 'the suite does not know it, or did not run it';
  const objections = objectionsTo(checks);
  if (answeredBy === 'nobody') {
    return objections.length === 0 ? 'it passes: the exception is out of date' : undefined;
  }
  return objections.length === 0 ? undefined : objections.join('\n');
}

/**
 * Why a scenario has not passed. A warning is an objection, and so is a check that was skipped: nothing passes because
 * nothing was looked at.
 * @param {import('./suite.mjs').Check[]} checks
 */
function objectionsTo(checks) {
  const objections = checks
    .filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO')
    .map(
      ({ id, status, errorMessage }) =>
        `${id}: ${status}${errorMessage === undefined ? '' : `: ${errorMessage}`}`,
    );
  const looked = checks.some(({ id, status }) => status === 'SUCCESS' && id !== 'wire-schema-valid');
  return looked || objections.length > 0 ? objections : ['nothing was checked'];
}
