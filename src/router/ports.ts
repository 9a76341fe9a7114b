import type { JsonObject } from '../protocol/json.js';
import type { Listing } from '../protocol/listing.js';
import type { Message, ResponseMessage } from '../protocol/message.js';
import type { BackendKey, GatewayId, SessionKey, ToBackend, ToClient } from '../shared/ids.js';
import type { BackendSettings } from '../shared/settings.js';

/** What the router needs of a client's socket. Fulfilled by `sessions/`. */
export interface ClientPort {
  readonly key: SessionKey;
  /** Queues one message; all messages of one turn of the event loop leave in one write. */
  send(message: ToClient): void;
  /** Like `send`, but while the client reads slowly only the newest message per `token` is kept. */
  sendProgress(message: ToClient, token: string): void;
  /** Closes the socket with a close code and a reason of at most 123 bytes. */
  close(code: number, reason: string): void;
}

/** What a client's socket needs of the router. Made when the socket opens. */
export interface Conversation {
  /**
   * Takes one text message. Never throws for bad input: the client gets its JSON-RPC error.
   * @returns `malformed` when the bytes are not JSON, which the session counts.
   */
  receive(bytes: Buffer): 'accepted' | 'malformed';
  /** The socket is gone: every request of this client is cancelled, nothing is sent any more. */
  ended(): void;
}

export type OpenConversation = (port: ClientPort) => Conversation;

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** What happened, as a phrase: `exit code 1`, `signal SIGKILL`, `spawn failed: not found in PATH`. Told to clients. */
  readonly reason: string;
  /** Where to look, for whoever runs the gateway: may hold values of its environment, so that no client sees it. */
  readonly hint?: string | undefined;
  /** The last lines it wrote to stderr. */
  readonly stderrTail: string;
}

/** What a backend said of itself in its handshake. */
export interface BackendPeer {
  readonly era: 'legacy' | 'modern';
  readonly revision: string;
  readonly capabilities: JsonObject;
  readonly serverInfo: JsonObject;
  readonly instructions: string | undefined;
}

/** Where a backend is in its life, without the handles that only the supervisor holds. */
export type BackendState =
  /** Never started: disabled, or a variable of its configuration is unset. */
  | { readonly kind: 'off'; readonly reason: string }
  | { readonly kind: 'stopped' }
  /** Spawned, handshake or first listing under way. */
  | { readonly kind: 'starting'; readonly sinceMs: number }
  /** Serving. */
  | { readonly kind: 'ready'; readonly peer: BackendPeer }
  /** Exited; started again at `untilMs`. */
  | { readonly kind: 'backing-off'; readonly untilMs: number; readonly lastExit: Exit }
  /** Exited too often; tried again rarely. */
  | { readonly kind: 'failed'; readonly retryAtMs: number; readonly reason: string; readonly lastExit: Exit }
  | { readonly kind: 'stopping' };

/** Why a request of the gateway's own has no answer. */
export type RequestProblem =
  /** No process is there to ask. */
  | 'not-ready'
  /** The process ended first. */
  | 'ended'
  | 'timed-out'
  /** The answer came and could not be read: too long a line, or not UTF-8. */
  | 'unreadable';

/** What such a request throws; `message` is a phrase about the backend. */
export interface RequestFailure extends Error {
  readonly problem: RequestProblem;
}

/** What the router needs of a backend. Fulfilled by `supervisor/`. */
export interface BackendPort {
  readonly key: BackendKey;
  readonly settings: BackendSettings;
  readonly state: BackendState;
  /** Bytes written towards the process that it has not taken yet. */
  readonly unwrittenBytes: number;
  /** What is to be mended at its program, as words behind its name; a likely cause of answers that do not come. */
  readonly advice: string | undefined;
  /**
   * Writes one message; all writes of one turn of the event loop leave in one write. Dropped when no process
   * is there. One that is still starting hears only answers to what it asked itself.
   */
  write(message: ToBackend): void;
  /**
   * A request of the gateway's own.
   * @returns its answer, whichever outcome it has.
   * @throws {RequestFailure} when the process ends or `timeoutMs` (default: the request timeout) is over.
   */
  request(method: string, params: JsonObject | undefined, timeoutMs?: number): Promise<ResponseMessage>;
  /**
   * Asks to hear of updates of a resource, in whichever way its era has. What one process was asked is
   * unknown to the next.
   * @returns the answer; an error when the backend does not send updates of it
   * @throws {RequestFailure} as `request` does
   */
  subscribe(uri: string): Promise<ResponseMessage>;
  /** The opposite of `subscribe`. */
  unsubscribe(uri: string): Promise<ResponseMessage>;
  /** Asks for an early start of a backend that is backing off or failed; one start at a time is in progress. */
  wake(): void;
}

/** A backend whose process serves one session alone. */
export interface OwnBackend extends BackendPort {
  start(): void;
  /** Resolves once nothing of it runs any more. */
  stop(): Promise<void>;
}

/** Who the gateway says that it is, to one backend. */
export interface Introduction {
  readonly clientInfo: JsonObject;
  /** What the backend may ask of us. */
  readonly capabilities: JsonObject;
}

/** Makes a backend for one session, which introduces itself as that session's client. */
export type CreateOwnBackend = (settings: BackendSettings, introduction: Introduction) => OwnBackend;

/** What happens at backends, told to the router in the order in which it happens. */
export interface BackendEvents {
  /** A message that does not answer one of the backend's own requests. */
  message(backend: BackendPort, message: Message): void;
  /** An answer was recognised that cannot be delivered: too long a line, or not UTF-8. */
  undeliverable(backend: BackendPort, id: GatewayId, problem: 'too-large' | 'not-utf8'): void;
  /** It moved to `backend.state`. `ready` comes after the listing of that start. */
  state(backend: BackendPort, from: BackendState): void;
  /** Its process is gone, after everything that it had written was handed on. Before the new state. */
  exit(backend: BackendPort, exit: Exit): void;
  /** What it offers, after a start or a change. */
  listing(backend: BackendPort, listing: Listing): void;
}
