import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { stop } from '../../bench/child.mjs';

const program = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));
const fixture = fileURLToPath(new URL('fixture-backend.mjs', import.meta.url));

/** A gateway that has not started its one backend by then will not; the machine may be busy. */
const START_WITHIN_MS = 30_000;

/**
 * Starts the built gateway on a free port, with the fixture as its only backend, under its bare names.
 * @param {string} era `legacy` or `modern`: what the gateway is to speak with the fixture, which knows both
 * @returns {Promise<{ url: string, close(): Promise<void> }>}
 */
export async function startGateway(era) {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  const configFile = join(folder, 'gateway.json');
  // Only a process of its own may ask a client for its roots, unless its questions come with a call, as modern ones do.
  const sharing = era === 'legacy' ? 'per-client' : 'shared';
  const backend = { command: process.execPath, args: [fixture], namespace: '', era, sharing };
  writeFileSync(configFile, JSON.stringify({ mcpServers: { fixture: backend } }));
  const args = [program, 'serve', '--config', configFile, '--listen', '127.0.0.1:0', '--admin', 'off'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const close = async () => {
    await stop(child);
    rmSync(folder, { recursive: true });
  };
  try {
    return { url: await startedUrl(child), close };
  } catch (error) {
    await close();
    throw error;
  }
}

const worthSeeing = new Set(['warn', 'error', 'fatal']);

/**
 * @param {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, null>} child
 * @returns {Promise<string>}
 */
function startedUrl(child) {
  return new Promise((resolve, reject) => {
    /** @type {any[]} */
    const log = [];
    const fail = (/** @type {string} */ what) =>
      reject(new Error(`the gateway ${what}:\n${log.map((line) => JSON.stringify(line)).join('\n')}`));
    const giveUp = setTimeout(() => fail(`did not start within ${START_WITHIN_MS} ms`), START_WITHIN_MS);
    // Stays on for good: the log must be drained, or the gateway would block on it.
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line = JSON.parse(text);
      if (worthSeeing.has(line.level)) console.error(`gateway: ${text}`);
      log.push(line);
      if (line.msg !== 'started') return;
      clearTimeout(giveUp);
      resolve(log.find(({ msg }) => msg === 'listening').url);
    });
    child.once('exit', (code, signal) => {
      clearTimeout(giveUp);
      fail(`ended with ${signal ?? `exit code ${code}`}`);
    });
  });
}
