import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Caller } from './caller.mjs';
import { openPipes } from './channel.mjs';
import { pidOf, stop } from './child.mjs';
import { startServer } from './server.mjs';

/** What is compared, in the order of the table. All stand before the same backend. */
export const SIDES = /** @type {const} */ (['stdio', 'relay', 'gateway']);

/** @typedef {typeof SIDES[number]} SideName */

/**
 * @typedef {object} SideOptions
 * @property {number} [furtherTools] how many tools the backend has beyond its three
 * @property {import('./eras.mjs').ClientKind} [clientKind] how its clients speak; `legacy` by default
 * @property {import('./eras.mjs').Era} [backendEra] how the backend speaks, and no other way; `legacy` by default
 * @property {number} [connections] how many connections the gateway must allow, if more than by default
 */

/**
 * A running side.
 * @typedef {object} Side
 * @property {number} pid the process whose cost is measured
 * @property {(localName: string) => string} toolName what clients call a tool of the backend
 * @property {(count: number) => Promise<Caller[]>} connect opens that many connections, handshake done where
 *   the era has one; stdio has but one, and gives it that many times
 * @property {() => Promise<void>} stop
 */

const backendScript = fileURLToPath(new URL('echo-backend.mjs', import.meta.url));
const relayScript = fileURLToPath(new URL('plain-relay.mjs', import.meta.url));
const gatewayScript = fileURLToPath(new URL('../dist/src/main.js', import.meta.url));

/**
 * Starts one side in a fresh process.
 * @param {SideName} name
 * @param {SideOptions} options
 * @param {string[]} gatewayNodeArgs options of Node for the gateway's process, for profiling
 * @returns {Promise<Side>}
 */
export function startSide(name, options, gatewayNodeArgs) {
  const { furtherTools = 0, clientKind = 'legacy', backendEra = 'legacy' } = options;
  const backend = [backendScript, String(furtherTools), backendEra];
  switch (name) {
    case 'stdio':
      return startStdio(backend, clientKind);
    case 'relay':
      return startServer(
        [relayScript, process.execPath, ...backend],
        (local) => local,
        clientKind,
        () => undefined,
      );
    case 'gateway':
      return startGateway(backend, clientKind, options.connections, gatewayNodeArgs);
    default:
      throw new Error(`unknown side "${name}"; there are ${SIDES.join(', ')}`);
  }
}

/**
 * @param {string[]} backend
 * @param {import('./eras.mjs').ClientKind} clientKind
 * @returns {Promise<Side>}
 */
async function startStdio(backend, clientKind) {
  const child = spawn(process.execPath, backend, { stdio: ['pipe', 'pipe', 'inherit'] });
  const caller = new Caller(openPipes(child), clientKind);
  let greeted = false;
  return {
    pid: pidOf(child),
    toolName: (local) => local,
    async connect(count) {
      if (!greeted) await caller.open();
      greeted = true;
      return new Array(count).fill(caller);
    },
    stop: () => stop(child),
  };
}

/**
 * @param {string[]} backend
 * @param {import('./eras.mjs').ClientKind} clientKind
 * @param {number | undefined} connections
 * @param {string[]} nodeArgs
 */
function startGateway(backend, clientKind, connections, nodeArgs) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const configFile = join(folder, 'gateway.json');
  const limits = connections === undefined ? {} : { limits: { connections } };
  const mcpServers = { echo: { command: process.execPath, args: backend } };
  writeFileSync(configFile, JSON.stringify({ ...limits, mcpServers }));
  const anyPort = '127.0.0.1:0';
  return startServer(
    [...nodeArgs, gatewayScript, 'serve', '--config', configFile, '--listen', anyPort, '--admin', anyPort],
    (local) => `echo__${local}`,
    clientKind,
    () => rmSync(folder, { recursive: true, force: true }),
  );
}
