import type { Step } from '../eras/form.js';
import { errorToClient } from '../protocol/compose.js';
import { idKey, idText, readMessage } from '../protocol/envelope.js';
import { type ErrorName, gatewayError } from '../protocol/errors.js';
import type {
  BatchMessage,
  Malformed,
  Message,
  NotificationMessage,
  RequestMessage,
  ResponseMessage,
} from '../protocol/message.js';
import type { MethodRule } from '../protocol/methods.js';
import { assertNever } from '../shared/assert-never.js';
import type { ClientIdText } from '../shared/ids.js';
import type { Log } from '../shared/log.js';
import type { LimitSettings } from '../shared/settings.js';
import { shuttingDown } from './availability.js';
import { Batch } from './batch.js';
import type { Conversation } from './ports.js';
import type { SessionRecord } from './session-record.js';

/** Most messages in one batch: each of them can cost an error that is many times as long as itself. */
const maxBatchElements = 1_000;

/** A request that the session's era let through. */
export interface AcceptedRequest {
  readonly session: SessionRecord;
  readonly step: Extract<Step, { kind: 'request' }>;
  readonly idText: ClientIdText;
  readonly idKey: string;
}

/** What a conversation needs of the router. */
export interface Dispatch {
  readonly draining: boolean;
  /** Whether a request is about a call that is under way already. */
  continues(request: AcceptedRequest): boolean;
  request(request: AcceptedRequest): void;
  /** @returns whether anybody takes it */
  notification(session: SessionRecord, rule: MethodRule, message: NotificationMessage): boolean;
  /** @returns whether it answers a question */
  response(session: SessionRecord, message: ResponseMessage): boolean;
  /** A response that is malformed, under an id that can be read. @returns whether it answers a question */
  badResponse(session: SessionRecord, idText: string): boolean;
  ended(session: SessionRecord): void;
}

/** One client's side of the router: reads its messages, keeps its limits, and hands on what is accepted. */
export class ClientConversation implements Conversation {
  readonly #session: SessionRecord;
  readonly #limits: LimitSettings;
  readonly #dispatch: Dispatch;
  readonly #log: Log;

  constructor(session: SessionRecord, limits: LimitSettings, dispatch: Dispatch, log: Log) {
    this.#session = session;
    this.#limits = limits;
    this.#dispatch = dispatch;
    this.#log = log;
  }

