/**
 * The yardstick: one `ws` server, one child, ids mapped by JSON.parse and JSON.stringify, nothing else.
 * `node plain-relay.mjs COMMAND [ARGUMENT …]`
 */
import { spawn } from 'node:child_process';
import { WebSocketServer } from 'ws';

const NEWLINE = 0x0a;

const [command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });

/** Who asked, and under which id. @type {Map<number, { socket: import('ws').WebSocket, id: string | number }>} */
const waiting = new Map();
let lastId = 0;

/** The pieces of the line under way. @type {Buffer[]} */
let pieces = [];

const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
server.on('listening', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  console.log(JSON.stringify({ msg: 'listening', url: `ws://127.0.0.1:${port}/mcp` }));
});
server.on('connection', (socket) => socket.on('message', (data) => forward(socket, data.toString())));

child.stdout.on('data', (chunk) => {
  let from = 0;
  for (let to = chunk.indexOf(NEWLINE); to !== -1; to = chunk.indexOf(NEWLINE, from)) {
    pieces.push(chunk.subarray(from, to));
    giveBack(Buffer.concat(pieces).toString());
    pieces = [];
    from = to + 1;
  }
  if (from < chunk.length) pieces.push(chunk.subarray(from));
});

/**
 * @param {import('ws').WebSocket} socket
 * @param {string} text
 */
function forward(socket, text) {
  const message = JSON.parse(text);
  if (message.id !== undefined) {
    lastId += 1;
    waiting.set(lastId, { socket, id: message.id });
    message.id = lastId;
  }
  child.stdin.write(`${JSON.stringify(message)}\n`);
}

/** @param {string} line */
function giveBack(line) {
  const message = JSON.parse(line);
  const asked = waiting.get(message.id);
  if (asked === undefined) return;
  waiting.delete(message.id);
  message.id = asked.id;
  asked.socket.send(JSON.stringify(message));
}
