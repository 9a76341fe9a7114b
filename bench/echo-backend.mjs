/**
 * The backend behind every side of the bench: a stdio MCP server that does as little as it can, so that what is
 * measured is what stands before it. It speaks one era and refuses the other's opening, as a server of that era alone does.
 * `node echo-backend.mjs [number of further tools [legacy | modern]]`
 */
import { HEAD_BYTES, lineReader } from './lines.mjs';

const CAPABILITIES = { tools: {} };
const UNCACHED = { ttlMs: 0, cacheScope: 'private' };

/** All that differs between the eras. */
const ERAS = {
  legacy: {
    opening: 'initialize',
    greeting: (/** @type {any} */ { protocolVersion }) => ({
      protocolVersion,
      capabilities: CAPABILITIES,
      serverInfo: { name: 'echo', version: '1' },
    }),
    inResult: {},
    inList: {},
  },
  modern: {
    opening: 'server/discover',
    greeting: () => ({ supportedVersions: ['2026-07-28'], capabilities: CAPABILITIES, ...UNCACHED }),
    inResult: { resultType: 'complete' },
    inList: UNCACHED,
  },
};
const era = ERAS[process.argv[3] === 'modern' ? 'modern' : 'legacy'];

const INTEGER = { type: 'integer', minimum: 0 };
const TEXT = { type: 'string', description: 'Any text.' };

const tools = [
  tool('echo', 'Gives back the text it was given.', { text: TEXT }),
  tool('measure', 'Takes a text of any length and answers "ok".', { text: TEXT }),
  tool('payload', 'Answers with that many bytes of text.', { bytes: INTEGER }),
  ...Array.from({ length: Number(process.argv[2] ?? 0) }, (_, i) =>
    tool(`further_tool_${i}`, `Is here to make the list long; it is number ${i} and does nothing else.`, {
      text: TEXT,
      limit: { ...INTEGER, description: 'How many at most.', default: 20 },
    }),
  ),
];
const listing = Buffer.from(`,"result":${JSON.stringify({ ...era.inResult, tools, ...era.inList })}}\n`);

/** Texts of the `payload` tool, made once per size. @type {Map<number, Buffer>} */
const payloads = new Map();

process.stdin.on(
  'data',
  gathered(
    lineReader((line, bytes) =>
      bytes > HEAD_BYTES ? answerLong(line) : answer(JSON.parse(line.toString())),
    ),
  ),
);

/** What is answered while one chunk is read goes out as one. @param {(chunk: Buffer) => void} read */
function gathered(read) {
  return (/** @type {Buffer} */ chunk) => {
    process.stdout.cork();
    read(chunk);
    process.stdout.uncork();
  };
}

/** Only `measure` gets long lines. @param {Buffer} head */
function answerLong(head) {
  const id = /"id":("[^"]*"|[-\d]+)/.exec(head.toString('latin1', 0, 512))?.[1];
  if (id === undefined)
    throw new Error(`a long line without an id at its beginning: ${head.toString('latin1', 0, 512)}`);
  reply(id, textResult('ok'));
}

/** @param {{ id?: string | number, method: string, params?: any }} message */
function answer({ id, method, params }) {
  if (id === undefined) return;
  const idText = JSON.stringify(id);
  switch (method) {
    case era.opening:
      reply(idText, { ...era.inResult, ...era.greeting(params) });
      break;
    case 'ping':
      reply(idText, {});
      break;
    case 'tools/list':
      replyBytes(idText, listing);
      break;
    case 'tools/call':
      callTool(idText, params);
      break;
    default:
      write(
        `{"jsonrpc":"2.0","id":${idText},"error":{"code":-32601,"message":"unknown method ${method}"}}\n`,
      );
  }
}

/**
 * @param {string} idText
 * @param {{ name: string, arguments: any }} params
 */
function callTool(idText, params) {
  switch (params.name) {
    case 'echo':
      reply(idText, textResult(params.arguments.text));
      break;
    case 'measure':
      reply(idText, textResult('ok'));
      break;
    case 'payload':
      replyBytes(idText, payload(params.arguments.bytes));
      break;
    default:
      write(
        `{"jsonrpc":"2.0","id":${idText},"error":{"code":-32602,"message":"unknown tool ${params.name}"}}\n`,
      );
  }
}

/** @param {number} bytes */
function payload(bytes) {
  let made = payloads.get(bytes);
  if (made === undefined) {
    made = Buffer.from(
      `,"result":${JSON.stringify(textResult('lorem ipsum '.repeat(bytes / 12 + 1).slice(0, bytes)))}}\n`,
    );
    payloads.set(bytes, made);
  }
  return made;
}

/**
 * @param {string} idText
 * @param {unknown} result
 */
function reply(idText, result) {
  write(`{"jsonrpc":"2.0","id":${idText},"result":${JSON.stringify(result)}}\n`);
}

/**
 * @param {string} idText
 * @param {Buffer} rest
 */
function replyBytes(idText, rest) {
  write(`{"jsonrpc":"2.0","id":${idText}`);
  write(rest);
}

/** @param {string | Buffer} piece */
function write(piece) {
  process.stdout.write(piece);
}

/** @param {string} text */
function textResult(text) {
  return { ...era.inResult, content: [{ type: 'text', text }] };
}

/**
 * @param {string} name
 * @param {string} description
 * @param {Record<string, object>} properties
 */
function tool(name, description, properties) {
  const [first] = Object.keys(properties);
  return { name, description, inputSchema: { type: 'object', properties, required: [first] } };
}
