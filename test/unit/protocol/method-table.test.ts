import { describe, expect, it } from 'vitest';
import { methodRules } from '../../../src/protocol/methods.js';
import { marked, readDocument, tableRows } from '../../helpers/markdown.js';

describe('the method table of the wire document', () => {
  it('has what clients may send, and no other method of theirs', () => {
    const rows = tableRows(marked(readDocument('src/protocol/README.md'), 'methods'));
    const documented = rows
      .filter(([from]) => from === 'client')
      .flatMap(([, methods = '']) => [...methods.matchAll(/`([^`]+)`/g)].map(([, method]) => method));
    const known = methodRules.filter(({ from }) => from === 'client').map(({ method }) => method);
    expect(documented.sort()).toEqual(known.sort());
  });
});