  receive(bytes: Buffer): 'accepted' | 'malformed' {
    const message = readMessage(bytes, { maxDepth: this.#limits.maxDepth });
    if (message.kind !== 'batch') return this.#take(message);
    this.#takeBatch(message);
    return 'accepted';
  }

  ended(): void {
    this.#dispatch.ended(this.#session);
  }

  #take(message: Exclude<Message, BatchMessage> | Malformed): 'accepted' | 'malformed' {
    switch (message.kind) {
      case 'request':
        this.#request(message);
        return 'accepted';
      case 'notification':
        this.#notification(message);
        return 'accepted';
      case 'response':
        if (!this.#dispatch.response(this.#session, message)) this.#unasked(message);
        return 'accepted';
      case 'malformed':
        return this.#malformed(message);
      default:
        return assertNever(message);
    }
  }

  /** Only revision 2025-03-26 has batches. [MCP 2025-03-26 basic § Batching] */
  #takeBatch({ bytes, elements }: BatchMessage): void {
    if (this.#session.era.context?.revision !== '2025-03-26') {
      this.#complain('batches are not supported in this session; send each message in a frame of its own');
      return;
    }
    if (elements.length === 0) {
      this.#complain('a batch must not be empty');
      return;
    }
    if (elements.length > maxBatchElements) {
      this.#complain(`a batch of ${elements.length} messages is too long; send at most ${maxBatchElements}`);
      return;
    }
    const batch = new Batch((message) => this.#session.port.send(message));
    this.#session.batch = batch;
    for (const { start, end } of elements) {
      const message = readMessage(bytes.subarray(start, end), { maxDepth: this.#limits.maxDepth });
      if (message.kind === 'batch') this.#complain('a batch must not hold another batch');
      else this.#take(message);
    }
    this.#session.batch = undefined;
    batch.seal();
  }

  #request(message: RequestMessage): void {
    const { open, era } = this.#session;
    const text = idText(message.bytes, message.id) as ClientIdText;
    const key = idKey(text);
    if (open.has(key)) {
      // Without the id, so that the refusal is not read as the first request's answer.
      this.#complain(`a request with id ${shortened(text)} is still in flight on this socket`);
      return;
    }
    this.#session.expectInBatch(key);
    const step = era.request(message, text);
    switch (step.kind) {
      case 'reply':
        this.#session.answer(key, step.message);
        return;
      case 'request':
        this.#accept({ session: this.#session, step, idText: text, idKey: key });
        return;
      case 'drop':
      case 'notification':
        throw new Error(`an era made a ${step.kind} of a request`);
      default:
        assertNever(step);
    }
  }

  #accept(request: AcceptedRequest): void {
    if (this.#dispatch.draining && !this.#dispatch.continues(request)) {
      this.#session.answer(request.idKey, errorToClient(request.idText, shuttingDown()));
    } else if (this.#session.open.size >= this.#limits.inFlightPerSession) {
      const reason = `this session has ${this.#limits.inFlightPerSession} requests in flight, its limit (inFlightPerSession); wait for an answer first`;
      const error = gatewayError('overloaded', reason, { limit: 'limits.inFlightPerSession' });
      this.#session.answer(request.idKey, errorToClient(request.idText, error));
    } else {
      this.#dispatch.request(request);
    }
  }

  #notification(message: NotificationMessage): void {
    const step = this.#session.era.notification(message);
    if (step.kind === 'drop') this.#drop(step.reason);
    else if (step.kind === 'notification') this.#notify(step.rule, message);
  }

  #notify(rule: MethodRule, message: NotificationMessage): void {
    if (rule.route.to === 'holder') this.#cancel(rule, message);
    else if (!this.#dispatch.notification(this.#session, rule, message)) this.#drop('notification noted');
  }

  /** Cancelling what is not there, or no longer, is no fault. [MCP 2025-11-25 cancellation § Timing] */
  #cancel(rule: MethodRule, message: NotificationMessage): void {
    const span = message.fields.requestId;
    const request = span && this.#session.open.get(idKey(idText(message.bytes, span)));
    if (request !== undefined) request.cancel(message);
    else if (!this.#dispatch.notification(this.#session, rule, message))
      this.#drop('cancellation of a request that is not in flight');
  }

  /** What has nothing but an id answers nothing, unless a question is open: it may be a request that lacks its method. */
  #unasked({ bytes, id, value }: ResponseMessage): void {
    if (value === undefined) {
      this.#complainAbout(id && idText(bytes, id), 'a message must have "method", "result" or "error"');
    } else this.#drop('answer to no open question');
  }

  #malformed({ code, reason, idText: text, response }: Malformed): 'accepted' | 'malformed' {
    if (response) {
      if (text === undefined || !this.#dispatch.badResponse(this.#session, text)) this.#drop(reason);
    } else this.#complainAbout(text, reason, code === -32700 ? 'parseError' : 'invalidRequest');
    return code === -32700 ? 'malformed' : 'accepted';
  }

  /** An id under which a request is in flight is left out, so that the error is not read as its answer. */
  #complainAbout(text: string | undefined, reason: string, name?: ErrorName): void {
    const taken = text !== undefined && this.#session.open.has(idKey(text));
    this.#complain(reason, taken ? undefined : text, name);
  }

  #complain(reason: string, text?: string, name: ErrorName = 'invalidRequest'): void {
    const { noId } = this.#session.era;
    this.#session.complain(errorToClient(text ?? noId, gatewayError(name, reason)));
  }

  #drop(reason: string): void {
    this.#log.debug({ session: this.#session.port.key, reason }, 'message dropped');
  }
}

/** Ids may be long; an error message quotes the beginning. */
function shortened(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 40)}…`;
}
