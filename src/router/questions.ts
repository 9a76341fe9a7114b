import { notificationToClient } from '../protocol/compose.js';
import { idKey, idText, smallInteger } from '../protocol/envelope.js';
import { gatewayError } from '../protocol/errors.js';
import type { JsonObject } from '../protocol/json.js';
import type { NotificationMessage, RequestMessage, ResponseMessage } from '../protocol/message.js';
import { isIn, type MethodRule, type Question as QuestionKind } from '../protocol/methods.js';
import type { AskedTasks } from './asked-tasks.js';
import type { Asker } from './asker.js';
import { BackendAsker } from './backend-asker.js';
import type { Calls } from './calls.js';
import type { Elicitations } from './elicitations.js';
import type { Call, Lane } from './lane.js';
import type { Parking } from './parking.js';
import { improperAnswer, isProperAnswer } from './proper-answer.js';
import { replace, toClient } from './rewrite.js';
import type { SessionRecord } from './session-record.js';
import type { Tasks } from './tasks.js';
import { cannotAnswer, whoIsMeant } from './who-is-meant.js';

/** A request that a client has to answer. */
interface Asked {
  readonly lane: Lane;
  readonly session: SessionRecord;
  /** The id under which the client was asked: its own space, apart from the ids of the client's requests. */
  readonly id: number;
  readonly asker: Asker;
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
  readonly parking: Parking;
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
    const asker = new BackendAsker(lane, message);
    const meant = whoIsMeant({ lane, message, rule, kind, ...this.#options });
    if ('code' in meant) asker.refuse(meant);
    else if ('needed' in meant) this.#refuseCall(meant.call, meant.needed, message.method, asker);
    else if ('call' in meant) this.#options.parking.ask(meant.call, message, asker);
    else this.send(lane, meant.session, message, asker, meant.calls);
  }

  /** Forwards a request about a task that a question became, to the client that works on it. */
  askTask(lane: Lane, message: RequestMessage, rule: MethodRule): void {
    const asker = new BackendAsker(lane, message);
    const { session } = lane;
    const context = session?.era.context;
    if (session === undefined || context === undefined || !isIn(rule, context.revision)) {
      asker.refuse(cannotAnswer(message.method));
    } else this.send(lane, session, message, asker, []);
  }

  /**
   * Puts a question to a client.
   * @param calls those that it can belong to: it ends with the last of them, or with none if there are none
   */
  send(
    lane: Lane,
    session: SessionRecord,
    message: RequestMessage,
    asker: Asker,
    calls: readonly Call[],
  ): void {
    // Under an id that is open at its backend, the answer to the first question is the answer to both.
    if (this.#byLane.get(lane)?.has(asker.key) === true) return;
    if ((this.#bySession.get(session)?.size ?? 0) >= maxOpen) {
      const reason = `the client has ${maxOpen} questions open, the most at once; wait for an answer first`;
      asker.refuse(gatewayError('overloaded', reason));
      return;
    }
    const id = (this.#lastIds.get(session) ?? 0) + 1;
    this.#lastIds.set(session, id);
    const asked: Asked = { lane, session, id, asker, calls: new Set(calls) };
    for (const call of calls) this.#options.calls.asked(call);
    remember(this.#bySession, session, id, asked);
    remember(this.#byLane, lane, asker.key, asked);
    this.#options.elicitations.asked(lane, session, message);
    const token = message.fields.metaProgressToken;
    const task = this.#options.tasks.shownEdits(lane, session, message, message.fields.metaRelatedTask);
    const edits = [replace(message.id, String(id)), ...task];
    if (token !== undefined) edits.push(replace(token, String(id)));
    session.port.send(toClient(message, edits));
  }

  /** A client's answer goes to whoever asked. @returns whether it answers anything. */
  answer(session: SessionRecord, message: ResponseMessage): boolean {
    const asked = message.id && this.#askedUnder(session, idText(message.bytes, message.id));
    if (asked === undefined || message.id === undefined) return false;
    this.#forget(asked);
    if (isProperAnswer(message)) {
      this.#options.askedTasks.answered(asked.lane, session, message);
      asked.asker.answer(message, message.id);
    } else asked.asker.refuse(improperAnswer());
    return true;
  }

  /** A client's answer is no message: no better one will come. @returns whether it answers anything. */
  badAnswer(session: SessionRecord, text: string): boolean {
    const asked = this.#askedUnder(session, text);
    if (asked === undefined) return false;
    this.#forget(asked);
    asked.asker.refuse(improperAnswer());
    return true;
  }

  /** A client's progress on a question. */
  progress(session: SessionRecord, message: NotificationMessage): void {
    const span = message.fields.progressToken;
    const id = span && smallInteger(message.bytes, span);
    const asked = id === undefined ? undefined : this.#bySession.get(session)?.get(id);
    if (span !== undefined) asked?.asker.progress(message, span);
  }

  /** A backend takes its question back. */
  cancelled(lane: Lane, message: NotificationMessage): void {
    const span = message.fields.requestId;
    const key = span && idKey(idText(message.bytes, span));
    const asked = key === undefined ? undefined : this.#byLane.get(lane)?.get(key);
    if (key !== undefined) this.#options.parking.withdrawn(lane, key);
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
    const open = [...(this.#bySession.get(session)?.values() ?? [])];
    // All of them first: a refusal may end a call, and with it others that nobody is left to be told of.
    for (const asked of open) this.#forget(asked);
    this.#bySession.delete(session);
    const error = gatewayError('noOwner', 'the client that was asked has disconnected');
    for (const { asker } of open) asker.refuse(error);
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

  #askedUnder(session: SessionRecord, text: string): Asked | undefined {
    return this.#bySession.get(session)?.get(Number(idKey(text)));
  }

  /** A call needs what its client did not declare: neither the question nor the call can go on. */
  #refuseCall(call: Call, needed: JsonObject, method: string, asker: Asker): void {
    const { key } = call.lane.port;
    const reason = `backend "${key}" asks for "${method}", which the request did not declare that its client can answer`;
    asker.refuse(cannotAnswer(method));
    this.#options.calls.cancelWith(
      call,
      gatewayError('missingCapability', reason, { backend: key, requiredCapabilities: needed }),
    );
  }

  #withdraw(asked: Asked, reason: string): void {
    this.#forget(asked);
    tellClient(asked, reason);
    asked.asker.refuse(gatewayError('noOwner', reason));
  }

  #forget(asked: Asked): void {
    this.#bySession.get(asked.session)?.delete(asked.id);
    this.#byLane.get(asked.lane)?.delete(asked.asker.key);
    for (const call of asked.calls) this.#options.calls.questionEnded(call);
    asked.calls.clear();
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
