import type { WireError } from '../protocol/errors.js';
import type { NotificationMessage, ResponseMessage, Span } from '../protocol/message.js';

/** Whoever a question comes from, and its answer goes to. */
export interface Asker {
  /** What tells its question from the others of the same backend. */
  readonly key: string;
  /** A proper answer: a result or an error. */
  answer(message: ResponseMessage, id: Span): void;
  /** There will be no answer. */
  refuse(error: WireError): void;
  /** The client reports progress. */
  progress(message: NotificationMessage, token: Span): void;
}
