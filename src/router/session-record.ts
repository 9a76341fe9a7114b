import type { ClientSide } from '../eras/form.js';
import type { NotificationMessage } from '../protocol/message.js';
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
export interface SessionRecord {
  readonly port: ClientPort;
  readonly era: ClientSide;
  /** Requests without an answer, by the canonical form of the client's id. */
  readonly open: Map<string, OpenRequest>;
}
