import { describe, expect, it } from 'vitest';
import { defineTool, type Tool, type ToolContext, ToolError } from '../../../../backends/kit/definition.js';
import type { JsonObject } from '../../../../src/protocol/json.js';
import { code, message, startServer } from './started-server.js';

const annotations = { readOnlyHint: true, idempotentHint: true };
const anything = { type: 'object', properties: {} } as const;

/** A tool without arguments that does what it is told. */
function tool(name: string, handler: (context: ToolContext) => unknown): Tool {
  const run: Tool['run'] = async (_input, context) => ({ structured: await handler(context) });
  return {
    name,
    title: name,
    description: name,
    annotations,
    inputSchema: anything,
    outputSchema: anything,
    run,
  };
}

const greet = defineTool({
  name: 'greet',
  title: 'Greet',
  description: 'Greets somebody',
  inputSchema: {
    type: 'object',
    properties: { who: { type: 'string' } },
    required: ['who'],
    additionalProperties: false,
  },
  outputSchema: { type: 'object', properties: { greeting: { type: 'string' } }, required: ['greeting'] },
  annotations,
  handler: ({ who }) => ({ text: `Hello, ${who}`, structured: { greeting: `Hello, ${who}` } }),
});

function start(...tools: Tool[]) {
  const started = startServer({ tools });
  const { ask, receive } = started;
  const call = (name: string, input?: JsonObject) =>
    ask('tools/call', { name, ...(input === undefined ? {} : { arguments: input }) });
  const initialize = (protocolVersion: string) =>
    receive({ id: 'init', method: 'initialize', params: { protocolVersion } });
  return { ...started, call, initialize };
}

describe('the handshake', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'speaks %s when asked to',
    async (revision) => {
      expect(await start().ask('initialize', { protocolVersion: revision })).toEqual({
        jsonrpc: '2.0',
        id: 'ask',
        result: {
          protocolVersion: revision,
          capabilities: { tools: {} },
          serverInfo: { name: 'test', title: 'Test', version: '1.2.3' },
          instructions: 'Be kind',
        },
      });
    },
  );

  it.each(['2026-07-28', '1999-01-01', ''])(
    'offers its newest revision to a client that asks for %j',
    async (revision) => {
      expect(await start().ask('initialize', { protocolVersion: revision })).toMatchObject({
        result: { protocolVersion: '2025-11-25' },
      });
    },
  );

  it.each([{}, { protocolVersion: 1 }, { protocolVersion: null }])(
    'refuses %j with -32602',
    async (params) => {
      expect(code(await start().ask('initialize', params))).toBe(-32602);
    },
  );

  it('answers ping and tools before it as well', async () => {
    expect(await start().ask('ping')).toEqual({ jsonrpc: '2.0', id: 'ask', result: {} });
    expect(await start(greet).call('greet', { who: 'you' })).toHaveProperty('result');
  });
});

describe('tools/list', () => {
  it('lists each tool with all that describes it, in the order of the definition', async () => {
    const other = tool('other', () => ({}));
    const { run: _run, ...description } = greet;
    const { run: _otherRun, ...otherDescription } = other;
    expect(await start(greet, other).ask('tools/list')).toMatchObject({
      result: { tools: [description, otherDescription] },
    });
  });

  it('refuses a cursor, because it never gave one', async () => {
    expect(code(await start(greet).ask('tools/list', { cursor: '' }))).toBe(-32602);
  });
});

