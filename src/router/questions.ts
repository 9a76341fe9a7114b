import { errorToBackend, notificationToClient } from '../protocol/compose.js';
import { idKey, idText, smallInteger } from '../protocol/envelope.js';
import { gatewayError, type WireError } from '../protocol/errors.js';
import type { NotificationMessage, RequestMessage, ResponseMessage } from '../protocol/message.js';
import type { MethodRule, Question as QuestionKind } from '../protocol/methods.js';
import { isIn } from '../protocol/methods.js';
import type { AskedTasks } from './asked-tasks.js';
import type { Calls } from './calls.js';
import { canAnswer } from './can-answer.js';
import type { Elicitations } from './elicitations.js';
import type { Call, Lane } from './lane.js';
import { replace, toBackend, toClient } from './rewrite.js';
import type { SessionRecord } from './session-record.js';
import type { Tasks } from './tasks.js';

/** A request of a backend that a client has to answer. */
interface Asked {
  readonly lane: Lane;
  readonly session: SessionRecord;
  /** The id under which the client was asked: its own space, apart from the ids of the client's requests. */
  readonly id: number;
  /** The id that the backend gave it, as JSON text. */
  readonly backendId: string;
  /** The backend's progress token, as JSON text. */
  readonly tokenText: string | undefined;
  /** The calls that can have caused it; it ends with the last of them. Empty when it belongs to none. */
  readonly calls: Set<Call>;
}

/** Questions open at one client: no person answers more at once, and a backend that never waits must not fill the memory. */
const maxOpen = 64;

export interface QuestionsOptions {
  readonly calls: Calls;
  readonly tasks: Tasks;
  readonly askedTasks: AskedTasks;
  readonly elicitations: Elicitations;
}

/** What backends ask of clients: sampling, elicitation, roots, and the tasks that these become. */
export class Questions {
  readonly #options: QuestionsOptions;
  readonly #bySession = new Map<SessionRecord, Map<number, Asked>>();
  readonly #byLane = new Map<Lane, Map<string, Asked>>();
  readonly #lastIds = new WeakMap<SessionRecord, number>();

  constructor(options: QuestionsOptions) {
    this.#options = options;
  }

  /** Asks the one client that is meant and can answer; refuses at once where there is none. */
  ask(lane: Lane, message: RequestMessage, rule: MethodRule, kind: QuestionKind): void {
    const session = this.#whoIsMeant(lane, message, rule, kind);
    if ('code' in session) this.#refuse(lane, message, session);
    else this.#send(lane, session, message, message.fields.metaRelatedTask === undefined);
  }

  /** Forwards a request about a task that a question became, to the client that works on it. */
  askTask(lane: Lane, message: RequestMessage, rule: MethodRule): void {
    const { session } = lane;
    const context = session?.era.context;
    if (session === undefined || context === undefined || !isIn(rule, context.revision)) {
      this.#refuse(lane, message, cannot(message.method));
    } else this.#send(lane, session, message, false);
  }

  /** A client's answer goes back under the backend's own id. @returns whether it answers anything. */
  answer(session: SessionRecord, message: ResponseMessage): boolean {
    const id = message.id && smallInteger(message.bytes, message.id);
    const asked = id === undefined ? undefined : this.#bySession.get(session)?.get(id);
    if (asked === undefined || message.id === undefined) return false;
    this.#forget(asked);
    if (message.outcome === 'invalid') {
      const error = gatewayError(
        'internalError',
        'the client answered with neither a result nor an error alone',
      );
      asked.lane.notify(errorToBackend(asked.backendId, error));
    } else {
      this.#options.askedTasks.answered(asked.lane, session, message);
      asked.lane.notify(toBackend(message, [replace(message.id, asked.backendId)]));
    }
    return true;
  }

  /** A client's progress on a question, under the backend's own token. */
  progress(session: SessionRecord, message: NotificationMessage): void {
    const span = message.fields.progressToken;
    const id = span && smallInteger(message.bytes, span);
    const asked = id === undefined ? undefined : this.#bySession.get(session)?.get(id);
    if (span === undefined || asked?.tokenText === undefined) return;
    asked.lane.notify(toBackend(message, [replace(span, asked.tokenText)]));
  }

  /** A backend takes its question back. */
  cancelled(lane: Lane, message: NotificationMessage): void {
    const span = message.fields.requestId;
    const asked = span && this.#byLane.get(lane)?.get(idKey(idText(message.bytes, span)));
    if (span === undefined || asked === undefined) return;
    this.#forget(asked);
    asked.session.port.send(toClient(message, [replace(span, String(asked.id))]));
  }

