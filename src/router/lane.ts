import PQueue from 'p-queue';
import type { CallContext } from '../eras/form.js';
import { type Translation, translation } from '../eras/translation.js';
import { gatewayError, type WireError } from '../protocol/errors.js';
import type { RequestMessage } from '../protocol/message.js';
import type { MethodRule } from '../protocol/methods.js';
import type { Edit } from '../protocol/splice.js';
import type { Clock } from '../shared/clock.js';
import type { ClientIdText, GatewayId, ToBackend } from '../shared/ids.js';
import { availability } from './availability.js';
import type { BackendPeer, BackendPort } from './ports.js';
import { digestOf } from './request-state.js';
import { progressToken, requestToBackend } from './rewrite.js';
import type { SessionRecord } from './session-record.js';

/**
 * Bytes that a process has not yet taken from its stdin before further calls are refused: a process that
 * never reads must not cost more memory than this and one more message. Holds two of the largest size.
 */
const maxUnwrittenBytes = 8 * 1024 * 1024;

/** One accepted request that a backend has to answer, from acceptance to its one end. */
export interface Call {
  /** Another one when it is sent again. */
  id: GatewayId;
  readonly session: SessionRecord;
  /** Of the client's request that is open for it; another one after a retry. */
  idText: ClientIdText;
  /** The canonical form of the client's id. */
  idKey: string;
  readonly rule: MethodRule;
  readonly lane: Lane;
  /** The client's progress token as JSON text. */
  tokenText: string | undefined;
  /** Its result may be a task, whose progress goes on under the token after the call's end. */
  readonly task: boolean;
  /** What its client said of itself. */
  context: CallContext;
  /** As the client sent it; kept until it was sent, or while it may be sent again. */
  message: RequestMessage | undefined;
  /** The names and URIs that its backend knows it by. */
  edits: readonly Edit[];
  /**
   * `asking`: its backend has asked for input in place of a result, and the client is being asked.
   */
  phase: 'queued' | 'sent' | 'asking' | 'ended';
  /** A request of the client's is open for it; not while that was answered with questions. */
  attached: boolean;
  /** What makes another request the same one, where it may have to be sent again by the client. */
  digest: string | undefined;
  /** When it times out, moved by progress, never beyond `lastMs`. On the clock's scale. */
  deadlineMs: number;
  readonly lastMs: number;
  /** Questions of the backend's that wait for this client's answer. */
  questions: number;
  repeated: boolean;
  /** It goes on after its backend asked for input: with a state that is its process's. */
  resumed: boolean;
  /** Takes it out of the queue while it waits there. */
  dequeue: AbortController | undefined;
}

/**
 * The way to one backend. A call goes straight through when the backend is ready and below its limit;
 * otherwise it waits in order in a queue whose gate admits one after the other.
 */
export class Lane {
  readonly port: BackendPort;
  /** The session that this process serves alone; `undefined` for one that serves everybody. */
  readonly session: SessionRecord | undefined;
  /** What the backend said of itself in its last handshake; `undefined` before the first. */
  peer: BackendPeer | undefined;
  readonly #clock: Clock;
  readonly #callers = new Map<SessionRecord, number>();
  readonly #queue = new PQueue({ concurrency: 1 });
  #sent = 0;
  #admit: (() => void) | undefined;
  /** Its process is gone, which the backend's state says only when all that it left behind is settled. */
  #exited = false;

  constructor(port: BackendPort, clock: Clock, session?: SessionRecord) {
    this.port = port;
    this.session = session;
    this.#clock = clock;
  }

  /** Calls that the process works on. */
  get inFlight(): number {
    return this.#sent;
  }

  /** The sessions that have something under way at the process. */
  get callers(): readonly SessionRecord[] {
    return [...this.#callers.keys()];
  }

  /** A session has something under way at the process, so that what the process says meanwhile can be its. */
  welcome(session: SessionRecord): void {
    this.#callers.set(session, (this.#callers.get(session) ?? 0) + 1);
  }

  /** The opposite of `welcome`, once for each. */
  farewell(session: SessionRecord): void {
    const others = (this.#callers.get(session) ?? 1) - 1;
    if (others === 0) this.#callers.delete(session);
    else this.#callers.set(session, others);
  }

  /** Calls that wait for their turn. */
  get queued(): number {
    return this.#queue.size + this.#queue.pending;
  }

  /** Sends the call or lets it wait. @returns the error that refuses it, if it can do neither. */
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

  /**
   * Writes a message ahead of all that waits. One that the process cannot be expected to read, because it
   * does not read at all, is left out.
   */
  notify(message: ToBackend): void {
    if (this.port.unwrittenBytes <= maxUnwrittenBytes) this.port.write(message);
  }

  /** A process is ready for calls. */
  ready(peer: BackendPeer): void {
    this.peer = peer;
    this.#exited = false;
    this.wake();
  }

  /** The process is gone: nothing is sent until the next one is ready. */
  exited(): void {
    this.#exited = true;
  }

  /** Frees the place of a call that came to its end. */
  release(call: Call): void {
    if (call.phase === 'sent') this.#left(call);
    call.dequeue?.abort();
    call.phase = 'ended';
    this.wake();
  }

  /** Takes back a call whose process ended, so that it is sent again at the next chance. */
  requeue(call: Call): void {
    this.#left(call);
    this.#enqueue(call);
  }

  /** The backend has asked for input in place of a result: it no longer works on the call. */
  setAside(call: Call): void {
    this.#left(call);
    call.phase = 'asking';
    this.wake();
  }

  /** Lets the next waiting call through if the backend can take one now. */
  wake(): void {
    if (this.#admit !== undefined && this.#open()) {
      this.#admit();
      this.#admit = undefined;
    }
  }

  #open(): boolean {
    const { state, settings } = this.port;
    return !this.#exited && state.kind === 'ready' && this.#sent < settings.maxInFlight;
  }

  #send(call: Call): void {
    const { message } = call;
    if (message === undefined) throw new Error(`call ${call.id} was sent already`);
    call.phase = 'sent';
    call.dequeue = undefined;
    this.#sent += 1;
    this.welcome(call.session);
    const { questions } = this.translationFor(call.context);
    if (call.rule.mayAsk === true && questions === 'in-results') call.digest ??= digestOf(message);
    if (!mayBeSentAgain(call, questions)) call.message = undefined;
    this.port.write(this.#inItsEra(call, message));
  }

  /** What lies between a client and this backend. */
  translationFor({ era }: CallContext): Translation {
    if (this.peer === undefined) throw new Error(`backend "${this.port.key}" has had no handshake yet`);
    return translation(era, this.peer.era);
  }

  #inItsEra({ id, edits, context, session }: Call, message: RequestMessage): ToBackend {
    const token = progressToken(message);
    const level = context.logLevel ?? session.logLevel;
    const about = this.translationFor(context).request(message, context, level);
    return requestToBackend(message, id, about.length === 0 ? edits : [...edits, ...about], token);
  }

  #left({ session }: Call): void {
    this.#sent -= 1;
    this.farewell(session);
  }

  #enqueue(call: Call): void {
    call.phase = 'queued';
    const dequeue = new AbortController();
    call.dequeue = dequeue;
    const turn = async () => {
      while (call.phase === 'queued' && !this.#open()) await this.#admission(dequeue.signal);
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

function mayBeSentAgain({ rule, repeated }: Call, questions: Translation['questions']): boolean {
  if (rule.repeatable === true && !repeated) return true;
  return rule.mayAsk === true && questions === 'in-requests';
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
