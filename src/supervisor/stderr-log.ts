import { LineSplitter } from '../protocol/framing.js';
import type { Clock } from '../shared/clock.js';
import type { Log } from '../shared/log.js';
import { printable } from './printable.js';

/** Lines per second and backend: enough to read along, too few to fill a disk with one backend's trace output. */
const maxLinesPerSecond = 100;

/** Longer lines are data that was printed by mistake; their start tells which. */
const maxLineBytes = 8 * 1024;

/** Writes a process's stderr to the log line by line, whatever its length and rate. */
export class StderrLog {
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #lines: LineSplitter;
  #windowStartMs: number;
  #written = 0;
  #dropped = 0;

  constructor(log: Log, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
    this.#windowStartMs = clock.now();
    this.#lines = new LineSplitter({
      maxLineBytes,
      onLine: (line) => this.#line(line, line.length),
      onOversize: ({ head, length }) => this.#line(head, length),
    });
  }

  push(chunk: Buffer): void {
    this.#lines.push(chunk);
  }

  /** The process is gone: a last line without its end is written, and what was left out is told. */
  end(): void {
    this.#lines.end();
    this.#tellDropped();
  }

  #line(start: Buffer, lengthBytes: number): void {
    const nowMs = this.#clock.now();
    if (nowMs - this.#windowStartMs >= 1000) {
      this.#tellDropped();
      this.#windowStartMs = nowMs;
      this.#written = 0;
    }
    if (this.#written === maxLinesPerSecond) {
      this.#dropped += 1;
      return;
    }
    this.#written += 1;
    const line = printable(start.toString(), maxLineBytes);
    this.#log.info(lengthBytes > start.length ? { line, lengthBytes } : { line }, 'backend stderr');
  }

  #tellDropped(): void {
    if (this.#dropped === 0) return;
    this.#log.warn(
      { dropped: this.#dropped },
      'backend stderr lines left out of the log: too many per second',
    );
    this.#dropped = 0;
  }
}
