import { describe, expect, it } from 'vitest';
import { errorCodes } from '../../../src/protocol/errors.js';
import { marked, readDocument, tableRows } from '../../helpers/markdown.js';

const rows = tableRows(marked(readDocument('src/protocol/README.md'), 'errors'));

describe('the error table of the wire document', () => {
  it('has the codes and names of the code, each once, and no others', () => {
    const documented = rows.map(([code, name]) => `${code} ${name}`);
    const sent = Object.entries(errorCodes).map(([name, { code }]) => `${code} ${name}`);
    expect(documented.sort()).toEqual(sent.sort());
  });

  it('says of every code when it is sent', () => {
    expect(rows.filter(([, , when = '']) => when.length < 10)).toEqual([]);
  });
});
