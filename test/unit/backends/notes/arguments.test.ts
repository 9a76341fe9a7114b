import { describe, expect, it } from 'vitest';
import { folderArgument } from '../../../../backends/notes/arguments.js';

describe('the command line', () => {
  it.each([
    [[], undefined],
    [['--dir', 'a b'], 'a b'],
    [['--dir=notes'], 'notes'],
  ])('%j names the folder %j', (argv, folder) => {
    expect(folderArgument(argv)).toBe(folder);
  });

  it.each([[['--dir']], [['notes']], [['--folder', 'x']]])('%j is refused', (argv) => {
    expect(() => folderArgument(argv)).toThrow(TypeError);
  });
});
