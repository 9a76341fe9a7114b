import { isRequestId, type RequestId } from './incoming.js';

/** A request whose answer has not been sent. */
export interface RunningRequest {
  readonly id: RequestId;
  readonly method: string;
  /** Aborted: the client cancelled it or the server stops; it gets no answer. */
  readonly controller: AbortController;
}

/** The requests that wait for their answers, by id. */
export class RunningRequests {
  readonly #byId = new Map<RequestId, RunningRequest>();
  readonly #waitingForIdle: (() => void)[] = [];

  /** Notes a new request, or yields `undefined` when one with this id is still running. */
  start(id: RequestId, method: string): RunningRequest | undefined {
    if (this.#byId.has(id)) return undefined;
    const request = { id, method, controller: new AbortController() };
    this.#byId.set(id, request);
    return request;
  }

  /** Whether the request still waits for its answer. */
  isOpen(request: RunningRequest): boolean {
    return this.#byId.get(request.id) === request;
  }

  /** Forgets a request: it is answered, or never will be. */
  finish(request: RunningRequest): void {
    if (!this.isOpen(request)) return;
    this.#byId.delete(request.id);
    if (this.#byId.size > 0) return;
    for (const resolve of this.#waitingForIdle.splice(0)) resolve();
  }

  /** Cancels by the id that came from outside; unknown and finished ones are ignored. [MCP 2025-11-25 cancellation] */
  cancel(id: unknown): void {
    const request = isRequestId(id) ? this.#byId.get(id) : undefined;
    // A handshake cannot be cancelled.
    if (request === undefined || request.method === 'initialize') return;
    this.finish(request);
    request.controller.abort();
  }

  cancelAll(): void {
    for (const request of [...this.#byId.values()]) {
      this.finish(request);
      request.controller.abort();
    }
  }

  /** Resolves once no request waits for its answer. */
  idle(): Promise<void> {
    if (this.#byId.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waitingForIdle.push(resolve));
  }
}
