import type { WireError } from '../protocol/errors.js';
import type { MethodRule } from '../protocol/methods.js';
import type { ClientIdText, GatewayId, ToBackend } from '../shared/ids.js';
import type { BackendPort } from './ports.js';
import type { SessionRecord } from './session-record.js';

/** The way that a call takes to its backend, as far as the call's end concerns it. */
export interface CallLane {
  readonly port: BackendPort;
  /** Writes a notification ahead of all that waits. */
  notify(message: ToBackend): void;
  /** Sends the call or lets it wait. @returns the error that refuses it, if it can do neither. */
  submit(call: Call): WireError | undefined;
  /** Frees the place of a call that came to its end. */
  release(call: Call): void;
  /** Takes back a call whose process ended, so that it is sent again at the next chance. */
  requeue(call: Call): void;
}

/** One accepted request that a backend has to answer, from acceptance to its one end. */
export interface Call {
  readonly id: GatewayId;
  readonly session: SessionRecord;
  readonly idText: ClientIdText;
  /** The canonical form of the client's id. */
  readonly idKey: string;
  readonly rule: MethodRule;
  readonly lane: CallLane;
  /** The client's progress token as JSON text. */
  readonly tokenText: string | undefined;
  /** As it goes to the backend; kept for a repetition only where the rule allows one. */
  message: ToBackend | undefined;
  phase: 'queued' | 'sent' | 'ended';
  /** When it times out, moved by progress, never beyond `lastMs`. On the clock's scale. */
  deadlineMs: number;
  readonly lastMs: number;
  repeated: boolean;
  /** Takes it out of the queue while it waits there. */
  dequeue: AbortController | undefined;
}

/** All calls without an end, by the id that they have at their backends. */
export class InFlight {
  readonly #calls = new Map<number, Call>();

  get size(): number {
    return this.#calls.size;
  }

  add(call: Call): void {
    this.#calls.set(call.id, call);
  }

  get(id: number): Call | undefined {
    return this.#calls.get(id);
  }

  delete(id: GatewayId): void {
    this.#calls.delete(id);
  }

  /** The calls that fulfil `test`, as a list that stays valid while calls end. */
  filter(test: (call: Call) => boolean): Call[] {
    return [...this.#calls.values()].filter(test);
  }
}
