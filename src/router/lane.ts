import PQueue from 'p-queue';
import { gatewayError, type WireError } from '../protocol/errors.js';
import type { Clock } from '../shared/clock.js';
import type { ToBackend } from '../shared/ids.js';
import { availability } from './availability.js';
import type { Call, CallLane } from './in-flight.js';
import type { BackendPort } from './ports.js';

/**
 * Bytes that a process has not yet taken from its stdin before further calls are refused: a process that
 * never reads must not cost more memory than this and one more message. Holds two of the largest size.
 */
const maxUnwrittenBytes = 8 * 1024 * 1024;

/**
 * The way to one backend. A call goes straight through when the backend is ready and below its limit;
 * otherwise it waits in order in a queue whose gate admits one after the other.
 */
export class Lane implements CallLane {
  readonly port: BackendPort;
  readonly #clock: Clock;
  readonly #queue = new PQueue({ concurrency: 1 });
  #sent = 0;
  #admit: (() => void) | undefined;

  constructor(port: BackendPort, clock: Clock) {
    this.port = port;
    this.#clock = clock;
  }

  /** Calls that the process works on. */
  get inFlight(): number {
    return this.#sent;
  }

  /** Calls that wait for their turn. */
  get queued(): number {
    return this.#queue.size + this.#queue.pending;
  }

  submit(call: Call): WireError | undefined {
    const { key, settings } = this.port;
    const verdict = availability(key, this.port.state, this.#clock.now());
    if (verdict.kind === 'refuse') return verdict.error;
    if (this.port.unwrittenBytes > maxUnwrittenBytes) {
      return overloaded(
        key,
        `does not read its input (${this.port.unwrittenBytes} bytes wait)`,
        'unwrittenBytes',
      );
    }
    if (verdict.kind === 'go' && this.queued === 0 && this.#sent < settings.maxInFlight) {
      this.#send(call);
      return undefined;
    }
    if (this.queued >= settings.maxQueued) {
      return overloaded(key, `has ${this.queued} calls waiting, its limit (maxQueued)`, 'maxQueued');
    }
    this.#enqueue(call);
    return undefined;
  }

  /** One that the process cannot be expected to read, because it does not read at all, is left out. */
  notify(message: ToBackend): void {
    if (this.port.unwrittenBytes <= maxUnwrittenBytes) this.port.write(message);
  }

  release(call: Call): void {
    if (call.phase === 'sent') this.#sent -= 1;
    call.dequeue?.abort();
    call.phase = 'ended';
    this.wake();
  }

  requeue(call: Call): void {
    this.#sent -= 1;
    this.#enqueue(call);
  }

  /** Lets the next waiting call through if the backend can take one now. */
  wake(): void {
    if (this.#admit !== undefined && this.#open()) {
      this.#admit();
      this.#admit = undefined;
    }
  }

  #open(): boolean {
    return this.port.state.kind === 'ready' && this.#sent < this.port.settings.maxInFlight;
  }

  #send(call: Call): void {
    const { message } = call;
    if (message === undefined) throw new Error(`call ${call.id} was sent already`);
    call.phase = 'sent';
    call.dequeue = undefined;
    this.#sent += 1;
    if (call.rule.repeatable !== true || call.repeated) call.message = undefined;
    this.port.write(message);
  }

  #enqueue(call: Call): void {
    call.phase = 'queued';
    const dequeue = new AbortController();
    call.dequeue = dequeue;
    const turn = async () => {
      if (!this.#open()) await this.#admission(dequeue.signal);
      if (call.phase === 'queued') this.#send(call);
    };
    this.#queue.add(turn, { signal: dequeue.signal }).catch(ignoreAbort);
  }

  /** Resolves when the backend can take a call, or when the waiting call was taken out of the queue. */
  #admission(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#admit = resolve;
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}

function overloaded(key: string, why: string, limit: string): WireError {
  return gatewayError('overloaded', `backend "${key}" ${why}; retry when it has caught up`, {
    backend: key,
    limit,
    retryAfterMs: 1_000,
  });
}

/** A call that leaves the queue early has had its answer elsewhere, or needs none. */
function ignoreAbort(reason: unknown): void {
  if (!(reason instanceof DOMException && reason.name === 'AbortError')) throw reason;
}
