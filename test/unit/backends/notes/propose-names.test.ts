import { describe, expect, it } from 'vitest';
import { sortProposals } from '../../../../backends/notes/propose-names.js';

describe('the names proposed for what was typed', () => {
  const names = ['Acta', 'La reunión', 'Reunión de abril', 'Reunión de mayo'];

  it.each([
    ['', names],
    ['REUNION', ['Reunión de abril', 'Reunión de mayo', 'La reunión']],
    ['mayo', ['Reunión de mayo']],
    ['zzz', []],
  ])('contain %j, and those that begin with it come first', (typed, proposals) => {
    expect(sortProposals(names, typed)).toEqual(proposals);
  });
});
