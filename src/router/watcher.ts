import { untag } from '../eras/legacy/unasked.js';
import { noticeOnStream, tagForStream } from '../eras/modern/stream.js';
import { notificationToClient } from '../protocol/compose.js';
import type { JsonObject } from '../protocol/json.js';
import type { ListKind } from '../protocol/listing.js';
import type { NotificationMessage } from '../protocol/message.js';
import type { Edit } from '../protocol/splice.js';
import type { ClientIdText, ToClient } from '../shared/ids.js';
import { toClient } from './rewrite.js';
import type { SessionRecord, Watcher } from './session-record.js';

/** A session that has had its handshake is told unasked. */
export class UnaskedWatcher implements Watcher {
  readonly session: SessionRecord;

  constructor(session: SessionRecord) {
    this.session = session;
  }

  wants(): boolean {
    return this.session.era.context !== undefined;
  }

  tell(method: string): void {
    this.session.port.send(notificationToClient(method));
  }

  forward(message: NotificationMessage, edits: readonly Edit[]): void {
    this.session.port.send(toClient(message, [...edits, ...untag(message)]));
  }
}

/** Notices kept for a stream that is not acknowledged, in bytes: a backend may tell of what it wants, as often as it wants. */
const maxHeldBytes = 1024 * 1024;

/** One `subscriptions/listen`: it hears of what it asked for, with its own id on every notice. */
export class StreamWatcher implements Watcher {
  readonly session: SessionRecord;
  readonly idText: ClientIdText;
  readonly #kinds: ReadonlySet<ListKind>;
  /** Notices from before the stream's acknowledgement, which has to come first; `undefined` after it. */
  #held: ToClient[] | undefined = [];
  #heldBytes = 0;
  readonly #full: () => void;

  /** @param full called when no more can be kept: then the acknowledgement must not wait any longer */
  constructor(session: SessionRecord, idText: ClientIdText, kinds: ReadonlySet<ListKind>, full: () => void) {
    this.session = session;
    this.idText = idText;
    this.#kinds = kinds;
    this.#full = full;
  }

  /** Says what it will be told of. [MCP 2026-07-28 schema: SubscriptionsAcknowledgedNotification] */
  acknowledge(notifications: JsonObject): void {
    const { port } = this.session;
    port.send(noticeOnStream(this.idText, 'notifications/subscriptions/acknowledged', { notifications }));
    for (const message of this.#held ?? []) port.send(message);
    this.#held = undefined;
  }

  wants(kind: ListKind): boolean {
    return this.#kinds.has(kind);
  }

  tell(method: string): void {
    this.#send(noticeOnStream(this.idText, method));
  }

  forward(message: NotificationMessage, edits: readonly Edit[]): void {
    this.#send(toClient(message, [...edits, ...tagForStream(message, this.idText)]));
  }

  #send(message: ToClient): void {
    if (this.#held === undefined) {
      this.session.port.send(message);
      return;
    }
    this.#held.push(message);
    this.#heldBytes += message.reduce((sum, { length }) => sum + length, 0);
    if (this.#heldBytes > maxHeldBytes) this.#full();
  }
}
