import { describe, expect, it } from 'vitest';
import { legacyDialect } from '../../../src/eras/legacy/dialect.js';
import { modernDialect } from '../../../src/eras/modern/dialect.js';
import { metaKeys } from '../../../src/protocol/fields.js';
import { parsed, serverInfo } from './messages.js';

const about = { resultType: 'complete', _meta: { [metaKeys.serverInfo]: serverInfo } };
const dialects = [
  { era: 'legacy', dialect: legacyDialect, added: {}, cache: {}, unknown: 'resourceNotFound' },
  {
    era: 'modern',
    dialect: modernDialect(serverInfo),
    added: about,
    cache: { ttlMs: 0, cacheScope: 'private' },
    unknown: 'invalidParams',
  },
] as const;

describe.each(dialects)('the gateway’s own answers in the $era era', ({ dialect, added, cache, unknown }) => {
  it('say in a result what the era wants said', () => {
    const reply = parsed(dialect.result('"x"', { content: [], isError: true }));
    expect(reply).toEqual({ jsonrpc: '2.0', id: 'x', result: { content: [], isError: true, ...added } });
  });

  it('say in a page how long it may be kept, too', () => {
    const reply = parsed(dialect.page('1', Buffer.from('"tools":[{"name":"t"}]}}')));
    expect(reply).toEqual({ jsonrpc: '2.0', id: 1, result: { tools: [{ name: 't' }], ...added, ...cache } });
  });

  it('have a code for a resource that nobody has', () => {
    expect(dialect.unknownResource).toBe(unknown);
  });
});
