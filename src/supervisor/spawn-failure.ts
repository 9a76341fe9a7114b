import { existsSync } from 'node:fs';
import { basename } from 'node:path';

/** What was to be started. */
interface Attempt {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Why a command could not be started, as a phrase that says where to look. Names no argument and no value. */
export function describeSpawnFailure(attempt: Attempt, error: unknown): string {
  return `spawn of "${attempt.command}" failed: ${cause(attempt, error)}`;
}

function cause({ command, cwd, env }: Attempt, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  // The system reports a missing working directory with the same code as a missing command.
  if (code === 'ENOENT' && !existsSync(cwd)) return `its working directory "${cwd}" does not exist`;
  if (code === 'ENOENT' && basename(command) === command) {
    return `not found in PATH ${pathOf(env) ?? '(which is not set)'}`;
  }
  if (code === 'ENOENT') return 'no such file';
  if (code === 'EACCES') return 'it is not an executable file, or access is not allowed';
  if (typeof code === 'string') return code;
  return error instanceof Error ? error.message : String(error);
}

function pathOf(env: Readonly<Record<string, string>>): string | undefined {
  const name = Object.keys(env).find((key) => key.toUpperCase() === 'PATH');
  return name === undefined ? undefined : env[name];
}
