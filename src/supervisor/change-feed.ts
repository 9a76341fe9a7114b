import type { JsonObject } from '../protocol/json.js';
import type { NotificationMessage, ResponseMessage } from '../protocol/message.js';

/** How one process is asked to tell of changes. Begun after its handshake, ended with the process. */
export interface ChangeFeed {
  /** Asks for what these capabilities promise. */
  begin(capabilities: JsonObject): void;
  /** @throws {BackendError} when the process ends first */
  subscribe(uri: string): Promise<ResponseMessage>;
  /** @throws {BackendError} when the process ends first */
  unsubscribe(uri: string): Promise<ResponseMessage>;
  /** Takes a notification that concerns the feed alone, or none of ours. @returns whether it was one */
  take(notification: NotificationMessage): boolean;
  /** The process is gone or about to go. */
  end(reason: string): void;
}
