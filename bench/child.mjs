import { once } from 'node:events';

/** How long a side may take to end by itself before it is killed. */
const STOP_GRACE_MS = 5000;

/** @param {import('node:child_process').ChildProcess} child */
export function pidOf(child) {
  if (child.pid === undefined) throw new Error(`could not start ${child.spawnargs.join(' ')}`);
  return child.pid;
}

/**
 * Asks for an end (end of input, SIGTERM), and insists (SIGKILL) when the grace is over.
 * @param {import('node:child_process').ChildProcess} child
 */
export async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.stdin?.end();
  child.kill('SIGTERM');
  const insist = setTimeout(() => child.kill('SIGKILL'), STOP_GRACE_MS);
  await exited;
  clearTimeout(insist);
}
