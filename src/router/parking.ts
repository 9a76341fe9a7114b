import { inputRequired } from '../eras/modern/input-required.js';
import { errorToClient } from '../protocol/compose.js';
import { idKey, idText, stringAt } from '../protocol/envelope.js';
import { gatewayError } from '../protocol/errors.js';
import type { NotificationMessage, RequestMessage } from '../protocol/message.js';
import { entrySpans } from '../protocol/walk.js';
import type { Clock, Timer } from '../shared/clock.js';
import type { BackendAsker } from './backend-asker.js';
import type { Calls, HeldAnswer } from './calls.js';
import type { AcceptedRequest } from './conversation.js';
import type { Call, Lane } from './lane.js';
import { digestOf, RequestStates } from './request-state.js';
import type { SessionRecord } from './session-record.js';

/** How long questions of one call are gathered before its request is answered with them. */
const gatherMs = 20;
/** How long a call waits for the retry with the answers: a person may have to think. */
const waitMs = 5 * 60_000;
/** Rounds of one call, and questions in one round: a backend that asks for ever must come to an end. */
const maxRounds = 20;
const maxQuestions = 32;
/**
 * Calls of one client that wait at once: each has a place at its backend, or an answer that is kept for it, and none
 * of them counts among the client's open requests.
 */
const maxCalls = 64;

interface Question {
  readonly message: RequestMessage;
  readonly asker: BackendAsker;
}

/** A call whose client is asked in the answers to its requests. */
interface Parked {
  readonly call: Call;
  readonly digest: string;
  /** The questions that have no answer, by the key under which the client is asked. */
  readonly questions: Map<string, Question>;
  asked: number;
  round: number;
  /** Gathers questions while a request is open, waits for the retry while none is. */
  timer: Timer | undefined;
  /** The backend has answered while no request was open. */
  answer: HeldAnswer | undefined;
}

/**
 * Calls of modern clients at backends that ask by requests: the client's request is answered with the questions and
 * a state; the call waits until the client sends the request again with that state and the answers.
 * [MCP 2026-07-28 basic/patterns § input_required]
 */
export class Parking {
  readonly #calls: () => Calls;
  readonly #clock: Clock;
  readonly #states = new RequestStates();
  readonly #parked = new Map<Call, Parked>();

  /** @param calls made later than this */
  constructor(calls: () => Calls, clock: Clock) {
    this.#calls = calls;
    this.#clock = clock;
  }

  get size(): number {
    return this.#parked.size;
  }

  /** A backend asks in the middle of a call. */
  ask(call: Call, message: RequestMessage, asker: BackendAsker): void {
    if (!this.#parked.has(call) && this.#of(call.session).length >= maxCalls) {
      const reason = `the client has ${maxCalls} calls waiting for its answers, the most at once`;
      asker.refuse(gatewayError('overloaded', reason));
      return;
    }
    const parked = this.#parked.get(call) ?? this.#park(call);
    if (parked.questions.size >= maxQuestions || parked.round >= maxRounds) {
      asker.refuse(gatewayError('overloaded', 'the call has asked too many questions'));
      return;
    }
    parked.asked += 1;
    parked.questions.set(`q${parked.asked}`, { message, asker });
    this.#calls().asked(call);
    if (call.attached) parked.timer ??= this.#clock.after(gatherMs, () => this.#answerWithQuestions(parked));
  }

  /** A backend takes a question back. */
  withdrawn(lane: Lane, key: string): void {
    for (const { call, questions } of this.#parked.values()) {
      if (call.lane !== lane) continue;
      for (const [name, { asker }] of questions) {
        if (asker.key === key && questions.delete(name)) this.#calls().questionEnded(call);
      }
    }
  }

  /** Whether a request brings back a state of ours, be it still good or not. */
  gave({ step: { message } }: AcceptedRequest): boolean {
    const state = stateIn(message);
    return state !== undefined && this.#states.read(state) !== undefined;
  }

  /** A client cancels a request that was answered with questions. @returns whether a call waits under its id */
  cancelled(session: SessionRecord, { bytes, fields: { requestId } }: NotificationMessage): boolean {
    const key = requestId && idKey(idText(bytes, requestId));
    const parked = this.#of(session).find(({ call }) => call.idKey === key && !call.attached);
    if (parked !== undefined) this.#giveUp(parked, 'the client cancelled the request');
    return parked !== undefined;
  }

