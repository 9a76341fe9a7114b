import { errorToBackend, resultToBackend } from '../protocol/compose.js';
import { idText } from '../protocol/envelope.js';
import { gatewayError } from '../protocol/errors.js';
import type { Message, NotificationMessage, RequestMessage } from '../protocol/message.js';
import { backendRule, isIn } from '../protocol/methods.js';
import { assertNever } from '../shared/assert-never.js';
import type { Log } from '../shared/log.js';
import type { Calls } from './calls.js';
import type { Elicitations } from './elicitations.js';
import type { Lane } from './lane.js';
import type { LogLines } from './log-lines.js';
import type { Questions } from './questions.js';
import type { Subscriptions } from './subscriptions.js';
import type { Tasks } from './tasks.js';

/** Those who take what backends say. */
export interface BackendMessageTakers {
  readonly calls: Calls;
  readonly subscriptions: Subscriptions;
  readonly logLines: LogLines;
  readonly tasks: Tasks;
  readonly questions: Questions;
  readonly elicitations: Elicitations;
  readonly log: Log;
}

/** Sends what a backend says to where its method's route leads, or nowhere. */
export class FromBackend {
  readonly #to: BackendMessageTakers;

  constructor(takers: BackendMessageTakers) {
    this.#to = takers;
  }

  take(lane: Lane, message: Message): void {
    switch (message.kind) {
      case 'response':
        this.#to.calls.answer(lane, message);
        return;
      case 'notification':
        this.#notification(lane, message);
        return;
      case 'request':
        this.#request(lane, message);
        return;
      case 'batch':
        this.#drop(lane, 'batch');
        return;
      default:
        assertNever(message);
    }
  }

  #notification(lane: Lane, message: NotificationMessage): void {
    const { calls, questions, logLines, subscriptions, tasks, elicitations } = this.#to;
    const rule = backendRule(message.method, 'notification');
    const revision = lane.session?.era.context?.revision;
    if (rule === undefined || (revision !== undefined && !isIn(rule, revision))) {
      this.#drop(lane, message.method);
      return;
    }
    switch (rule.route.to) {
      case 'caller':
        calls.progress(lane, message);
        return;
      case 'holder':
        questions.cancelled(lane, message);
        return;
      case 'log-reader':
        logLines.take(lane, message);
        return;
      case 'subscribers':
        subscriptions.updated(lane, message);
        return;
      case 'task-owner':
        tasks.status(lane, message);
        return;
      case 'elicited':
        elicitations.complete(lane, message);
        return;
      default:
        this.#drop(lane, message.method);
    }
  }

  /** Whatever a backend asks is answered: by a client, or at once by the gateway. */
  #request(lane: Lane, message: RequestMessage): void {
    const rule = backendRule(message.method, 'request');
    const id = idText(message.bytes, message.id);
    switch (rule?.route.to) {
      case 'era':
        lane.notify(resultToBackend(id, {}));
        return;
      case 'asked-client':
        this.#to.questions.ask(lane, message, rule, rule.route.question);
        return;
      case 'asked-task':
        this.#to.questions.askTask(lane, message, rule);
        return;
      default: {
        const reason = `the gateway does not serve "${message.method}" to backends`;
        lane.notify(errorToBackend(id, gatewayError('methodNotFound', reason)));
      }
    }
  }

  #drop(lane: Lane, what: string): void {
    this.#to.log.debug({ backend: lane.port.key, what }, 'message of a backend dropped');
  }
}
