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
    return ableAsWhole(owner, question) ? { session: owner, calls: own } : theOneCall(own, question);
  }
  if (kind === 'roots') return cannotAnswer(message.method);
  const able = lane.callers.filter((caller) => {
    const own = calls.at(lane, caller);
    return (
      own.length > 0 && (ableAsWhole(caller, question) || own.some((call) => ableInCall(call, question)))
    );
  });
  const [only] = able;
  if (only === undefined) return aboutTask ? noOwner(question, undefined) : whatIsMissing(question);
  if (able.length > 1) return noOwner(question, `the calls of ${able.length} clients`);
  const own = calls.at(lane, only);
  if (ableAsWhole(only, question)) return { session: only, calls: aboutTask ? [] : own };
  return theOneCall(own, question);
}

/** The error for a question that the client did not declare it can answer. */
export function cannotAnswer(method: string): WireError {
  return gatewayError('methodNotFound', `the client did not declare that it can answer "${method}"`);
}

/** A session that said once what it can answer. */
function ableAsWhole({ era }: SessionRecord, { message, rule, kind }: QuestionAtHand): boolean {
  return canAnswer(era.context, message, rule, kind);
}

/** A call that says for itself what its client can answer. */
function ableInCall(call: Call, { message, rule, kind }: QuestionAtHand): boolean {
  return isAskedInResult(call) && canAnswer(call.context, message, rule, kind);
}

/** A call whose result may be a question, because its client is not asked by requests. */
function isAskedInResult({ lane, rule, context }: Call): boolean {
  return rule.mayAsk === true && lane.translationFor(context).questions === 'in-results';
}

/**
 * The one call that a question can belong to whose client is asked in results. A call that waits for answers
 * already is not likely to ask for more, so that it is considered last.
 */
function theOneCall(calls: readonly Call[], question: QuestionAtHand): Meant | WireError {
  const able = calls.filter((call) => ableInCall(call, question));
  const open = able.filter(({ attached }) => attached);
  const candidates = open.length > 0 ? open : able;
  const [call] = candidates;
  if (call === undefined) return lacking(calls, question) ?? cannotAnswer(question.message.method);
  return candidates.length === 1 ? { call } : noOwner(question, `${candidates.length} calls of one client`);
}

/** Nobody can answer: where there is but one call, it is what that one did not declare. */
function whatIsMissing(question: QuestionAtHand): Meant | WireError {
  const { lane, calls } = question;
  const all = lane.callers.flatMap((caller) => calls.at(lane, caller));
  return lacking(all, question) ?? noOwner(question, undefined);
}

function lacking([call, ...others]: readonly Call[], { message, kind }: QuestionAtHand): Meant | undefined {
  if (call === undefined || others.length > 0 || !isAskedInResult(call)) return undefined;
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