  /** Whether a request brings back a state; then it goes on with the call that it belongs to, or is refused. */
  retry(request: AcceptedRequest): boolean {
    const { message } = request.step;
    if (message.fields.requestState === undefined) return false;
    const state = stateIn(message);
    const parked = state === undefined ? undefined : this.#meant(request, state);
    if (parked === undefined) {
      const reason =
        'params.requestState is none that this request was given, or it was used, or it has expired';
      request.session.end(
        request.idKey,
        errorToClient(request.idText, gatewayError('invalidParams', reason)),
      );
      return true;
    }
    this.#goOn(parked, request);
    return true;
  }

  /** The answer to a call came while its client was thinking. */
  held(call: Call, answer: HeldAnswer): void {
    const parked = this.#parked.get(call);
    if (parked !== undefined) parked.answer = answer;
  }

  /** A call is over at its backend. What its client has not fetched yet waits on. */
  callEnded(call: Call): void {
    const parked = this.#parked.get(call);
    if (parked === undefined) return;
    for (const { asker } of parked.questions.values()) {
      asker.refuse(gatewayError('noOwner', 'the call that it belonged to has ended'));
    }
    parked.questions.clear();
    if (call.attached || parked.answer === undefined) this.#forget(parked);
  }

  /** A process is gone, and its questions with it; a retry gets what has become of its call. */
  laneExited(lane: Lane): void {
    for (const { call, questions } of this.#parked.values()) {
      if (call.lane !== lane) continue;
      for (const key of [...questions.keys()]) {
        questions.delete(key);
        this.#calls().questionEnded(call);
      }
    }
  }

  sessionEnded(session: SessionRecord): void {
    for (const parked of this.#of(session)) this.#giveUp(parked, 'the client disconnected');
  }

  #of(session: SessionRecord): Parked[] {
    return [...this.#parked.values()].filter(({ call }) => call.session === session);
  }

  #park(call: Call): Parked {
    const parked: Parked = {
      call,
      digest: call.digest ?? '',
      questions: new Map(),
      asked: 0,
      round: 0,
      timer: undefined,
      answer: undefined,
    };
    this.#parked.set(call, parked);
    return parked;
  }

  #answerWithQuestions(parked: Parked): void {
    const { call, digest, questions } = parked;
    parked.timer = undefined;
    if (questions.size === 0) return;
    parked.round += 1;
    const expiresMs = Math.min(this.#clock.now() + waitMs, call.lastMs);
    const { id, session, idText } = call;
    const state = this.#states.sign({
      call: id,
      session: session.port.key,
      round: parked.round,
      digest,
      expiresMs,
    });
    parked.timer = this.#clock.after(expiresMs - this.#clock.now(), () =>
      this.#giveUp(parked, 'the client did not answer the questions in time'),
    );
    const asked = [...questions].map(([key, { message }]) => ({ key, message }));
    this.#calls().detach(call, inputRequired(idText, asked, state));
  }

  #meant({ session, step }: AcceptedRequest, state: string): Parked | undefined {
    const ticket = this.#states.read(state);
    if (
      ticket === undefined ||
      ticket.session !== session.port.key ||
      ticket.expiresMs <= this.#clock.now()
    ) {
      return undefined;
    }
    const parked = this.#of(session).find(({ call }) => call.id === ticket.call);
    const isIt =
      parked?.round === ticket.round && !parked.call.attached && ticket.digest === digestOf(step.message);
    return isIt ? parked : undefined;
  }

  #goOn(parked: Parked, request: AcceptedRequest): void {
    const { call, answer, questions } = parked;
    parked.timer?.cancel();
    parked.timer = undefined;
    if (answer !== undefined) {
      this.#forget(parked);
      request.session.end(request.idKey, answer(request.idText));
      return;
    }
    this.#calls().attach(call, request);
    const { bytes, fields } = request.step.message;
    for (const { key, value } of fields.inputResponses === undefined
      ? []
      : entrySpans(bytes, fields.inputResponses)) {
      const question = questions.get(key);
      if (question === undefined) continue;
      questions.delete(key);
      this.#calls().questionEnded(call);
      question.asker.answerWith(bytes.subarray(value.start, value.end), request.step.message.multiline);
    }
    // What was not answered is asked again.
    if (questions.size > 0) this.#answerWithQuestions(parked);
  }

  #giveUp(parked: Parked, reason: string): void {
    this.#forget(parked);
    for (const { asker } of parked.questions.values()) asker.refuse(gatewayError('noOwner', reason));
    parked.questions.clear();
    if (parked.answer === undefined) this.#calls().abandon(parked.call, reason);
  }

  #forget(parked: Parked): void {
    parked.timer?.cancel();
    this.#parked.delete(parked.call);
  }
}

function stateIn({ bytes, fields }: RequestMessage): string | undefined {
  return fields.requestState && stringAt(bytes, fields.requestState);
}
