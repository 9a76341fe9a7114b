import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Lines on their way to a reader who may be slow. They are handed to the stream in small portions, because a stream
 * tells of a portion only once all of it has been read: that is how a slow reader differs from one who is gone.
 */
export class Output {
  readonly #stream: NodeJS.WritableStream;
  readonly #waiting: string[] = [];
  #isWriting = false;
  #written: Promise<void> | undefined;
  #portions = 0;

  constructor(stream: NodeJS.WritableStream) {
    this.#stream = stream;
  }

  send(line: string): void {
    this.#waiting.push(`${line}\n`);
    if (!this.#isWriting) this.#written = this.#write();
  }

  /** Waits until all that was sent has been read, or until its reader takes nothing for `patienceMs`. */
  async flush(patienceMs: number): Promise<void> {
    const written = this.#flushed();
    for (let before = -1; this.#portions > before; ) {
      before = this.#portions;
      const isDone = await Promise.race([written.then(() => true), delay(patienceMs)]);
      if (isDone === true) return;
    }
  }

  async #flushed(): Promise<void> {
    await this.#written;
    await new Promise<void>((resolve) => this.#stream.write('', () => resolve()));
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    for (let sent = 0; sent < this.#waiting.length; sent += 1) {
      if (this.#stream.write(this.#waiting[sent] ?? '')) continue;
      await once(this.#stream, 'drain');
      this.#portions += 1;
    }
    this.#waiting.length = 0;
    this.#isWriting = false;
  }
}