  callEnded(call: Call): void {
    if (call.questions === 0) return;
    for (const asked of [...(this.#bySession.get(call.session)?.values() ?? [])]) {
      if (!asked.calls.delete(call) || asked.calls.size > 0) continue;
      this.#withdraw(asked, 'the call that it belonged to has ended');
    }
  }

  sessionEnded(session: SessionRecord): void {
    for (const asked of [...(this.#bySession.get(session)?.values() ?? [])]) {
      this.#forget(asked);
      this.#refuseAsked(asked, 'the client that was asked has disconnected');
    }
    this.#bySession.delete(session);
  }

  /** The backend's process is gone: nobody waits for the answers any more. */
  laneExited(lane: Lane): void {
    for (const asked of [...(this.#byLane.get(lane)?.values() ?? [])]) {
      this.#forget(asked);
      tellClient(asked, 'the server that asked has ended');
    }
    this.#byLane.delete(lane);
  }

  /** Questions without an answer, for checks. */
  get size(): number {
    return [...this.#bySession.values()].reduce((sum, asked) => sum + asked.size, 0);
  }

  #whoIsMeant(
    lane: Lane,
    message: RequestMessage,
    rule: MethodRule,
    kind: QuestionKind,
  ): SessionRecord | WireError {
    const able = (session: SessionRecord) => canAnswer(session, message, rule, kind);
    if (lane.session !== undefined) return able(lane.session) ? lane.session : cannot(message.method);
    if (kind === 'roots') return cannot(message.method);
    const owner = this.#options.tasks.relatedOwner(lane, message);
    if (owner !== undefined) return able(owner) ? owner : cannot(message.method);
    const { calls } = this.#options;
    const candidates = lane.callers.filter((caller) => able(caller) && calls.at(lane, caller).length > 0);
    const [only] = candidates;
    if (only !== undefined && candidates.length === 1) return only;
    return gatewayError(
      'noOwner',
      only === undefined
        ? `no client has a call in flight here and can answer "${message.method}"`
        : `"${message.method}" could belong to the calls of ${candidates.length} clients; set sharing "per-client" or maxInFlight 1 for backend "${lane.port.key}"`,
      { backend: lane.port.key },
    );
  }

  /** @param ofCall it ends with the calls that the client has there: it is not about a task, which outlives them */
  #send(lane: Lane, session: SessionRecord, message: RequestMessage, ofCall: boolean): void {
    const { calls, elicitations } = this.#options;
    const backendId = idText(message.bytes, message.id);
    // Under an id that is open at its backend, the answer to the first question is the answer to both.
    if (this.#byLane.get(lane)?.has(idKey(backendId)) === true) return;
    if ((this.#bySession.get(session)?.size ?? 0) >= maxOpen) {
      const reason = `the client has ${maxOpen} questions open, the most at once; wait for an answer first`;
      this.#refuse(lane, message, gatewayError('overloaded', reason));
      return;
    }
    const id = (this.#lastIds.get(session) ?? 0) + 1;
    this.#lastIds.set(session, id);
    const token = message.fields.metaProgressToken;
    const asked: Asked = {
      lane,
      session,
      id,
      backendId,
      tokenText: token && idText(message.bytes, token),
      calls: new Set(ofCall ? calls.at(lane, session) : []),
    };
    for (const call of asked.calls) calls.asked(call);
    remember(this.#bySession, session, id, asked);
    remember(this.#byLane, lane, idKey(backendId), asked);
    elicitations.asked(lane, session, message);
    const edits = [replace(message.id, String(id))];
    if (token !== undefined) edits.push(replace(token, String(id)));
    session.port.send(toClient(message, edits));
  }

  #withdraw(asked: Asked, reason: string): void {
    this.#forget(asked);
    tellClient(asked, reason);
    this.#refuseAsked(asked, reason);
  }

  #forget(asked: Asked): void {
    this.#bySession.get(asked.session)?.delete(asked.id);
    this.#byLane.get(asked.lane)?.delete(idKey(asked.backendId));
    for (const call of asked.calls) this.#options.calls.questionEnded(call);
    asked.calls.clear();
  }

  #refuse(lane: Lane, message: RequestMessage, error: WireError): void {
    lane.notify(errorToBackend(idText(message.bytes, message.id), error));
  }

  #refuseAsked({ lane, backendId }: Asked, reason: string): void {
    lane.notify(errorToBackend(backendId, gatewayError('noOwner', reason)));
  }
}

function tellClient({ session, id }: Asked, reason: string): void {
  session.port.send(notificationToClient('notifications/cancelled', { requestId: id, reason }));
}

function remember<Outer, Inner>(
  index: Map<Outer, Map<Inner, Asked>>,
  outer: Outer,
  inner: Inner,
  asked: Asked,
): void {
  const entries = index.get(outer) ?? new Map<Inner, Asked>();
  entries.set(inner, asked);
  index.set(outer, entries);
}

function cannot(method: string): WireError {
  return gatewayError('methodNotFound', `the client did not declare that it can answer "${method}"`);
}
