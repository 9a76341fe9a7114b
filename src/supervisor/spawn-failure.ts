import { existsSync } from 'node:fs';
import { basename } from 'node:path';

/** What was to be started. */
interface Attempt {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface SpawnFailure {
  /** Why the command could not be started, as a phrase without any value that a variable can stand for. */
  readonly reason: string;
  /** Where to look, for whoever runs the gateway. Names no argument. */
  readonly hint: string;
}

export function describeSpawnFailure(attempt: Attempt, error: unknown): SpawnFailure {
  const { command, cwd, env } = attempt;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  // The system reports a missing working directory with the same code as a missing command.
  if (code === 'ENOENT' && !existsSync(cwd)) {
    return failure('its working directory does not exist', `"${cwd}"`);
  }
  if (code === 'ENOENT' && basename(command) === command) {
    return failure('not found in PATH', `command "${command}", PATH ${pathOf(env) ?? 'not set'}`);
  }
  return failure(cause(code), `command "${command}"`);
}

function failure(why: string, hint: string): SpawnFailure {
  return { reason: `spawn failed: ${why}`, hint };
}

function cause(code: unknown): string {
  if (code === 'ENOENT') return 'no such file';
  if (code === 'EACCES') return 'it is not an executable file, or access is not allowed';
  return typeof code === 'string' ? code : 'for a reason that the system does not name';
}

function pathOf(env: Readonly<Record<string, string>>): string | undefined {
  const name = Object.keys(env).find((key) => key.toUpperCase() === 'PATH');
  return name === undefined ? undefined : env[name];
}
