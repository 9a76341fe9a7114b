import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('node_modules/', import.meta.url));
const suite = join(packages, '@modelcontextprotocol/conformance/dist/index.js');

/** The suite imports what Node has since then. */
const NEEDED_NODE_MAJOR = 22;

/** A set takes ten seconds; a hanging scenario is given up by the suite itself after thirty. */
const GIVE_UP_AFTER_MS = 300_000;

/**
 * @typedef {object} Check
 * @property {string} id
 * @property {'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'} status
 * @property {string} [errorMessage]
 */

/**
 * Runs every server scenario of a requirement set, the unscored ones too.
 * @param {string} set
 * @param {string} url
 * @returns {Promise<Map<string, Check[]>>} checks by scenario
 */
export async function runSuite(set, url) {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  try {
    const args = ['server', '--url', url, '--requirements', set, '--output-dir', folder];
    const child = spawn(findNode(), [suite, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
    const giveUp = setTimeout(() => child.kill('SIGKILL'), GIVE_UP_AFTER_MS);
    const [code, signal] = await once(child, 'exit');
    clearTimeout(giveUp);
    const results = readResults(folder);
    if (signal !== null || results.size === 0) {
      throw new Error(`the suite ended with ${signal ?? `exit code ${code}`} and ${results.size} results`);
    }
    return results;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * The server scenarios that a set scores.
 * @param {string} set
 * @returns {string[]}
 */
export function requiredScenarios(set) {
  const file = join(packages, `@modelcontextprotocol/conformance/requirements/${set}.yaml`);
  const block = /^server:\n((?: {2}- .*\n)+)/m.exec(readFileSync(file, 'utf8'))?.[1];
  if (block === undefined) throw new Error(`${file} has no list of server scenarios`);
  return block
    .trim()
    .split('\n')
    .map((line) => line.replace('- ', '').trim());
}

/** @param {string} folder with one folder per scenario: `server-<scenario>-<time>` */
function readResults(folder) {
  const results = new Map();
  for (const name of readdirSync(folder)) {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name)?.[1];
    if (scenario === undefined) throw new Error(`the suite left a folder of unknown meaning: ${name}`);
    const file = join(folder, name, 'checks.json');
    // A scenario that ended with an exception of its own leaves none.
    results.set(scenario, existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []);
  }
  return results;
}

/** This Node if it is new enough, else the one that was installed beside the suite. */
function findNode() {
  if (Number(process.versions.node.split('.')[0]) >= NEEDED_NODE_MAJOR) return process.execPath;
  const beside = join(packages, `node-${process.platform}-${process.arch}/bin/node`);
  if (existsSync(beside)) return beside;
  throw new Error(
    `the suite needs Node ${NEEDED_NODE_MAJOR}, and none is packaged for ${process.platform} on ${process.arch}; ` +
      `run this with Node ${NEEDED_NODE_MAJOR} or later`,
  );
}
