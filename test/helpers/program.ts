import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The built program; `npm test` builds it first. */
export const mainPath = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));

/** How a process ended: its exit code, or the signal that ended it. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface RunResult extends Ending {
  readonly stdout: string;
  readonly stderr: string;
}

/** The variables a program under test starts with: what finds Node, and nothing of the tester's own. */
export function baseEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR } = process.env;
  return { PATH, HOME, ...(TMPDIR === undefined ? {} : { TMPDIR }) };
}

/** Starts the built program; its lines on stdout go to `onLine`. */
export function spawnMain(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  onLine: (line: string) => void,
): { child: ChildProcess; stderr: () => string; ending: Promise<Ending> } {
  const child = spawn(process.execPath, [mainPath, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  createInterface({ input: child.stdout as NonNullable<typeof child.stdout> }).on('line', onLine);
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const ending = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  return { child, stderr: () => stderr, ending };
}

/** Runs the built program to its end, as a person at a shell would. */
export async function runMain(
  args: readonly string[],
  env: Readonly<Record<string, string>> = baseEnvironment(),
): Promise<RunResult> {
  const lines: string[] = [];
  const { ending, stderr } = spawnMain(args, env, (line) => lines.push(line));
  const end = await ending;
  return { ...end, stdout: lines.join('\n'), stderr: stderr() };
}
