import { errorToClient, notificationToBackend } from '../protocol/compose.js';
import { idText, smallInteger } from '../protocol/envelope.js';
import type { WireError } from '../protocol/errors.js';
import type { NotificationMessage, ResponseMessage, Span } from '../protocol/message.js';
import type { Edit } from '../protocol/splice.js';
import type { Clock } from '../shared/clock.js';
import type { ClientIdText, GatewayId, ToClient } from '../shared/ids.js';
import type { Log } from '../shared/log.js';
import { availability, exitedUnder, restarting, shuttingDown } from './availability.js';
import { exceeded, expired, invalidAnswer, unreadable } from './call-errors.js';
import type { AcceptedRequest } from './conversation.js';
import { Deadlines } from './deadlines.js';
import { InFlight } from './in-flight.js';
import type { Call, Lane } from './lane.js';
import type { Exit } from './ports.js';
import { cancellationToBackend, progressToClient, progressToken, responseToClient } from './rewrite.js';
import type { SessionRecord } from './session-record.js';

/** A request that has found its backend. */
export interface RoutedRequest {
  readonly request: AcceptedRequest;
  readonly lane: Lane;
  /** What changes in it besides id and progress token. */
  readonly edits: readonly Edit[];
  /** When the request was accepted, which is when its deadline began. On the clock's scale. */
  readonly acceptedMs: number;
}

/** An answer that is ready but for the id that it goes under. */
export type HeldAnswer = (idText: ClientIdText) => ToClient;

/** What others do with what passes here. */
export interface CallHooks {
  /** A call is about to be sent, or to wait for it. */
  started(call: Call): void;
  /** What changes in a result besides the id. */
  resultEdits(call: Call, message: ResponseMessage): readonly Edit[];
  /** @returns whether the answer asks for input, which others see to; the call goes on then */
  asksForInput(call: Call, message: ResponseMessage): boolean;
  /** An answer is about to be handed on. */
  answered(call: Call, message: ResponseMessage): void;
  /** The answer to a call for which no request is open: it waits for one. */
  held(call: Call, answer: HeldAnswer): void;
  /** Progress came under a token that is no open call's. */
  lateProgress(lane: Lane, id: number, message: NotificationMessage, token: Span): void;
  /** A call has come to its end, whichever. */
  ended(call: Call): void;
}

/**
 * The calls between clients and backends. Each one ends exactly once: with its backend's answer, with an
 * error of the gateway's, or silently when its client cancelled it or left.
 */
export class Calls {
  readonly inFlight = new InFlight();
  /** Answers that nobody waited for. */
  strayAnswers = 0;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #nextId: () => GatewayId;
  readonly #deadlines: Deadlines;
  readonly #hooks: CallHooks;

  constructor(clock: Clock, log: Log, nextId: () => GatewayId, hooks: CallHooks) {
    this.#hooks = hooks;
    this.#clock = clock;
    this.#log = log;
    this.#nextId = nextId;
    this.#deadlines = new Deadlines(clock, this.inFlight, (call) => this.#expire(call));
  }

  /** Forwards a request, or lets it wait in its backend's queue, or answers why neither is possible. */
  start({ request, lane, edits, acceptedMs }: RoutedRequest): void {
    const { session, step, idText: clientId, idKey } = request;
    const { message, rule } = step;
    const { requestTimeoutMs, maxRequestTimeMs } = lane.port.settings;
    const id = this.#nextId();
    const token = progressToken(message);
    const lastMs = acceptedMs + maxRequestTimeMs;
    const call: Call = {
      id,
      session,
      idText: clientId,
      idKey,
      rule,
      lane,
      tokenText: token === undefined ? undefined : idText(message.bytes, token),
      task: message.fields.task !== undefined || step.context.mayGetTasks,
      context: step.context,
      message,
      edits,
      phase: 'queued',
      attached: true,
      digest: undefined,
      deadlineMs: rule.patient === true ? lastMs : Math.min(acceptedMs + requestTimeoutMs, lastMs),
      lastMs,
      questions: 0,
      repeated: false,
      resumed: false,
      dequeue: undefined,
    };
    this.inFlight.add(call);
    this.#opened(call);
    this.#deadlines.started();
    this.#hooks.started(call);
    const refusal = lane.submit(call);
    if (refusal !== undefined) this.#fail(call, refusal);
  }

