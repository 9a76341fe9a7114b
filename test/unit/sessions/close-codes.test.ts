import { describe, expect, it } from 'vitest';
import { closeCodes } from '../../../src/sessions/close-codes.js';
import { marked, readDocument, tableRows } from '../../helpers/markdown.js';

const rows = tableRows(marked(readDocument('src/protocol/README.md'), 'close codes'));

describe('the close codes of the wire document', () => {
  it('have the names of the code where sessions send them, and no other name', () => {
    const documented = rows.filter(([, name]) => name !== '').map(([code, name]) => [name, Number(code)]);
    expect(Object.fromEntries(documented)).toEqual(closeCodes);
  });

  it('are each there once, with what the client should do', () => {
    const codes = rows.map(([code]) => code);
    expect(codes).toEqual([...new Set(codes)].sort());
    expect(rows.filter(([, , when, reconnect]) => when === '' || reconnect === '')).toEqual([]);
  });
});
