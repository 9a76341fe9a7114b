import { notificationToBackend, requestToBackend } from '../protocol/compose.js';
import { smallInteger } from '../protocol/envelope.js';
import type { JsonObject } from '../protocol/json.js';
import type { ResponseMessage } from '../protocol/message.js';
import type { Clock, Timer } from '../shared/clock.js';
import type { BackendKey, GatewayId, ToBackend } from '../shared/ids.js';
import { BackendError } from './backend-error.js';

export interface OwnRequestsOptions {
  readonly backend: BackendKey;
  readonly nextId: () => GatewayId;
  readonly clock: Clock;
  readonly write: (message: ToBackend) => void;
}

interface Waiting {
  readonly method: string;
  readonly timer: Timer;
  readonly resolve: (answer: ResponseMessage) => void;
  readonly reject: (error: BackendError) => void;
}

/** The requests that the gateway itself sent to one process. Ended with the process. */
export class OwnRequests {
  readonly #options: OwnRequestsOptions;
  readonly #waiting = new Map<number, Waiting>();
  #ended: string | undefined;

  constructor(options: OwnRequestsOptions) {
    this.#options = options;
  }

  /**
   * Sends a request. When its time is over it is cancelled at the backend, except for `initialize`, which
   * must not be. [MCP 2025-11-25 cancellation § Behavior Requirements]
   * @throws {BackendError} `timed-out`, `ended` or `unreadable`
   */
  send(method: string, params: JsonObject | undefined, timeoutMs: number): Promise<ResponseMessage> {
    const { backend, nextId, clock, write } = this.#options;
    if (this.#ended !== undefined) {
      return Promise.reject(new BackendError(backend, 'ended', `${method}: ${this.#ended}`));
    }
    const id = nextId();
    return new Promise((resolve, reject) => {
      const timer = clock.after(timeoutMs, () => this.#timedOut(id, method, timeoutMs));
      this.#waiting.set(id, { method, timer, resolve, reject });
      write(requestToBackend(id, method, params));
    });
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

  #timedOut(id: GatewayId, method: string, timeoutMs: number): void {
    this.#reject(id, 'timed-out', `no answer within ${timeoutMs / 1000} s`);
    if (method === 'initialize') return;
    const reason = 'the gateway waited long enough';
    this.#options.write(notificationToBackend('notifications/cancelled', { requestId: id, reason }));
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
    waiting.timer.cancel();
    return waiting;
  }
}
