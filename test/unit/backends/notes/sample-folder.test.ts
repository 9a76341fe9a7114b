import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sampleFolder } from '../../../../backends/notes/sample-folder.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

describe('the sample that ships', () => {
  it.each(['backends/notes', 'dist/backends/notes'])('is found from %s', (folder) => {
    expect(sampleFolder(join(root, folder))).toBe(join(root, 'backends/notes/sample'));
    expect(readdirSync(sampleFolder())).toContain('Presupuesto 2027.md');
  });

  it('is missed with a hint when it is not there', () => {
    expect(() => sampleFolder('/nowhere/at/all')).toThrow(
      'above /nowhere/at/all; name a folder of notes with --dir',
    );
  });
});
