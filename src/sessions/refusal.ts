import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** An HTTP answer that ends a request which will not become a session. */
export interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** What was wrong and what to do, as one sentence. Never repeats a credential. */
  readonly sentence: string;
}

export function refusal(
  status: number,
  sentence: string,
  headers: Readonly<Record<string, string>> = {},
): Refusal {
  return { status, headers, sentence };
}

/** Its header fields, in the order in which they are sent. */
export function refusalHeaders({ headers, sentence }: Refusal): Record<string, string> {
  return {
    Connection: 'close',
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(sentence) + 1),
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  };
}

/** Its body: the sentence as one line. */
export function refusalBody({ sentence }: Refusal): string {
  return `${sentence}\n`;
}

// A peer that keeps its side open after our last byte holds a descriptor; one second is ample for its FIN.
const lingerMs = 1_000;

/**
 * Answers on a raw socket and ends it. What the peer still sends is read and dropped: unread bytes would turn
 * our end into a reset, which can take the answer with it.
 */
export function refuse(socket: Duplex & { setTimeout?(ms: number): unknown }, answer: Refusal): void {
  const fields = Object.entries(refusalHeaders(answer)).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}`, ...fields, '', ''];
  socket.once('timeout', () => socket.destroy());
  socket.setTimeout?.(lingerMs);
  socket.resume();
  socket.end(head.join('\r\n') + refusalBody(answer));
}
