import { describe, expect, it } from 'vitest';
import { readMessage } from '../../../src/protocol/envelope.js';
import type { JsonObject } from '../../../src/protocol/json.js';
import type { ListKind } from '../../../src/protocol/listing.js';
import type { BackendKey } from '../../../src/shared/ids.js';
import { BackendError } from '../../../src/supervisor/backend-error.js';
import { kindsAnnouncedBy, ListingReader } from '../../../src/supervisor/listing-reader.js';
import type { Ask } from '../../../src/supervisor/listing-walk.js';
import { createFakeClock } from '../../helpers/fake-clock.js';

type Reply = { result: unknown } | { error: unknown } | BackendError;

const methodNotFound = { error: { code: -32601, message: 'no such method' } };

function readerOf(
  capabilities: JsonObject,
  reply: (method: string, params: JsonObject | undefined) => Reply,
) {
  const asked: string[] = [];
  const clock = createFakeClock();
  const ask: Ask = async (method, params) => {
    asked.push(params === undefined ? method : `${method} ${JSON.stringify(params.cursor)}`);
    const replied = reply(method, params);
    if (replied instanceof BackendError) throw replied;
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, ...replied });
    const message = readMessage(Buffer.from(text), { maxDepth: Number.POSITIVE_INFINITY });
    if (message.kind !== 'response') throw new Error('not a response');
    return message;
  };
  const reader = new ListingReader(ask, clock, capabilities);
  const names = (kind: ListKind) => reader.listing.entries[kind].map(({ identifier }) => identifier);
  return { asked, clock, reader, names };
}

describe('which lists are asked for', () => {
  it('are the advertised ones, and tools in any case', async () => {
    const { asked, reader, names } = readerOf({ prompts: {} }, (method) =>
      method === 'prompts/list' ? { result: { prompts: [{ name: 'p' }] } } : methodNotFound,
    );
    await reader.read();
    expect(asked.sort()).toEqual(['prompts/list', 'tools/list']);
    expect(names('prompts')).toEqual(['p']);
    expect(reader.listing.warnings).toEqual([]);
  });

  it('include tools that work although nothing is advertised', async () => {
    const { reader, names } = readerOf({}, () => ({ result: { tools: [{ name: 't' }] } }));
    await reader.read();
    expect(names('tools')).toEqual(['t']);
  });

  it('are not asked for again by a process that does not know the method', async () => {
    const { asked, reader } = readerOf({ resources: {}, tools: {} }, (method) =>
      method === 'tools/list' ? { result: { tools: [] } } : methodNotFound,
    );
    await reader.read();
    expect(reader.listing.warnings).toEqual([
      'resources/list: answered with error -32601: no such method',
      'resources/templates/list: answered with error -32601: no such method',
    ]);
    asked.length = 0;
    await reader.read();
    expect(asked).toEqual(['tools/list']);
  });

  it('are those that a notice names', () => {
    expect(kindsAnnouncedBy('notifications/tools/list_changed')).toEqual(['tools']);
    expect(kindsAnnouncedBy('notifications/resources/list_changed')).toEqual([
      'resources',
      'resourceTemplates',
    ]);
    expect(kindsAnnouncedBy('notifications/resources/updated')).toBeUndefined();
  });
});