describe('tools/call', () => {
  it('answers with text and structured content', async () => {
    expect((await start(greet).call('greet', { who: 'Ana' })).result).toEqual({
      content: [{ type: 'text', text: 'Hello, Ana' }],
      structuredContent: { greeting: 'Hello, Ana' },
    });
  });

  it('writes the structured content as JSON when the tool gives no text', async () => {
    expect((await start(tool('t', () => ({ a: 1 }))).call('t')).result).toEqual({
      content: [{ type: 'text', text: '{"a":1}' }],
      structuredContent: { a: 1 },
    });
  });

  it.each(['2024-11-05', '2025-11-25'])('refuses an unknown tool with -32602 in %s', async (revision) => {
    const { call, initialize } = start(greet);
    initialize(revision);
    const answer = await call('gret');
    expect(code(answer)).toBe(-32602);
    expect(message(answer)).toBe('unknown tool "gret"; this server has: greet');
  });

  it.each([
    {},
    { name: 7 },
    { name: 'greet', arguments: 'x' },
    { name: 'greet', arguments: [] },
    { name: 'greet', arguments: null },
  ])('refuses the parameters %j with -32602, whatever the revision', async (params) => {
    expect(code(await start(greet).ask('tools/call', params))).toBe(-32602);
  });

  it.each(['2024-11-05', '2025-03-26', '2025-06-18'])(
    'refuses bad arguments with -32602 in %s',
    async (revision) => {
      const { call, initialize } = start(greet);
      initialize(revision);
      const answer = await call('greet', { who: 1 });
      expect(code(answer)).toBe(-32602);
      expect(message(answer)).toContain('"who" must be a string, got 1');
    },
  );

  it.each([undefined, {}, { who: 1 }, { who: 'a', else: 1 }])(
    'tells a model how to mend the arguments %j from 2025-11-25 on',
    async (input) => {
      const { call, initialize } = start(greet);
      initialize('2025-11-25');
      expect((await call('greet', input)).result).toEqual({
        content: [{ type: 'text', text: expect.stringContaining('The tool takes "who" (a string)') }],
        isError: true,
      });
    },
  );

  it('makes a ToolError a result that a model can read', async () => {
    const failing = tool('t', () => {
      throw new ToolError('too large; use less');
    });
    expect((await start(failing).call('t')).result).toEqual({
      content: [{ type: 'text', text: 'too large; use less' }],
      isError: true,
    });
  });
});

describe('the unexpected', () => {
  const failures: [string, () => unknown][] = [
    [
      'throws',
      () => {
        throw new Error('secret /path/to/it');
      },
    ],
    ['rejects', () => Promise.reject(new Error('secret'))],
    [
      'throws no error',
      () => {
        throw 'secret';
      },
    ],
    ['yields what JSON cannot say', () => ({ secret: 1n })],
    ['yields no object', () => 'secret'],
  ];

  it.each(failures)(
    'is -32603 without details when a tool %s, and the server goes on',
    async (_how, handler) => {
      const { call, ask, logs, sent } = start(tool('bad', handler));
      const answer = await call('bad');
      expect(code(answer)).toBe(-32603);
      expect(JSON.stringify(answer)).not.toMatch(/secret|\bat /);
      expect(logs).toEqual([expect.stringMatching(/^tools\/call failed unexpectedly: /)]);
      sent.length = 0;
      expect(await ask('ping')).toHaveProperty('result');
    },
  );

  it('is -32601 for a method that does not exist, and silence for such a notification', async () => {
    const { ask, receive, sent } = start();
    receive({ method: 'no/such' });
    expect(sent).toEqual([]);
    expect(code(await ask('server/discover'))).toBe(-32601);
    expect(sent).toHaveLength(1);
  });

  it('does not take inherited names for methods', async () => {
    expect(code(await start().ask('constructor'))).toBe(-32601);
    expect(code(await start(greet).call('toString'))).toBe(-32602);
  });

  it('answers malformed lines and ignores responses', () => {
    const { server, sent, logs } = start();
    for (const line of [
      '{',
      '[]',
      '{"jsonrpc":"2.0","id":7,"method":1}',
      '{"jsonrpc":"2.0","id":1,"result":{}}',
    ]) {
      server.receive(Buffer.from(line), true);
    }
    expect(sent.map((answer) => [answer.id, code(answer)])).toEqual([
      [null, -32700],
      [null, -32600],
      [7, -32600],
    ]);
    expect(logs).toHaveLength(1);
  });

  it('answers a line that was dropped for its length', () => {
    const { server, sent } = start();
    server.refuseOversize(200, 100);
    expect(sent).toEqual([
      {
        jsonrpc: '2.0',
        id: null,
        error: {
          code: -32600,
          message: 'the line of 200 bytes is longer than the limit of 100; send less at once',
        },
      },
    ]);
  });

  it('refuses two tools with one name when it is made', () => {
    expect(() => start(greet, greet)).toThrow('two tools have the same name among greet, greet');
  });
});

