import type { ClientSide } from '../eras/form.js';
import { errorToClient } from '../protocol/compose.js';
import type { WireError } from '../protocol/errors.js';
import type { ListKind } from '../protocol/listing.js';
import type { LogLevel } from '../protocol/log-level.js';
import type { NotificationMessage } from '../protocol/message.js';
import { atLeast, type LegacyRevision } from '../protocol/revisions.js';
import type { Edit } from '../protocol/splice.js';
import type { ClientIdText, ToClient } from '../shared/ids.js';
import type { Batch } from './batch.js';
import type { ClientPort } from './ports.js';

/** A request of a client that has no answer yet, wherever it waits. */
export interface OpenRequest {
  /** The client's id, as it wrote it. */
  readonly idText: ClientIdText;
  /** It is open to hear of changes, for as long as its client likes. */
  readonly isStream?: true;
  /**
   * Ends it without an answer, also at the backend that works on it.
   * @param notice the client's own `notifications/cancelled`; without one the client is gone
   */
  cancel(notice?: NotificationMessage): void;
}

/** Somebody who is told of changes: a whole session, or one stream that a session holds open. */
export interface Watcher {
  readonly session: SessionRecord;
  wants(kind: ListKind): boolean;
  /** Says that a list has changed. */
  tell(method: string): void;
  /** Hands on a backend's notice about a resource. */
  forward(message: NotificationMessage, edits: readonly Edit[]): void;
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
  /** The socket is closed: what ends from now on ends without an answer. */
  gone = false;
  readonly #batches = new Map<string, Batch>();

  /** As it is told of changes unasked. */
  readonly watcher: Watcher;

  readonly #ended: () => void;

  /** @param links how it is told of changes, and what hears of the end of each request */
  constructor(
    port: ClientPort,
    era: ClientSide,
    links: { watcher(session: SessionRecord): Watcher; ended(): void },
  ) {
    this.port = port;
    this.era = era;
    this.watcher = links.watcher(this);
    this.#ended = links.ended;
  }

  /** Whether any of its requests is to be answered sooner or later. */
  get awaitsAnswer(): boolean {
    return [...this.open.values()].some(({ isStream }) => isStream !== true);
  }

  /** A request of the batch being read: its answer belongs to that batch. */
  expectInBatch(idKey: string): void {
    if (this.batch === undefined || this.open.has(idKey)) return;
    this.batch.expect();
    this.#batches.set(idKey, this.batch);
  }

  /** Whether it has had its handshake, and for a revision or a newer one. */
  speaks(revision: LegacyRevision): boolean {
    const { context } = this.era;
    return context !== undefined && atLeast(context.revision, revision);
  }

  /** Sends the answer to a request. */
  answer(idKey: string, message: ToClient): void {
    const batch = this.#batches.get(idKey);
    this.#batches.delete(idKey);
    if (batch === undefined) this.port.send(message);
    else batch.answer(message);
  }

  /** Sends an error about what is being read at the moment, which nobody could expect. */
  complain(message: ToClient): void {
    if (this.batch === undefined) this.port.send(message);
    else this.batch.add(message);
  }

  /** Ends an open request, with its answer or without one. */
  end(idKey: string, message: ToClient | undefined): void {
    this.open.delete(idKey);
    if (message !== undefined && !this.gone) {
      this.answer(idKey, message);
    } else {
      this.#batches.get(idKey)?.withdraw();
      this.#batches.delete(idKey);
    }
    this.#ended();
  }

  /** Answers every request that is still open with an error, and ends it wherever it waits. */
  refuseAll(error: WireError): void {
    for (const [idKey, request] of [...this.open]) {
      this.answer(idKey, errorToClient(request.idText, error));
      request.cancel();
    }
  }

  /** The client is gone: its requests end, and nothing is sent any more. */
  hangUp(): void {
    this.#batches.clear();
    for (const request of [...this.open.values()]) request.cancel();
  }
}
