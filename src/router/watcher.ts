import { untag } from '../eras/legacy/unasked.js';
import { noticeOnStream, tagForStream } from '../eras/modern/stream.js';
import { notificationToClient } from '../protocol/compose.js';
import type { ListKind } from '../protocol/listing.js';
import type { NotificationMessage } from '../protocol/message.js';
import type { Edit } from '../protocol/splice.js';
import type { ClientIdText } from '../shared/ids.js';
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

/** One `subscriptions/listen`: it hears of what it asked for, with its own id on every notice. */
export class StreamWatcher implements Watcher {
  readonly session: SessionRecord;
  readonly idText: ClientIdText;
  readonly #kinds: ReadonlySet<ListKind>;

  constructor(session: SessionRecord, idText: ClientIdText, kinds: ReadonlySet<ListKind>) {
    this.session = session;
    this.idText = idText;
    this.#kinds = kinds;
  }

  wants(kind: ListKind): boolean {
    return this.#kinds.has(kind);
  }

  tell(method: string): void {
    this.session.port.send(noticeOnStream(this.idText, method));
  }

  forward(message: NotificationMessage, edits: readonly Edit[]): void {
    this.session.port.send(toClient(message, [...edits, ...tagForStream(message, this.idText)]));
  }
}