describe('reading a list', () => {
  it('reads all pages, where the empty string is a cursor too', async () => {
    const pages: Record<string, JsonObject> = {
      none: { tools: [{ name: 'a' }], nextCursor: '' },
      '': { tools: [{ name: 'b' }], nextCursor: 'p3' },
      p3: { tools: [{ name: 'c' }] },
    };
    const { asked, reader, names } = readerOf({ tools: {} }, (_method, params) => ({
      result: pages[String(params?.cursor ?? 'none')],
    }));
    await reader.read();
    expect(names('tools')).toEqual(['a', 'b', 'c']);
    expect(asked).toEqual(['tools/list', 'tools/list ""', 'tools/list "p3"']);
  });

  it('ends at a cursor that came before, with what was read', async () => {
    const { asked, reader, names } = readerOf({ tools: {} }, (_method, params) => ({
      result: {
        tools: [{ name: `t${params?.cursor ?? ''}` }],
        nextCursor: params?.cursor === 'a' ? 'b' : 'a',
      },
    }));
    await reader.read();
    expect(asked).toHaveLength(3);
    expect(names('tools')).toEqual(['t', 'ta', 'tb']);
    expect(reader.listing.warnings).toEqual(['tools/list: stopped on page 3: its cursor came before']);
  });

  it('ends after 1000 pages', async () => {
    let page = 0;
    const { asked, reader, names } = readerOf({ tools: {} }, () => {
      page += 1;
      return { result: { tools: [{ name: `t${page}` }], nextCursor: `p${page}` } };
    });
    await reader.read();
    expect(asked).toHaveLength(1_000);
    expect(names('tools')).toHaveLength(1_000);
    expect(reader.listing.warnings).toEqual(['tools/list: stopped after 1000 pages']);
  });

  it('ends after 10000 entries', async () => {
    let page = 0;
    const { reader, names } = readerOf({ tools: {} }, () => {
      page += 1;
      const tools = Array.from({ length: 3_000 }, (_, index) => ({ name: `t${page}-${index}` }));
      return { result: { tools, nextCursor: `p${page}` } };
    });
    await reader.read();
    expect(names('tools')).toHaveLength(10_000);
    expect(reader.listing.warnings).toEqual(['tools/list: stopped after 10000 entries']);
  });

  it('warns when its last page goes beyond 10000 entries', async () => {
    const tools = Array.from({ length: 10_001 }, (_, index) => ({ name: `t${index}` }));
    const { reader, names } = readerOf({ tools: {} }, () => ({ result: { tools } }));
    await reader.read();
    expect(names('tools')).toHaveLength(10_000);
    expect(reader.listing.warnings).toEqual(['tools/list: stopped after 10000 entries']);
  });

  it('tells of a hundred faults one by one, whatever the number of pages', async () => {
    let page = 0;
    const { reader } = readerOf({ tools: {} }, () => {
      page += 1;
      return { result: { tools: [{}, {}], nextCursor: page < 300 ? `${page}` : undefined } };
    });
    await reader.read();
    const { warnings } = reader.listing;
    expect(warnings).toHaveLength(101);
    expect(warnings.at(-1)).toBe('tools/list: 500 further warnings');
  });

  it('ends after 16 MiB, be they entries or cursors', async () => {
    const long = 'x'.repeat(5 * 1024 * 1024);
    let page = 0;
    const { asked, reader, names } = readerOf({ tools: {}, prompts: {} }, (method) => {
      page += 1;
      return method === 'tools/list'
        ? { result: { tools: [{ name: `t${page}`, description: long }], nextCursor: `p${page}` } }
        : { result: { prompts: [], nextCursor: `${page}${long}` } };
    });
    await reader.read();
    expect(asked).toHaveLength(8);
    expect(names('tools')).toHaveLength(4);
    expect(reader.listing.warnings).toEqual([
      'tools/list: stopped after 16 MiB, on page 4',
      'prompts/list: stopped after 16 MiB, on page 4',
    ]);
  });

  it('takes a last page of whatever size', async () => {
    const description = 'x'.repeat(17 * 1024 * 1024);
    const { reader, names } = readerOf({ tools: {} }, () => ({
      result: { tools: [{ name: 't', description }] },
    }));
    await reader.read();
    expect(names('tools')).toEqual(['t']);
    expect(reader.listing.warnings).toEqual([]);
  });

  it('ends after 60 s', async () => {
    let page = 0;
    const { clock, reader, names } = readerOf({ tools: {} }, () => {
      page += 1;
      clock.advance(25_000);
      return { result: { tools: [{ name: `t${page}` }], nextCursor: `p${page}` } };
    });
    await reader.read();
    expect(names('tools')).toEqual(['t1', 't2', 't3']);
    expect(reader.listing.warnings).toEqual(['tools/list: stopped after 60 s, on page 4']);
  });

  it('gives nothing of a kind whose list is an error, and everything of the others', async () => {
    const { reader, names } = readerOf({ tools: {}, prompts: {} }, (method) =>
      method === 'tools/list'
        ? { error: { code: -32603, message: 'boom' } }
        : { result: { prompts: [{ name: 'p' }] } },
    );
    await reader.read();
    expect(names('tools')).toEqual([]);
    expect(names('prompts')).toEqual(['p']);
    expect(reader.listing.warnings).toEqual(['tools/list: answered with error -32603: boom']);
  });

  it('keeps the pages before an error or a silence', async () => {
    const silence = new BackendError('b1' as BackendKey, 'timed-out', 'no answer within 60 s');
    const { reader, names } = readerOf({ tools: {} }, (_method, params) =>
      params === undefined ? { result: { tools: [{ name: 'a' }], nextCursor: 'p2' } } : silence,
    );
    await reader.read();
    expect(names('tools')).toEqual(['a']);
    expect(reader.listing.warnings).toEqual(['tools/list: stopped on page 2 (no answer within 60 s)']);
  });

  it('warns of a list that is none', async () => {
    const { reader, names } = readerOf({ tools: {} }, () => ({ result: { tools: null } }));
    await reader.read();
    expect(names('tools')).toEqual([]);
    expect(reader.listing.warnings).toHaveLength(1);
  });

  it('knows nothing when the process ends meanwhile', async () => {
    const ended = new BackendError('b1' as BackendKey, 'ended', 'exit code 1');
    const { reader } = readerOf({ tools: {} }, () => ended);
    await expect(reader.read()).rejects.toBe(ended);
  });
});

describe('reading again', () => {
  it('tells whether an entry differs, and leaves the other lists as they are', async () => {
    let description = 'old';
    const { asked, reader, names } = readerOf({ tools: {}, prompts: {} }, (method) =>
      method === 'tools/list'
        ? { result: { tools: [{ name: 'a', description }] } }
        : { result: { prompts: [{ name: 'p' }] } },
    );
    expect(await reader.read()).toBe(true);
    expect(await reader.read(['tools'])).toBe(false);
    description = 'new';
    asked.length = 0;
    expect(await reader.read(['tools'])).toBe(true);
    expect(asked).toEqual(['tools/list']);
    expect(names('prompts')).toEqual(['p']);
  });
});
