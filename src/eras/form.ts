import type { JsonObject } from '../protocol/json.js';
import type { LogLevel } from '../protocol/log-level.js';
import type { NotificationMessage, RequestMessage } from '../protocol/message.js';
import type { MethodRule } from '../protocol/methods.js';
import type { ToClient } from '../shared/ids.js';
import type { Era } from './backend-side.js';
import type { Dialect } from './dialect.js';

/**
 * What a client said of itself, as it goes with each of its calls. Modern clients say it in every request,
 * legacy ones once in their handshake; spelled out onto each call, both look alike from here on.
 */
export interface CallContext {
  readonly era: Era;
  /** How this client is answered by the gateway itself. */
  readonly dialect: Dialect;
  readonly revision: string;
  readonly capabilities: JsonObject;
  readonly clientInfo: JsonObject;
  /** Who the gateway is, for results that name their server. */
  readonly serverInfo: JsonObject;
  /** A result may be a task although the request asks for none. */
  readonly mayGetTasks: boolean;
  /** The least severe log lines it wants to hear of this call; legacy clients say it for all of them. */
  readonly logLevel: LogLevel | undefined;
}

/** What the gateway says of itself to a client. */
export interface GatewayIntroduction {
  /** The same for as long as the gateway runs. */
  readonly serverInfo: JsonObject;
  readonly capabilities: JsonObject;
  readonly instructions: string | undefined;
}

/** What is to be done with one message of a client, decided by its era. */
export type Step =
  /** The era answers by itself. */
  | { readonly kind: 'reply'; readonly message: ToClient }
  /** Nothing is to be done; `reason` is for the debug log. */
  | { readonly kind: 'drop'; readonly reason: string }
  | {
      readonly kind: 'request';
      readonly rule: MethodRule;
      readonly message: RequestMessage;
      readonly context: CallContext;
    }
  | { readonly kind: 'notification'; readonly rule: MethodRule; readonly message: NotificationMessage };

/** A client's era: messages in, steps out. One per session; it holds what the handshake settled. */
export interface ClientSide {
  /** The context of the session's calls; `undefined` before the handshake. */
  readonly context: CallContext | undefined;
  /** What stands as the id in an error for a message without a usable one; with `undefined` the member is left out. */
  readonly noId: 'null' | undefined;
  request(message: RequestMessage, idText: string): Step;
  notification(message: NotificationMessage): Step;
}
