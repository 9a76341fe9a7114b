import { setTimeout as sleep } from 'node:timers/promises';
import { openFilesLimit, residentMiB } from '../proc.mjs';

/** How many are opened at a time: fewer than a listener's usual backlog of 128. */
const BATCH = 50;

/** Files that a process has open besides its connections: libraries, pipes, listeners. */
const OTHER_FILES = 100;

/** Garbage of the handshakes is gone and memory stands still after this. */
const SETTLE_MS = 1000;

/**
 * The memory of the process when that many clients have shaken hands and do nothing.
 * @param {number} count
 * @returns {import('../scenarios.mjs').Run}
 */
export function idleConnections(count) {
  return async ({ start }) => {
    if (openFilesLimit() < count + OTHER_FILES) {
      throw new Error(
        `needs ${count + OTHER_FILES} open files, the limit is ${openFilesLimit()}; see ulimit -n`,
      );
    }
    const side = await start({ connections: count });
    const beganMs = performance.now();
    for (let opened = 0; opened < count; opened += BATCH) await side.connect(Math.min(BATCH, count - opened));
    const connectionsPerSecond = (count * 1000) / (performance.now() - beganMs);
    await sleep(SETTLE_MS);
    return { connectionsPerSecond, rssMiB: residentMiB(side.pid) };
  };
}
