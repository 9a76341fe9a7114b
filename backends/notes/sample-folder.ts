import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const samplePath = join('backends', 'notes', 'sample');

/**
 * The folder of notes that ships with this backend. The compiler copies no Markdown, so it stands in the
 * package's sources, above `start`, the folder of this module: in one place for `backends/` and
 * `dist/backends/`. Throws when it is missing.
 */
export function sampleFolder(start: string = dirname(fileURLToPath(import.meta.url))): string {
  for (let folder = start; ; folder = dirname(folder)) {
    const candidate = join(folder, samplePath);
    if (existsSync(candidate)) return candidate;
    if (folder === dirname(folder)) break;
  }
  throw new Error(`no ${samplePath} above ${start}; name a folder of notes with --dir DIR`);
}
