import { once } from 'node:events';
import { connect } from 'node:net';
import { frameReader, maskAt, textFrame } from './frames.mjs';
import { lineReader } from './lines.mjs';

/**
 * One way to talk JSON-RPC: a WebSocket, or the pipes of a child. Hand-made and small, because the load shares
 * the processor with what it measures.
 * @typedef {object} Channel
 * @property {(text: string) => Packed} pack makes the bytes of a message once, to be sent many times
 * @property {(bytes: Buffer) => void} write
 * @property {(onMessage: (head: Buffer, bytes: number) => void) => void} listen called once
 * @property {() => void} close
 */

/**
 * A message ready to send.
 * @typedef {object} Packed
 * @property {Buffer} bytes
 * @property {number} start where the text begins in the bytes
 * @property {(offset: number) => number} maskAt what a byte of the text is XORed with
 */

/**
 * Opens a WebSocket on a loopback address.
 * @param {string} url
 * @returns {Promise<Channel>}
 */
export async function openWebSocket(url) {
  const { hostname, port, host, pathname } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  socket.write(
    [
      `GET ${pathname} HTTP/1.1`,
      `Host: ${host}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Protocol: mcp',
      '\r\n',
    ].join('\r\n'),
  );
  const [answer] = await once(socket, 'data');
  const headEnd = answer.indexOf('\r\n\r\n') + 4;
  if (!answer.toString('latin1').startsWith('HTTP/1.1 101 ') || headEnd < 4) {
    socket.destroy();
    throw new Error(`no upgrade at ${url}: ${answer}`);
  }
  // The first frames, a ping for example, may come along.
  socket.pause();
  if (headEnd < answer.length) socket.unshift(answer.subarray(headEnd));

  let closing = false;
  return {
    pack(message) {
      const payload = Buffer.from(message);
      const bytes = textFrame(payload);
      return { bytes, start: bytes.length - payload.length, maskAt };
    },
    write: (bytes) => {
      socket.write(bytes);
    },
    listen(onMessage) {
      const read = frameReader({
        onMessage,
        onPing: (pong) => socket.write(pong),
        onClose: (code) => {
          throw new Error(`${url} closed the socket with code ${code}`);
        },
      });
      gatherWrites(socket, socket, read);
      socket.resume();
      socket.on('close', () => {
        if (!closing) throw new Error(`${url} dropped the socket`);
      });
    },
    close() {
      closing = true;
      socket.destroy();
    },
  };
}

/**
 * @param {import('node:child_process').ChildProcessByStdio<import('node:stream').Writable, import('node:stream').Readable, null>} child
 * @returns {Channel}
 */
export function openPipes(child) {
  return {
    pack: (message) => ({ bytes: Buffer.from(`${message}\n`), start: 0, maskAt: () => 0 }),
    write: (bytes) => {
      child.stdin.write(bytes);
    },
    listen: (onMessage) => gatherWrites(child.stdout, child.stdin, lineReader(onMessage)),
    close: () => undefined,
  };
}

/**
 * What is written while one chunk is read goes out as one.
 * @param {import('node:stream').Readable} input
 * @param {import('node:stream').Writable} output
 * @param {(chunk: Buffer) => void} read
 */
function gatherWrites(input, output, read) {
  input.on('data', (chunk) => {
    output.cork();
    read(chunk);
    output.uncork();
  });
}
