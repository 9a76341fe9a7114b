import type { FieldName } from './fields.js';

/** A half-open range of bytes: `start` is the first one, `end` the one behind the last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where the fields that the method table names stand in a message, for those that are there. */
export type Fields = { readonly [Name in FieldName]: Span | undefined };

/** What the scan of a request or notification found; spans point into `bytes`. */
interface Incoming {
  /** The whole message as it came; valid JSON and valid UTF-8. */
  readonly bytes: Buffer;
  readonly method: string;
  /** The `params` object, if there is one. */
  readonly params: Span | undefined;
  readonly fields: Fields;
  /** Raw line breaks stand between its tokens, so it has to be flattened before it goes to a child. */
  readonly multiline: boolean;
}

export interface RequestMessage extends Incoming {
  readonly kind: 'request';
  readonly id: Span;
}

export interface NotificationMessage extends Incoming {
  readonly kind: 'notification';
}

export interface ResponseMessage {
  readonly kind: 'response';
  readonly bytes: Buffer;
  /** `undefined` for an error that answers a message whose id could not be read. */
  readonly id: Span | undefined;
  /** `invalid`: both of `result` and `error`, or neither, or one that is no object. */
  readonly outcome: 'result' | 'error' | 'invalid';
  /** The `result` or `error` value; `undefined` where there is neither. */
  readonly value: Span | undefined;
  readonly multiline: boolean;
}

/** A JSON array at the top level: each element is a message of its own, or is not. */
export interface BatchMessage {
  readonly kind: 'batch';
  readonly bytes: Buffer;
  readonly elements: readonly Span[];
}

export type Message = RequestMessage | NotificationMessage | ResponseMessage | BatchMessage;

/** Bytes that are no message: not JSON (-32700) or not JSON-RPC (-32600). */
export interface Malformed {
  readonly kind: 'malformed';
  readonly code: -32700 | -32600;
  /** What is wrong, with the place: for the error's message. */
  readonly reason: string;
  /** The exact text of a readable id (string or number) in a bad envelope, to be echoed. */
  readonly idText: string | undefined;
  /** A bad answer rather than a bad request: it has `result` or `error` and no `method`. */
  readonly response: boolean;
}