  /** Hands a backend's answer to the client that waits for it. */
  answer(lane: Lane, message: ResponseMessage): void {
    const call =
      message.id === undefined ? undefined : this.#of(lane, smallInteger(message.bytes, message.id));
    if (call === undefined || message.id === undefined) {
      this.strayAnswers += 1;
      this.#log.debug({ backend: lane.port.key }, 'answer that nobody waits for');
      return;
    }
    if (message.outcome === 'invalid') {
      this.#fail(call, invalidAnswer(lane));
      return;
    }
    if (this.#hooks.asksForInput(call, message)) return;
    this.#hooks.answered(call, message);
    const { id } = message;
    const edits = this.#hooks.resultEdits(call, message);
    if (call.attached) this.#end(call, responseToClient(message, id, call.idText, edits));
    else this.#hold(call, (idText) => responseToClient(message, id, idText, edits));
  }

  /** Sends a call once more, after its backend asked for input, with what it asked for. */
  resume(call: Call, edits: readonly Edit[]): void {
    this.inFlight.delete(call.id);
    call.id = this.#nextId();
    call.edits = edits;
    call.resumed = true;
    this.inFlight.add(call);
    const refusal = call.lane.submit(call);
    if (refusal !== undefined) this.#fail(call, refusal);
  }

  /** The client's request is answered with questions; the call goes on without one, and its token has no meaning. */
  detach(call: Call, answer: ToClient): void {
    call.attached = false;
    call.tokenText = undefined;
    call.session.end(call.idKey, answer);
  }

  /** Another request of the client's takes the place of the one that was answered with questions. */
  attach(call: Call, { step: { message, context }, idText: text, idKey }: AcceptedRequest): void {
    const token = progressToken(message);
    call.idText = text;
    call.idKey = idKey;
    call.context = context;
    call.tokenText = token === undefined ? undefined : idText(message.bytes, token);
    call.attached = true;
    this.#opened(call);
  }

  /** Ends a call that nobody waits for any more, at its backend too. */
  abandon(call: Call, reason: string): void {
    this.#tellBackend(call, reason);
    this.#end(call, undefined);
  }

  /** Ends a call with an error of the gateway's, at its backend too. */
  cancelWith(call: Call, error: WireError): void {
    this.#tellBackend(call, error.message);
    this.#fail(call, error);
  }

  /** Ends a call with an error of the gateway's. */
  fail(call: Call, error: WireError): void {
    this.#fail(call, error);
  }

  /** An answer came that cannot be handed on. */
  undeliverable(lane: Lane, id: GatewayId, problem: 'too-large' | 'not-utf8'): void {
    const call = this.#of(lane, id);
    if (call === undefined) return;
    this.#fail(call, unreadable(lane, problem));
  }

  /** Hands progress to the client whose call is open, in its own token, and moves the deadline. */
  progress(lane: Lane, message: NotificationMessage): void {
    const span = message.fields.progressToken;
    const id = span && smallInteger(message.bytes, span);
    if (span === undefined || id === undefined) return;
    const call = this.#of(lane, id);
    if (call === undefined) {
      this.#hooks.lateProgress(lane, id, message, span);
    } else if (call.tokenText !== undefined) {
      this.#extend(call);
      call.session.port.sendProgress(progressToClient(message, span, call.tokenText), call.tokenText);
    }
  }

  /** A question of the backend's waits for a person: meanwhile only the longest request time limits the call. */
  asked(call: Call): void {
    call.questions += 1;
    call.deadlineMs = call.lastMs;
  }

  questionEnded(call: Call): void {
    call.questions -= 1;
    this.#extend(call);
  }

  /** The calls of a session that a backend works on. */
  at(lane: Lane, session: SessionRecord): Call[] {
    return this.inFlight.filter(
      (call) => call.lane === lane && call.session === session && call.phase === 'sent',
    );
  }

  /**
   * Answers the calls that the ended process had, or had asked for input, even if they wait for their turn again;
   * reads that may be repeated wait for the next one.
   */
  exited(lane: Lane, exit: Exit): void {
    for (const call of this.inFlight.filter((each) => each.lane === lane && isAtProcess(each))) {
      if (call.phase === 'sent' && mayBeRepeated(call)) {
        call.repeated = true;
        call.lane.requeue(call);
      } else {
        this.#fail(call, exitedUnder(lane.port.key, exit));
      }
    }
  }

  /** Answers the calls that wait for a backend which will not take them soon, or failed to start for them. */
  recheckQueued(lane: Lane, startFailed: boolean): void {
    const { state, key } = lane.port;
    const verdict = availability(key, state, this.#clock.now());
    let error = verdict.kind === 'refuse' ? verdict.error : undefined;
    if (error === undefined && startFailed && state.kind === 'backing-off') {
      error = restarting(key, state.lastExit, state.untilMs - this.#clock.now());
    }
    if (error === undefined) return;
    for (const call of this.inFlight.filter((each) => each.lane === lane && each.phase === 'queued')) {
      this.#fail(call, error);
    }
  }

  /** Answers every call with the shutdown error. */
  shutDown(): void {
    for (const call of this.inFlight.filter(() => true)) {
      this.#tellBackend(call, 'the gateway is shutting down');
      this.#fail(call, shuttingDown());
    }
    this.#deadlines.stop();
  }

  /** The open call with this id at this very backend, if there is one. */
  #of(lane: Lane, id: number | undefined): Call | undefined {
    const call = id === undefined ? undefined : this.inFlight.get(id);
    return call?.lane === lane && call.phase === 'sent' ? call : undefined;
  }

  #extend(call: Call): void {
    if (call.questions > 0 || call.rule.patient === true) return;
    call.deadlineMs = Math.min(this.#clock.now() + call.lane.port.settings.requestTimeoutMs, call.lastMs);
  }

  #cancel(call: Call, notice: NotificationMessage | undefined): void {
    const requestId = notice?.fields.requestId;
    if (call.phase === 'sent' && notice !== undefined && requestId !== undefined) {
      const about = call.lane.translationFor(call.context).notice(notice, call.context);
      call.lane.notify(cancellationToBackend(notice, requestId, call.id, about));
    } else {
      this.#tellBackend(call, 'the client disconnected');
    }
    this.#end(call, undefined);
  }

  #expire(call: Call): void {
    const limit = exceeded(call);
    this.#tellBackend(call, `no answer within ${limit.ms} ms`);
    this.#fail(call, expired(call, limit));
  }

