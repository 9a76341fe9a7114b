import { errorToClient, resultToClient } from '../protocol/compose.js';
import { stringAt } from '../protocol/envelope.js';
import { gatewayError, type WireError } from '../protocol/errors.js';
import type { NotificationMessage, ResponseMessage } from '../protocol/message.js';
import type { AcceptedRequest } from './conversation.js';
import type { Lane } from './lane.js';
import type { Reach } from './reach.js';
import { replace, responseToClient, toClient } from './rewrite.js';
import type { SessionRecord } from './session-record.js';

/** One URI of one backend that somebody wants to hear of. */
interface Subscription {
  readonly sessions: Set<SessionRecord>;
  /** The answer to the one `resources/subscribe` at the backend. */
  upstream: Promise<ResponseMessage>;
}

/**
 * Who wants to hear of which resource. A backend sees one subscribe for the first session and one unsubscribe
 * after the last; a process that takes over from another is told again.
 */
export class Subscriptions {
  readonly #reach: Reach;
  readonly #byLane = new Map<Lane, Map<string, Subscription>>();

  constructor(reach: Reach) {
    this.#reach = reach;
  }

  take(request: AcceptedRequest, wanted: boolean): void {
    const { session, step } = request;
    const span = step.message.fields.uri;
    const shown = span && stringAt(step.message.bytes, span);
    if (shown === undefined) {
      refuse(request, gatewayError('invalidParams', `"${step.message.method}" needs params.uri as a string`));
      return;
    }
    const owner = this.#reach.ownerOfUri(session, shown);
    if (owner === undefined) {
      const message = `no backend has a resource "${shown}"; resources/list tells which there are`;
      refuse(request, gatewayError('resourceNotFound', message, { uri: shown }));
    } else if (wanted) {
      this.#subscribe(request, owner.lane, owner.uri);
    } else {
      this.#unsubscribe(request, owner.lane, owner.uri);
    }
  }

  /** An update goes to those who subscribed to the resource, or to one that it is a part of. */
  updated(lane: Lane, message: NotificationMessage): void {
    const span = message.fields.uri;
    const uri = span && stringAt(message.bytes, span);
    if (span === undefined || uri === undefined) return;
    for (const session of this.#subscribersOf(lane, uri)) {
      const shown = this.#reach.shownUri(session, lane, uri);
      const edits = shown === uri ? [] : [replace(span, JSON.stringify(shown))];
      session.port.send(toClient(message, edits));
    }
  }

  /** A process is ready: it is told of all that its predecessor knew. */
  replay(lane: Lane): void {
    for (const [uri, subscription] of this.#byLane.get(lane) ?? []) {
      subscription.upstream = subscribeAt(lane, uri);
      subscription.upstream.catch(forgetFailure);
    }
  }

  ended(session: SessionRecord): void {
    for (const [lane, subscriptions] of this.#byLane) {
      for (const uri of subscriptions.keys()) this.#leave(session, lane, uri)?.catch(forgetFailure);
    }
  }

  /** The lane's backend is gone for good. */
  laneEnded(lane: Lane): void {
    this.#byLane.delete(lane);
  }

  #subscribersOf(lane: Lane, uri: string): Set<SessionRecord> {
    const found = new Set<SessionRecord>();
    for (const [subscribed, { sessions }] of this.#byLane.get(lane) ?? []) {
      // It might be a sub-resource of what was subscribed to. [MCP 2025-11-25 schema: ResourceUpdatedNotification]
      const concerns =
        uri === subscribed || uri.startsWith(subscribed.endsWith('/') ? subscribed : `${subscribed}/`);
      if (concerns) for (const session of sessions) found.add(session);
    }
    return found;
  }

  #subscribe(request: AcceptedRequest, lane: Lane, uri: string): void {
    const subscriptions = this.#byLane.get(lane) ?? new Map<string, Subscription>();
    this.#byLane.set(lane, subscriptions);
    let subscription = subscriptions.get(uri);
    if (subscription === undefined) {
      subscription = { sessions: new Set(), upstream: subscribeAt(lane, uri) };
      subscriptions.set(uri, subscription);
    }
    subscription.sessions.add(request.session);
    this.#answerWith(request, subscription.upstream, () =>
      this.#leave(request.session, lane, uri, 'silently'),
    );
  }

  #unsubscribe(request: AcceptedRequest, lane: Lane, uri: string): void {
    const upstream = this.#leave(request.session, lane, uri);
    if (upstream === undefined) request.session.end(request.idKey, resultToClient(request.idText, '{}'));
    else this.#answerWith(request, upstream, () => undefined);
  }

  /** @returns the backend's answer to the unsubscribe, when this was the last subscriber. */
  #leave(
    session: SessionRecord,
    lane: Lane,
    uri: string,
    how: 'silently' | 'tell' = 'tell',
  ): Promise<ResponseMessage> | undefined {
    const subscriptions = this.#byLane.get(lane);
    const subscription = subscriptions?.get(uri);
    if (subscription?.sessions.delete(session) !== true || subscription.sessions.size > 0) return undefined;
    subscriptions?.delete(uri);
    if (how === 'silently' || lane.port.state.kind !== 'ready') return undefined;
    return lane.port.request('resources/unsubscribe', { uri });
  }

  /** Answers with what the backend answers; `failed` undoes what was done in expectation of a result. */
  #answerWith(request: AcceptedRequest, upstream: Promise<ResponseMessage>, failed: () => void): void {
    const { session, idKey, idText } = request;
    let open = true;
    session.open.set(idKey, {
      cancel() {
        open = false;
        session.end(idKey, undefined);
      },
    });
    const finish = (message: Parameters<SessionRecord['end']>[1]) => {
      if (open) session.end(idKey, message);
    };
    upstream.then(
      (answer) => {
        if (answer.outcome !== 'result') failed();
        if (answer.id === undefined || answer.outcome === 'invalid') {
          finish(errorToClient(idText, gatewayError('internalError', 'the backend gave no proper answer')));
        } else {
          finish(responseToClient(answer, answer.id, idText));
        }
      },
      (error: Error) => {
        failed();
        finish(errorToClient(idText, gatewayError('backendUnavailable', error.message)));
      },
    );
  }
}

function subscribeAt(lane: Lane, uri: string): Promise<ResponseMessage> {
  return lane.port.request('resources/subscribe', { uri });
}

function refuse({ session, idKey, idText }: AcceptedRequest, error: WireError): void {
  session.end(idKey, errorToClient(idText, error));
}

/** The next start of the backend tells it anew; nobody waits for this answer. */
function forgetFailure(): void {
  return;
}
