import type { ClientSide } from '../eras/form.js';
import type { NotificationMessage } from '../protocol/message.js';
import type { ToClient } from '../shared/ids.js';
import type { Batch } from './batch.js';
import type { LogLevel } from '../protocol/log-level.js';
import type { ClientPort } from './ports.js';

/** A request of a client that has no answer yet, wherever it waits. */
export interface OpenRequest {
  /**
   * Ends it without an answer, also at the backend that works on it.
   * @param notice the client's own `notifications/cancelled`; without one the client is gone
   */
  cancel(notice?: NotificationMessage): void;
}

/** The router's record of one client, from its socket's opening to its end. */
export class SessionRecord {
  readonly port: ClientPort;
  readonly era: ClientSide;
  /** Requests without an answer, by the canonical form of the client's id. */
  readonly open = new Map<string, OpenRequest>();
  /** The least severe level it wants to hear; `undefined` until it asks. */
  logLevel: LogLevel | undefined;
  /** The batch whose elements are being read. */
  batch: Batch | undefined;
  readonly #batches = new Map<string, Batch>();

  constructor(port: ClientPort, era: ClientSide) {
    this.port = port;
    this.era = era;
  }

  /** A request of the batch being read: its answer belongs to that batch. */
  expectInBatch(idKey: string): void {
    if (this.batch === undefined || this.open.has(idKey)) return;
    this.batch.expect();
    this.#batches.set(idKey, this.batch);
  }

  /** Sends the answer to a request; one whose id could not be read has no `idKey`. */
  answer(idKey: string | undefined, message: ToClient): void {
    const batch = idKey === undefined ? this.batch : this.#batches.get(idKey);
    if (idKey !== undefined) this.#batches.delete(idKey);
    if (batch === undefined) this.port.send(message, this.open.size === 0 ? 'at-once' : 'with-the-turn');
    else if (idKey === undefined) batch.add(message);
    else batch.answer(message);
  }

  /** Ends an open request, with its answer or without one. */
  end(idKey: string, message: ToClient | undefined): void {
    this.open.delete(idKey);
    if (message !== undefined) {
      this.answer(idKey, message);
      return;
    }
    this.#batches.get(idKey)?.withdraw();
    this.#batches.delete(idKey);
  }
}
