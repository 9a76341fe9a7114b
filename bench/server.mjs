import { spawn } from 'node:child_process';
import { Caller } from './caller.mjs';
import { openWebSocket } from './channel.mjs';
import { pidOf, stop } from './child.mjs';
import { lineReader } from './lines.mjs';

/** A server that has not said by then where it listens will not; the machine may be busy. */
const LISTEN_WITHIN_MS = 20_000;

/** How many of its first lines are shown if it does not. */
const KEPT_LINES = 20;

/**
 * Starts a WebSocket server that says where it listens in a JSON line on stdout.
 * @param {string[]} nodeArgs
 * @param {(localName: string) => string} toolName
 * @param {import('./eras.mjs').ClientKind} clientKind
 * @param {() => void} cleanUp
 * @returns {Promise<import('./sides.mjs').Side>}
 */
export async function startServer(nodeArgs, toolName, clientKind, cleanUp) {
  const child = spawn(process.execPath, nodeArgs, { stdio: ['ignore', 'pipe', 'inherit'] });
  /** @type {Caller[]} */
  const callers = [];
  const stopServer = async () => {
    for (const caller of callers) caller.close();
    await stop(child);
    cleanUp();
  };
  try {
    const url = await listeningUrl(child);
    return {
      pid: pidOf(child),
      toolName,
      async connect(count) {
        const opened = await Promise.all(Array.from({ length: count }, () => openWebSocket(url)));
        const fresh = opened.map((channel) => new Caller(channel, clientKind));
        callers.push(...fresh);
        await Promise.all(fresh.map((caller) => caller.open()));
        return fresh;
      },
      stop: stopServer,
    };
  } catch (error) {
    await stopServer();
    throw error;
  }
}

/**
 * @param {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, null>} child
 * @returns {Promise<string>}
 */
function listeningUrl(child) {
  return new Promise((resolve, reject) => {
    /** @type {string[]} */
    const said = [];
    const fail = (/** @type {string} */ what) => reject(new Error(`the server ${what}:\n${said.join('\n')}`));
    const giveUp = setTimeout(() => fail(`did not listen within ${LISTEN_WITHIN_MS} ms`), LISTEN_WITHIN_MS);
    // Stays on for good: the log must be drained, or the process would block on it.
    const read = lineReader((line) => {
      const text = line.toString();
      if (said.length < KEPT_LINES) said.push(text);
      if (!text.includes('"msg":"listening"')) return;
      clearTimeout(giveUp);
      resolve(JSON.parse(text).url);
    });
    child.stdout.on('data', read);
    child.once('exit', (code, signal) => {
      clearTimeout(giveUp);
      fail(`ended (${signal ?? `exit code ${code}`}) before it listened`);
    });
  });
}
