import { readMessage } from '../protocol/envelope.js';
import { LineSplitter, recogniseAnswerId } from '../protocol/framing.js';
import type { BatchMessage, Malformed, Message } from '../protocol/message.js';
import type { Log } from '../shared/log.js';
import type { Noise } from './noise.js';

export interface MessageReaderOptions {
  /** Longest line that is read, in bytes. */
  readonly maxLineBytes: number;
  readonly noise: Noise;
  readonly log: Log;
  readonly onMessage: (message: Exclude<Message, BatchMessage>) => void;
  /** An answer to the request `id` was recognised that cannot be read. */
  readonly onUnreadable: (id: number, problem: 'too-large' | 'not-utf8') => void;
}

/** What a process writes to stdout, as messages. Everything else is noise: counted, never fatal. */
export class MessageReader {
  readonly #options: MessageReaderOptions;
  readonly #lines: LineSplitter;

  constructor(options: MessageReaderOptions) {
    const { maxLineBytes, log } = options;
    this.#options = options;
    this.#lines = new LineSplitter({
      maxLineBytes,
      onLine: (line, validUtf8) => this.#line(line, validUtf8),
      onOversize: ({ head, tail, length }) => {
        log.warn({ lengthBytes: length, maxLineBytes }, 'backend line dropped: too long');
        this.#unreadable(head, tail, 'too-large');
      },
    });
  }

  push(chunk: Buffer): void {
    this.#lines.push(chunk);
  }

  /** Nothing follows: a last line without its end is read. */
  end(): void {
    this.#lines.end();
  }

  #line(line: Buffer, validUtf8: boolean): void {
    if (validUtf8) this.#read(line, 'line');
    else this.#unreadable(line, line, 'not-utf8');
  }

  #read(bytes: Buffer, within: 'line' | 'batch'): void {
    const message: Message | Malformed = readMessage(bytes, { maxDepth: Number.POSITIVE_INFINITY });
    if (message.kind === 'malformed') this.#noise(bytes);
    else if (message.kind !== 'batch') this.#options.onMessage(message);
    else if (within === 'batch' || message.elements.length === 0) this.#noise(bytes);
    // Servers of revision 2025-03-26 may say several things in one line.
    else for (const { start, end } of message.elements) this.#read(bytes.subarray(start, end), 'batch');
  }

  #unreadable(head: Buffer, tail: Buffer, problem: 'too-large' | 'not-utf8'): void {
    const id = recogniseAnswerId(head, tail);
    if (id === undefined) this.#noise(head);
    else this.#options.onUnreadable(id, problem);
  }

  #noise(line: Buffer): void {
    const { noise, log } = this.#options;
    const before = noise.advice;
    const shown = noise.add(line);
    log.debug({ line: shown }, 'backend noise: not a message');
    if (noise.advice !== before)
      log.warn('backend prints JSON over several lines; a message must be one line');
  }
}