  #tellBackend(call: Call, reason: string): void {
    if (call.phase !== 'sent') return;
    const { lane, context, id: requestId } = call;
    const params = lane.translationFor(context).noticeParams({ requestId, reason }, context);
    lane.notify(notificationToBackend('notifications/cancelled', params));
  }

  #opened(call: Call): void {
    const { session, idKey, idText } = call;
    session.open.set(idKey, { idText, cancel: (notice) => this.#cancel(call, notice) });
  }

  #fail(call: Call, error: WireError): void {
    if (call.attached) this.#end(call, errorToClient(call.idText, error));
    else this.#hold(call, (idText) => errorToClient(idText, error));
  }

  #hold(call: Call, answer: HeldAnswer): void {
    this.#hooks.held(call, answer);
    this.#end(call, undefined);
  }

  #end(call: Call, message: ToClient | undefined): void {
    this.inFlight.delete(call.id);
    if (call.attached) call.session.end(call.idKey, message);
    call.lane.release(call);
    this.#hooks.ended(call);
  }
}

/** Once, and not with the answers to a process that is gone. */
function mayBeRepeated({ rule, repeated, resumed }: Call): boolean {
  return rule.repeatable === true && !repeated && !resumed;
}

function isAtProcess({ phase, resumed }: Call): boolean {
  return phase !== 'queued' || resumed;
}
