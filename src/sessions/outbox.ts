import type { Writable } from 'node:stream';
import type { ToClient } from '../shared/ids.js';
import type { SlowReaderSettings } from '../shared/settings.js';
import { HeldMessages } from './held-messages.js';
import { type Pressure, pressureOf } from './slow-reader.js';
import { textFrame } from './text-frame.js';

/** What an outbox asks and tells its session. */
export interface OutboxTarget {
  /** Whether frames may still be written: not once a close frame was. */
  isOpen(): boolean;
  /** The pressure changed. May end the socket. */
  pressure(pressure: Pressure): void;
  /** Nothing was read, and no byte taken of what waits, for `stallMs`. May end the socket. */
  stalled(): void;
}

/** A stream that says with `timeout` that nothing was read and no byte of what waits was taken for the time set. */
type ClientSocket = Writable & { setTimeout(ms: number): unknown };

/**
 * The way of messages to one client's socket.
 *
 * While the client keeps up, all messages of one turn of the event loop leave in one write: the socket is
 * corked at the first and uncorked once the turn is over. While it does not, messages wait here, where a newer
 * progress can still replace an older one, and move on as the socket drains.
 *
 * Frames are written beside `ws`, which keeps no queue of its own without compression: its control frames and
 * ours reach the socket in the order in which they were made.
 */
export class Outbox {
  readonly #socket: ClientSocket;
  readonly #settings: SlowReaderSettings;
  readonly #target: OutboxTarget;
  readonly #held = new HeldMessages();
  #pressure: Pressure = 'flowing';
  #gathering = false;
  #watched = false;
  // Made once, not once for every message.
  readonly #turnOver = (): void => this.#uncork();
  readonly #written = (): void => this.#moveOn();

  constructor(socket: ClientSocket, settings: SlowReaderSettings, target: OutboxTarget) {
    this.#socket = socket;
    this.#settings = settings;
    this.#target = target;
    socket.on('timeout', () => this.#target.stalled());
  }

  /** Bytes accepted for the client that the operating system has not taken completely. */
  get unsentBytes(): number {
    return this.#socket.writableLength + this.#held.bytes;
  }

  send(message: ToClient): void {
    if (!this.#target.isOpen()) return;
    if (this.#pressure === 'flowing') {
      this.#write(message);
    } else {
      this.#held.add(message);
      this.#judge();
    }
  }

  sendProgress(message: ToClient, token: string): void {
    if (!this.#target.isOpen()) return;
    if (this.#pressure === 'flowing') {
      this.#write(message);
    } else {
      this.#held.addProgress(message, token);
      this.#judge();
    }
  }

  /** Hands everything that waits to the socket, so that a close frame can follow it. */
  release(): void {
    for (let next = this.#held.take(); next !== undefined; next = this.#held.take()) this.#write(next);
    this.#uncork();
  }

  /** Forgets what waits: the socket is gone. */
  clear(): void {
    this.#held.clear();
  }

  #write(message: ToClient): void {
    if (!this.#gathering) {
      this.#gathering = true;
      this.#socket.cork();
      setImmediate(this.#turnOver);
    }
    for (const buffer of textFrame(message)) this.#socket.write(buffer, this.#written);
    // Nothing is gained by gathering more, and only the operating system can tell whether the client keeps up.
    if (this.#socket.writableLength > this.#settings.pauseBytes) this.#uncork();
  }

  #uncork(): void {
    if (!this.#gathering) return;
    this.#gathering = false;
    this.#socket.uncork();
    this.#watch();
    this.#judge();
  }

  /** The operating system took something: what waits may follow, as far as the socket is drained. */
  #moveOn(): void {
    this.#watch();
    if (this.#pressure === 'flowing' || !this.#target.isOpen()) return;
    while (this.#socket.writableLength <= this.#settings.pauseBytes) {
      const next = this.#held.take();
      if (next === undefined) break;
      this.#write(next);
    }
    this.#judge();
  }

  /** The socket's timer costs something with each message, so it runs only while bytes wait. */
  #watch(): void {
    const waits = this.#socket.writableLength > 0;
    if (waits === this.#watched) return;
    this.#watched = waits;
    this.#socket.setTimeout(waits ? this.#settings.stallMs : 0);
  }

  #judge(): void {
    const judged = pressureOf(this.#settings, this.#pressure, this.unsentBytes);
    // While something waits, nothing may overtake it.
    const pressure = judged === 'flowing' && !this.#held.isEmpty ? 'pressed' : judged;
    if (pressure === this.#pressure) return;
    this.#pressure = pressure;
    this.#target.pressure(pressure);
  }
}
