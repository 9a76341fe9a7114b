import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** An HTTP answer read from a raw socket. */
export interface RawAnswer {
  readonly status: number;
  /** By lower-cased name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** The lines of an upgrade request that every listener of a test accepts. */
export function upgradeLines(port: number, path = '/mcp'): string[] {
  return [
    `GET ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ];
}

/** Replaces, removes (`undefined`) or appends header lines by name. */
export function withHeaders(
  lines: readonly string[],
  headers: Readonly<Record<string, string | undefined>>,
): string[] {
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const kept = lines.filter((line) => !names.has(line.split(':', 1)[0]?.toLowerCase() ?? ''));
  const added = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`],
  );
  return [...kept, ...added];
}

/** Connects and sends header lines as they are. The socket swallows its own errors. */
export async function sendRaw(port: number, lines: readonly string[]): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => socket.destroy());
  await once(socket, 'connect');
  socket.write([...lines, '', ''].join('\r\n'));
  return socket;
}

/**
 * Sends a request and reads its answer: until the server ends the socket, or, for 101, until the headers are
 * there. The socket is closed afterwards.
 */
export async function askRaw(port: number, lines: readonly string[]): Promise<RawAnswer> {
  const socket = await sendRaw(port, lines);
  let text = '';
  for await (const chunk of socket) {
    text += String(chunk);
    if (text.startsWith('HTTP/1.1 101') && text.includes('\r\n\r\n')) break;
  }
  socket.destroy();
  return parseAnswer(text);
}

function parseAnswer(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...fields] = text.slice(0, end).split('\r\n');
  const headers = new Map(
    fields.map((field): [string, string] => {
      const colon = field.indexOf(':');
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
    }),
  );
  return { status: Number(statusLine.split(' ')[1]), headers, body: text.slice(end + 4) };
}

/** A masked frame as clients send them; the mask is zero, so the payload stands as it is. [RFC 6455 § 5.2] */
export function clientFrame(opcode: number, payload: Buffer, final = true): Buffer {
  if (payload.length > 125) throw new RangeError('only short frames');
  return Buffer.concat([
    Buffer.from([(final ? 0x80 : 0) | opcode, 0x80 | payload.length, 0, 0, 0, 0]),
    payload,
  ]);
}