/** A tool whose calls end when the test says so. */
function heldTool() {
  const calls: { context: ToolContext; release: () => void }[] = [];
  const held = tool(
    'held',
    (context) => new Promise((resolve) => calls.push({ context, release: () => resolve({}) })),
  );
  return { held, calls };
}

describe('cancellation', () => {
  it('aborts the call, gives it no answer and leaves others alone', async () => {
    const { held, calls } = heldTool();
    const { receive, sent, server } = start(held);
    receive({ id: 1, method: 'tools/call', params: { name: 'held' } });
    receive({ id: '1', method: 'tools/call', params: { name: 'held' } });
    receive({ method: 'notifications/cancelled', params: { requestId: 1, reason: 'changed my mind' } });

    expect(calls.map(({ context }) => context.signal.aborted)).toEqual([true, false]);
    for (const { release } of calls) release();
    await server.idle();
    expect(sent.map(({ id }) => id)).toEqual(['1']);
  });

  it('ignores ids that it does not know, finished requests and the handshake', async () => {
    const { receive, ask, initialize, sent } = start();
    await ask('ping');
    initialize('2025-11-25');
    for (const requestId of ['ask', 'init', 99, null, undefined, { a: 1 }]) {
      receive({ method: 'notifications/cancelled', params: { requestId } });
    }
    expect(await ask('ping')).toHaveProperty('result');
    expect(sent.map(({ id }) => id)).toEqual(['ask', 'init', 'ask']);
  });

  it('frees the id at once', async () => {
    const { held } = heldTool();
    const { receive, call } = start(held, greet);
    receive({ id: 'ask', method: 'tools/call', params: { name: 'held' } });
    receive({ method: 'notifications/cancelled', params: { requestId: 'ask' } });
    expect(await call('greet', { who: 'x' })).toHaveProperty('result');
  });

  it('silences all running requests when everything is cancelled', async () => {
    const { held, calls } = heldTool();
    const { receive, server, sent } = start(held);
    receive({ id: 1, method: 'tools/call', params: { name: 'held' } });
    server.cancelAll();
    await server.idle();
    calls[0]?.release();
    await Promise.resolve();
    expect(calls[0]?.context.signal.aborted).toBe(true);
    expect(sent).toEqual([]);
  });
});

describe('a second request with an id still running', () => {
  it('is refused without that id, and the first is answered', async () => {
    const { held, calls } = heldTool();
    const { receive, sent, server } = start(held);
    receive({ id: 1, method: 'tools/call', params: { name: 'held' } });
    receive({ id: 1, method: 'ping' });
    expect(sent.map((answer) => [answer.id, code(answer)])).toEqual([[null, -32600]]);
    calls[0]?.release();
    await server.idle();
    expect(sent[1]).toMatchObject({ id: 1, result: {} });
  });
});

describe('progress', () => {
  it.each([0, 'token'])(
    'is reported under the token %j while the call is open and as long as it grows',
    async (progressToken) => {
      const { held, calls } = heldTool();
      const { receive, sent, server } = start(held);
      receive({ id: 1, method: 'tools/call', params: { name: 'held', _meta: { progressToken } } });
      const [first] = calls;
      first?.context.progress(1, 3, 'one');
      first?.context.progress(1);
      first?.context.progress(Number.NaN);
      first?.context.progress(2);
      first?.release();
      await server.idle();
      first?.context.progress(3);

      const report = (params: JsonObject) => ({ jsonrpc: '2.0', method: 'notifications/progress', params });
      expect(sent).toEqual([
        report({ progressToken, progress: 1, total: 3, message: 'one' }),
        report({ progressToken, progress: 2 }),
        expect.objectContaining({ id: 1 }),
      ]);
    },
  );

  it.each([{}, { _meta: {} }, { _meta: { progressToken: null } }, { _meta: 1 }])(
    'is not reported to a call with %j',
    async (extra) => {
      const { ask, sent } = start(
        tool('t', (context) => context.progress(1)),
        greet,
      );
      await ask('tools/call', { name: 't', ...extra });
      expect(sent).toHaveLength(1);
    },
  );
});
