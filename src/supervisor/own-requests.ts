import type { BackendSide } from '../eras/backend-side.js';
import { notificationToBackend, requestToBackend } from '../protocol/compose.js';
import { smallInteger } from '../protocol/envelope.js';
import type { JsonObject } from '../protocol/json.js';
import type { ResponseMessage } from '../protocol/message.js';
import { BackendError } from '../shared/backend-error.js';
import type { Clock, Timer } from '../shared/clock.js';
import type { BackendKey, GatewayId, ToBackend } from '../shared/ids.js';

export interface OwnRequestsOptions {
  readonly backend: BackendKey;
  /** The era in which it is spoken to until `open` says another. */
  readonly side: BackendSide;
  readonly nextId: () => GatewayId;
  readonly clock: Clock;
  readonly write: (message: ToBackend) => void;
}

/** A request that is answered when its purpose is over. */
export interface HeldRequest {
  readonly id: GatewayId;
  readonly answer: Promise<ResponseMessage>;
}

interface Waiting {
  readonly method: string;
  readonly timer: Timer | undefined;
  readonly resolve: (answer: ResponseMessage) => void;
  readonly reject: (error: BackendError) => void;
}

/** What the gateway says to one process for itself, above all its requests. Ended with the process. */
export class OwnRequests {
  readonly #options: OwnRequestsOptions;
  readonly #waiting = new Map<number, Waiting>();
  #side: BackendSide;
  #ended: string | undefined;

  constructor(options: OwnRequestsOptions) {
    this.#options = options;
    this.#side = options.side;
  }

  /**
   * Sends the request that opens the conversation; from then on all is said as `side` wants it. When its time
   * is over it is not cancelled: `initialize` must not be, and the process is stopped anyway.
   * [MCP 2025-11-25 cancellation § Behavior Requirements]
   * @throws {BackendError} as `send` does
   */
  open(side: BackendSide, timeoutMs: number): Promise<ResponseMessage> {
    this.#side = side;
    const { method, params } = side.opening;
    return this.#ask(method, params, (id) => this.#after(timeoutMs, id)).answer;
  }

  /**
   * Sends a request. When its time is over it is cancelled at the backend.
   * @throws {BackendError} `timed-out`, `ended` or `unreadable`
   */
  send(method: string, params: JsonObject | undefined, timeoutMs: number): Promise<ResponseMessage> {
    const cancel = (id: GatewayId) => this.#cancel(id, 'the gateway waited long enough');
    return this.#ask(method, params, (id) => this.#after(timeoutMs, id, cancel)).answer;
  }

  /** Sends a request that may stay unanswered for as long as the process lives. Its answer rejects as `send` does. */
  hold(method: string, params: JsonObject | undefined): HeldRequest {
    return this.#ask(method, params, () => undefined);
  }

  /** Waits no more for the answer to a held request; with a `reason` the request is cancelled at the backend. */
  release(id: GatewayId, reason?: string): void {
    if (this.#remove(id) !== undefined && reason !== undefined) this.#cancel(id, reason);
  }

  notify(method: string, params: JsonObject | undefined): void {
    this.#options.write(notificationToBackend(method, this.#side.notificationParams(params)));
  }

  /** Takes an answer if it is to one of these requests. */
  take(answer: ResponseMessage): boolean {
    if (this.#waiting.size === 0 || answer.id === undefined) return false;
    const waiting = this.#remove(smallInteger(answer.bytes, answer.id));
    waiting?.resolve(answer);
    return waiting !== undefined;
  }

  /** Takes an answer that cannot be read if it is to one of these requests. */
  takeUnreadable(id: number, problem: 'too-large' | 'not-utf8'): boolean {
    const words =
      problem === 'too-large' ? 'a line over the limit (maxLineBytes)' : 'a line that is not UTF-8';
    return this.#reject(id, 'unreadable', `answered with ${words}`);
  }

  /** The process is gone, for this reason: nothing is waited for any more. */
  end(reason: string): void {
    this.#ended = reason;
    for (const id of [...this.#waiting.keys()]) this.#reject(id, 'ended', reason);
  }

  #ask(
    method: string,
    params: JsonObject | undefined,
    startTimer: (id: GatewayId) => Timer | undefined,
  ): HeldRequest {
    const { backend, nextId, write } = this.#options;
    const id = nextId();
    if (this.#ended !== undefined) {
      const error = new BackendError(backend, 'ended', `${method}: ${this.#ended}`);
      return { id, answer: Promise.reject(error) };
    }
    const answer = new Promise<ResponseMessage>((resolve, reject) => {
      this.#waiting.set(id, { method, timer: startTimer(id), resolve, reject });
      write(requestToBackend(id, method, this.#side.requestParams(params)));
    });
    return { id, answer };
  }

  #after(timeoutMs: number, id: GatewayId, then?: (id: GatewayId) => void): Timer {
    return this.#options.clock.after(timeoutMs, () => {
      this.#reject(id, 'timed-out', `no answer within ${timeoutMs / 1000} s`);
      then?.(id);
    });
  }

  #cancel(id: GatewayId, reason: string): void {
    this.notify('notifications/cancelled', { requestId: id, reason });
  }

  #reject(id: number, problem: 'timed-out' | 'ended' | 'unreadable', reason: string): boolean {
    const waiting = this.#remove(id);
    waiting?.reject(new BackendError(this.#options.backend, problem, `${waiting.method}: ${reason}`));
    return waiting !== undefined;
  }

  #remove(id: number | undefined): Waiting | undefined {
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || waiting === undefined) return undefined;
    this.#waiting.delete(id);
    waiting.timer?.cancel();
    return waiting;
  }
}
