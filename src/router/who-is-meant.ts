import { gatewayError, type WireError } from '../protocol/errors.js';
import type { JsonObject } from '../protocol/json.js';
import type { RequestMessage } from '../protocol/message.js';
import type { MethodRule, Question } from '../protocol/methods.js';
import type { Calls } from './calls.js';
import { canAnswer, elicitationMode } from './can-answer.js';
import type { Call, Lane } from './lane.js';
import type { SessionRecord } from './session-record.js';
import type { Tasks } from './tasks.js';

/** A question of a backend's, and what is known of whom it can be meant for. */
export interface QuestionAtHand {
  readonly lane: Lane;
  readonly message: RequestMessage;
  readonly rule: MethodRule;
  readonly kind: Question;
  readonly calls: Calls;
  readonly tasks: Tasks;
}

/** The one who is meant: a session that is asked by a request, or a call that is answered with the question. */
export type Meant =
  | {
      readonly session: SessionRecord;
      /** The calls that the question can belong to. */
      readonly calls: readonly Call[];
    }
  | { readonly call: Call }
  /** The call did not declare what would be needed. */
  | { readonly call: Call; readonly needed: JsonObject };

/**
 * Whom a question is meant for: whoever serves the process alone; whoever made the task that it names; else the
 * one client with a call there that can answer. Guessing among several would show one user's question to another.
 */
export function whoIsMeant(question: QuestionAtHand): Meant | WireError {
  const { lane, message, kind, calls, tasks } = question;
  const aboutTask = message.fields.metaRelatedTask !== undefined;
  const owner = lane.session ?? tasks.relatedOwner(lane, message);
  if (owner !== undefined) {
    const own = aboutTask ? [] : calls.at(lane, owner);
    if (ableAsWhole(owner, question)) return { session: owner, calls: own };
    return theOneCall(
      own.filter((call) => ableInCall(call, question)),
      question,
    );
  }
  if (kind === 'roots') return cannotAnswer(message.method);
  const able = lane.callers.filter((caller) => {
    const own = calls.at(lane, caller);
    return (
      own.length > 0 && (ableAsWhole(caller, question) || own.some((call) => ableInCall(call, question)))
    );
  });
  const [only] = able;
  if (only === undefined) return noOwner(question, undefined);
  if (able.length > 1) return noOwner(question, `the calls of ${able.length} clients`);
  const own = calls.at(lane, only);
  if (ableAsWhole(only, question)) return { session: only, calls: aboutTask ? [] : own };
  return theOneCall(
    own.filter((call) => ableInCall(call, question)),
    question,
  );
}

/** The error for a question that the client did not declare it can answer. */
export function cannotAnswer(method: string): WireError {
  return gatewayError('methodNotFound', `the client did not declare that it can answer "${method}"`);
}

/** A session that said once what it can answer. */
function ableAsWhole({ era }: SessionRecord, { message, rule, kind }: QuestionAtHand): boolean {
  return canAnswer(era.context, message, rule, kind);
}

/** A call that says for itself what its client can answer, and whose result may be a question. */
function ableInCall(call: Call, { message, rule, kind }: QuestionAtHand): boolean {
  const { lane, context } = call;
  const isAskedInResult =
    call.rule.mayAsk === true && lane.translationFor(context).questions === 'in-results';
  return isAskedInResult && canAnswer(context, message, rule, kind);
}

/**
 * The one call that a question can belong to whose client is asked in results. A call that waits for answers
 * already is not likely to ask for more, so that it is considered last.
 */
function theOneCall(calls: readonly Call[], question: QuestionAtHand): Meant | WireError {
  const asked = calls.filter(({ lane, context }) => lane.translationFor(context).questions === 'in-results');
  const open = asked.filter(({ attached }) => attached);
  const candidates = open.length > 0 ? open : asked;
  const able = candidates.filter((call) => ableInCall(call, question));
  const [call] = able.length > 0 ? able : candidates;
  if (call === undefined) return cannotAnswer(question.message.method);
  if (able.length > 1) return noOwner(question, `${able.length} calls of one client`);
  return able.length === 1 ? { call } : lacking(candidates, call, question);
}

function lacking(
  candidates: readonly Call[],
  call: Call,
  { message, kind }: QuestionAtHand,
): Meant | WireError {
  if (candidates.length > 1) return cannotAnswer(message.method);
  return { call, needed: { [kind]: kind === 'elicitation' ? { [elicitationMode(message)]: {} } : {} } };
}

function noOwner({ lane, message }: QuestionAtHand, whose: string | undefined): WireError {
  return gatewayError(
    'noOwner',
    whose === undefined
      ? `no client has a call in flight here and can answer "${message.method}"`
      : `"${message.method}" could belong to ${whose}; set sharing "per-client" or maxInFlight 1 for backend "${lane.port.key}"`,
    { backend: lane.port.key },
  );
}
