import type { JsonObject } from '../protocol/json.js';

/** A family of revisions: `legacy` opens with `initialize`, in `modern` every request stands for itself. */
export type Era = 'legacy' | 'modern';

/** A message of the gateway's own, before it has an id. */
export interface OwnMessage {
  readonly method: string;
  readonly params: JsonObject | undefined;
}

/** What the gateway says of itself to a backend. */
export interface Caller {
  readonly clientInfo: JsonObject;
  /** What the backend may ask of the gateway. */
  readonly capabilities: JsonObject;
}

/** What the result of the opening request means. */
export type Opening =
  | {
      readonly outcome: 'accepted';
      readonly revision: string;
      readonly capabilities: JsonObject;
      readonly serverInfo: JsonObject;
      readonly instructions: string | undefined;
    }
  /** `reason` is a phrase about the backend; with `final`, another process would answer the same. */
  | { readonly outcome: 'refused'; readonly reason: string; readonly final: boolean };

/** Changes come unasked; those of a resource after a request that names it. */
export interface ChangesOnRequest {
  readonly on: 'request';
  subscribe(uri: string): OwnMessage;
  unsubscribe(uri: string): OwnMessage;
}

/** What a notification is to the stream that changes come on. */
export type StreamNotice = 'acknowledgement' | 'end' | 'change' | 'none';

/** Changes come on a stream that one long request holds open; what it asks for is settled at its start. */
export interface ChangesOnStream {
  readonly on: 'stream';
  /** The request for what these capabilities promise and these resources; `undefined` when that is nothing. */
  listen(capabilities: JsonObject, uris: readonly string[]): OwnMessage | undefined;
  classify(method: string): StreamNotice;
  /** The resources of which updates will come, from the parameters of the acknowledgement. */
  acknowledgedUris(params: unknown): ReadonlySet<string>;
}

/** A backend's era: how the gateway opens a conversation with one process, and how it speaks for itself in it. */
export interface BackendSide {
  readonly era: Era;
  /** The request that opens the conversation, sent before anything else. */
  readonly opening: OwnMessage;
  /** The notification that ends the handshake, where there is one. */
  readonly opened: OwnMessage | undefined;
  readOpening(result: unknown): Opening;
  /** The side to open with instead, when the error says that the backend is of this era, in that revision. */
  afterError(error: unknown): BackendSide | undefined;
  /** Parameters of a request of the gateway's own as they go onto the wire. */
  requestParams(params: JsonObject | undefined): JsonObject | undefined;
  /** Parameters of a notification of the gateway's own as they go onto the wire. */
  notificationParams(params: JsonObject | undefined): JsonObject | undefined;
  readonly changes: ChangesOnRequest | ChangesOnStream;
}
