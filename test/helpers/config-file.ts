import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of its own for one test, gone afterwards. */
export interface TemporaryFolder extends Disposable {
  readonly path: string;
  /** Writes a file into it and gives its path. */
  write(name: string, content: string | object): string;
}

export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'switchboard-test-'));
  return {
    path,
    write(name, content) {
      const file = join(path, name);
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
      return file;
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}
