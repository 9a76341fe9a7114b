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

  forward(message: NotificationMessage, _shown: string, edits: readonly Edit[]): void {
    this.session.port.send(toClient(message, [...edits, ...untag(message)]));
  }
}

/** One `subscriptions/listen`: it hears of what it asked for, with its own id on every notice. */
export class StreamWatcher implements Watcher {
  readonly session: SessionRecord;
  readonly idText: ClientIdText;
  readonly #kinds: ReadonlySet<ListKind>;
  /** The newest notice about each thing while the stream is not acknowledged: nothing may come before that. */
  #held: Map<string, ToClient> | undefined = new Map();

  constructor(session: SessionRecord, idText: ClientIdText, kinds: ReadonlySet<ListKind>) {
    this.session = session;
    this.idText = idText;
    this.#kinds = kinds;
  }

  /** Says what it will be told of. [MCP 2026-07-28 schema: SubscriptionsAcknowledgedNotification] */
  acknowledge(notifications: JsonObject): void {
    const { port } = this.session;
    port.send(noticeOnStream(this.idText, 'notifications/subscriptions/acknowledged', { notifications }));
    for (const message of this.#held?.values() ?? []) port.send(message);
    this.#held = undefined;
  }

  wants(kind: ListKind): boolean {
    return this.#kinds.has(kind);
  }

  tell(method: string): void {
    this.#send(method, noticeOnStream(this.idText, method));
  }

  forward(message: NotificationMessage, shown: string, edits: readonly Edit[]): void {
    this.#send(shown, toClient(message, [...edits, ...tagForStream(message, this.idText)]));
  }

  #send(about: string, message: ToClient): void {
    if (this.#held === undefined) this.session.port.send(message);
    else this.#held.set(about, message);
  }
}
