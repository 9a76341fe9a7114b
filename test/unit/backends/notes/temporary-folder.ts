import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The one way to a named pipe: Node has none of its own. */
const makePipe = 'mkfifo';

/** A folder `notes` with files, inside another folder where secrets may lie. Removed when the scope is left. */
export async function temporaryFolder(files: Readonly<Record<string, string | Buffer>> = {}) {
  const outside = await mkdtemp(join(tmpdir(), 'notes-'));
  const path = join(outside, 'notes');
  await mkdir(path);
  const write = (file: string, content: string | Buffer) => writeFile(join(path, file), content);
  for (const [file, content] of Object.entries(files)) await write(file, content);
  return {
    path,
    outside,
    write,
    /** Makes `file` a link; `target` is relative to the folder. */
    link: (file: string, target: string) => symlink(target, join(path, file)),
    pipe: (file: string) => execFileSync(makePipe, [join(path, file)]),
    [Symbol.asyncDispose]: () => rm(outside, { recursive: true, force: true }),
  };
}
