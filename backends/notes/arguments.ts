import { parseArgs } from 'node:util';

/** The folder that the command line names with `--dir DIR`, if any. Throws a `TypeError` for anything else. */
export function folderArgument(argv: readonly string[]): string | undefined {
  const { values } = parseArgs({ args: [...argv], options: { dir: { type: 'string' } } });
  return values.dir;
}
