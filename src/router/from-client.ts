import { errorToClient } from '../protocol/compose.js';
import { gatewayError } from '../protocol/errors.js';
import type { NotificationMessage, ResponseMessage } from '../protocol/message.js';
import type { MethodRule } from '../protocol/methods.js';
import { assertNever } from '../shared/assert-never.js';
import type { Clock } from '../shared/clock.js';
import type { AskedTasks } from './asked-tasks.js';
import type { Calls } from './calls.js';
import type { AcceptedRequest } from './conversation.js';
import type { Listens } from './listens.js';
import type { Lists } from './lists.js';
import type { LogLines } from './log-lines.js';
import type { OwnBackends } from './own-backends.js';
import type { OwnedRequests } from './owned-requests.js';
import type { Parking } from './parking.js';
import type { Questions } from './questions.js';
import type { Reach } from './reach.js';
import { toBackend } from './rewrite.js';
import type { SessionRecord } from './session-record.js';
import type { Subscriptions } from './subscriptions.js';
import type { TaskLists } from './task-lists.js';
import type { Tasks } from './tasks.js';

/** Those who take what clients say. */
export interface ClientMessageTakers {
  readonly calls: Calls;
  readonly lists: Lists;
  readonly listens: Listens;
  readonly owned: OwnedRequests;
  readonly subscriptions: Subscriptions;
  readonly logLines: LogLines;
  readonly tasks: Tasks;
  readonly taskLists: TaskLists;
  readonly askedTasks: AskedTasks;
  readonly questions: Questions;
  readonly parking: Parking;
  readonly reach: Reach;
  readonly own: OwnBackends;
  readonly clock: Clock;
}

/** Sends what a client says to where its method's route leads. */
export class FromClient {
  readonly #to: ClientMessageTakers;

  constructor(takers: ClientMessageTakers) {
    this.#to = takers;
  }

  request(request: AcceptedRequest): void {
    const { method, route, needs } = request.step.rule;
    if (needs !== undefined && !this.#to.reach.mayHave(request.session, needs)) {
      const { session, idKey, idText } = request;
      const reason = `"${method}" needs a backend with the capability "${needs.join('.')}", and none here has it`;
      session.end(idKey, errorToClient(idText, gatewayError('methodNotFound', reason)));
      return;
    }
    switch (route.to) {
      case 'list':
        this.#to.lists.take(request, route.kind);
        return;
      case 'owner':
      case 'reference':
      case 'subscription':
        this.#to.owned.take(request, route);
        return;
      case 'listen':
        this.#to.listens.take(request);
        return;
      case 'unsubscription':
        this.#to.subscriptions.unsubscribe(request);
        return;
      case 'log-level':
        this.#to.logLines.setLevel(request);
        return;
      case 'task':
        this.#to.tasks.take(request, this.#to.calls, this.#to.clock.now());
        return;
      case 'task-list':
        void this.#to.taskLists.take(request);
        return;
      case 'era':
      case 'holder':
      case 'caller':
      case 'own-backends':
      case 'listing':
      case 'log-reader':
      case 'subscribers':
      case 'asked-client':
      case 'asked-task':
      case 'task-owner':
      case 'elicited':
        throw new Error(`"${method}" is no request of a client's that an era hands on`);
      default:
        assertNever(route);
    }
  }

  /** @returns whether anybody takes it */
  notification(session: SessionRecord, { route }: MethodRule, message: NotificationMessage): boolean {
    switch (route.to) {
      case 'holder':
        return this.#to.parking.cancelled(session, message);
      case 'caller':
        this.#to.questions.progress(session, message);
        return true;
      case 'task-owner':
        this.#to.askedTasks.status(session, message);
        return true;
      case 'own-backends':
        for (const lane of this.#to.own.lanes(session)) lane.notify(toBackend(message, []));
        return true;
      default:
        return false;
    }
  }

  /** @returns whether it answers a question */
  response(session: SessionRecord, message: ResponseMessage): boolean {
    return this.#to.questions.answer(session, message);
  }
}
