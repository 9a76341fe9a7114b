import { errorToClient, resultToClient } from '../protocol/compose.js';
import { stringAt } from '../protocol/envelope.js';
import { gatewayError, type WireError } from '../protocol/errors.js';
import type { NotificationMessage, ResponseMessage } from '../protocol/message.js';
import type { Clock } from '../shared/clock.js';
import { availability } from './availability.js';
import { invalidAnswer, unanswered } from './call-errors.js';
import type { AcceptedRequest } from './conversation.js';
import type { Lane } from './lane.js';
import type { RequestFailure } from './ports.js';
import type { Reach } from './reach.js';
import { replace, responseToClient } from './rewrite.js';
import type { SessionRecord, Watcher } from './session-record.js';
import { MatchBudget } from './uris.js';

/** Subscriptions of one session, and the longest URI of one, in characters: what is kept for a client is bounded. */
const maxPerSession = 1_000;
const maxUriLength = 8_192;

/** Slashes at which a URI may be a part of another one: no path has as many, and more would only cost time. */
const maxLevels = 100;

/** A resource that has been found: at its backend it is called `local`, by the client `shown`. */
export interface FoundResource {
  readonly lane: Lane;
  readonly shown: string;
  readonly local: string;
}

/** A backend's answer; `undefined` while nothing could be asked, because it starts: then it is told once it is up. */
type Upstream = Promise<ResponseMessage | undefined>;

/** One URI of one backend that somebody wants to hear of. */
interface Subscription {
  readonly lane: Lane;
  readonly local: string;
  readonly subscribers: Set<Subscriber>;
  /** To the one `resources/subscribe` at the backend; `undefined` once it failed: who subscribes next asks again. */
  upstream: Upstream | undefined;
}

/** One watcher's wish to hear of one URI, as it wrote it. */
interface Subscriber {
  readonly watcher: Watcher;
  readonly shown: string;
  readonly to: Subscription;
}

/** A wish that is noted, and what takes it back. */
interface Joined {
  readonly upstream: Upstream;
  undo(how: 'silently' | 'tell'): void;
}

/**
 * Who wants to hear of which resource. A backend sees one subscribe for the first session and one unsubscribe
 * after the last; a process that takes over from another is told again.
 */
export class Subscriptions {
  readonly #reach: Reach;
  readonly #clock: Clock;
  readonly #byLane = new Map<Lane, Map<string, Subscription>>();
  readonly #byWatcher = new Map<Watcher, Map<string, Subscriber>>();

  constructor(reach: Reach, clock: Clock) {
    this.#reach = reach;
    this.#clock = clock;
  }

  /** Subscriptions of sessions and of the gateway, for checks. */
  get size(): number {
    const count = (sum: number, { size }: { size: number }) => sum + size;
    return [...this.#byLane.values(), ...this.#byWatcher.values()].reduce(count, 0);
  }

  /** Lets a session hear of a resource, and answers with what its backend answers. */
  subscribe(request: AcceptedRequest, resource: FoundResource): void {
    const { session, idKey, idText } = request;
    const joined = this.#join(session.watcher, resource);
    if ('code' in joined) session.end(idKey, errorToClient(idText, joined));
    else this.#answerWith(request, resource.lane, joined.upstream, joined.undo);
  }

  /**
   * Lets a stream hear of a resource.
   * @returns whether it will; `undefined` where nobody can be asked for it
   */
  watch(watcher: Watcher, resource: FoundResource): Promise<boolean> | undefined {
    const joined = this.#join(watcher, resource);
    if ('code' in joined) return undefined;
    return joined.upstream.then(
      (answer) => {
        const isTold = answer === undefined || answer.outcome === 'result';
        if (!isTold) joined.undo('silently');
        return isTold;
      },
      // The next start of the backend tells it anew.
      () => true,
    );
  }

  /** A session no longer wants to hear of what it subscribed to; one that never did is told the same. */
  unsubscribe(request: AcceptedRequest): void {
    const { session, step, idKey, idText } = request;
    const span = step.message.fields.uri;
    const shown = span && stringAt(step.message.bytes, span);
    if (shown === undefined) {
      const error = gatewayError('invalidParams', `"${step.message.method}" needs params.uri as a string`);
      session.end(idKey, errorToClient(idText, error));
      return;
    }
    const subscriber = this.#byWatcher.get(session.watcher)?.get(shown);
    const upstream = subscriber && this.#leave(subscriber, 'tell');
    if (subscriber === undefined || upstream === undefined) session.end(idKey, resultToClient(idText, '{}'));
    else this.#answerWith(request, subscriber.to.lane, upstream);
  }

  /** An update goes to those who subscribed to the resource, or to one that it is a part of. */
  updated(lane: Lane, message: NotificationMessage): void {
    const span = message.fields.uri;
    const uri = span && stringAt(message.bytes, span);
    if (span === undefined || uri === undefined) return;
    for (const [watcher, forms] of this.#readersOf(lane, uri)) {
      for (const shown of forms) {
        watcher.forward(message, shown === uri ? [] : [replace(span, JSON.stringify(shown))]);
      }
    }
  }

  /** A process is ready: it is told of all that its predecessor knew. */
  replay(lane: Lane): void {
    for (const subscription of this.#byLane.get(lane)?.values() ?? []) ask(subscription);
  }

  ended(watcher: Watcher): void {
    for (const subscriber of [...(this.#byWatcher.get(watcher)?.values() ?? [])]) {
      this.#leave(subscriber, 'tell')?.catch(forgetFailure);
    }
    this.#byWatcher.delete(watcher);
  }

  /** The lane's backend is gone for good. */
  laneEnded(lane: Lane): void {
    this.#byLane.delete(lane);
  }

  /** The watchers that an update concerns, and how each knows the resource. */
  #readersOf(lane: Lane, uri: string): Map<Watcher, Set<string>> {
    const found = new Map<Watcher, Set<string>>();
    const budget = new MatchBudget();
    const subscriptions = this.#byLane.get(lane);
    // It might be a sub-resource of what was subscribed to. [MCP 2025-11-25 schema: ResourceUpdatedNotification]
    for (const local of withThoseAbove(uri)) {
      for (const { watcher, shown } of subscriptions?.get(local)?.subscribers ?? []) {
        const forms = found.get(watcher) ?? new Set<string>();
        const form = uri === local ? shown : this.#reach.shownUri(watcher.session, lane, uri, budget);
        found.set(watcher, forms.add(form));
      }
    }
    return found;
  }

  #join(watcher: Watcher, resource: FoundResource): Joined | WireError {
    const { port } = resource.lane;
    const own = this.#byWatcher.get(watcher) ?? new Map<string, Subscriber>();
    const before = own.get(resource.shown);
    const verdict = availability(port.key, port.state, this.#clock.now());
    const error = verdict.kind === 'refuse' ? verdict.error : refusal(own.size, before, resource.shown);
    if (error !== undefined) return error;
    const to = this.#at(resource);
    const upstream = to.upstream ?? ask(to);
    if (before?.to === to) return { upstream, undo: () => undefined };
    // The same URI leads elsewhere now.
    if (before !== undefined) this.#leave(before, 'tell')?.catch(forgetFailure);
    const subscriber: Subscriber = { watcher, shown: resource.shown, to };
    to.subscribers.add(subscriber);
    own.set(resource.shown, subscriber);
    this.#byWatcher.set(watcher, own);
    return { upstream, undo: (how) => this.#leave(subscriber, how)?.catch(forgetFailure) };
  }

  #at({ lane, local }: FoundResource): Subscription {
    const subscriptions = this.#byLane.get(lane) ?? new Map<string, Subscription>();
    this.#byLane.set(lane, subscriptions);
    const subscription = subscriptions.get(local) ?? {
      lane,
      local,
      subscribers: new Set<Subscriber>(),
      upstream: undefined,
    };
    subscriptions.set(local, subscription);
    return subscription;
  }

  /** @returns the backend's answer to the unsubscribe, when this was the last subscriber and it is to be told. */
  #leave(subscriber: Subscriber, how: 'silently' | 'tell'): Promise<ResponseMessage> | undefined {
    const { watcher, shown, to } = subscriber;
    const { lane, local, subscribers } = to;
    const own = this.#byWatcher.get(watcher);
    if (own?.get(shown) === subscriber) own.delete(shown);
    if (!subscribers.delete(subscriber) || subscribers.size > 0) return undefined;
    const subscriptions = this.#byLane.get(lane);
    if (subscriptions?.get(local) === to) subscriptions.delete(local);
    if (how === 'silently' || lane.port.state.kind !== 'ready') return undefined;
    return lane.port.unsubscribe(local);
  }

  /** Answers with what the backend answers; `undo` takes back what was done in expectation of a result. */
  #answerWith(
    { session, step, idKey, idText }: AcceptedRequest,
    lane: Lane,
    upstream: Upstream,
    undo: (how: 'silently' | 'tell') => void = () => undefined,
  ): void {
    let open = true;
    const finish = (message: Parameters<SessionRecord['end']>[1]) => {
      if (!open) return;
      open = false;
      lane.farewell(session);
      session.end(idKey, message);
    };
    lane.welcome(session);
    session.open.set(idKey, {
      idText,
      cancel(notice) {
        finish(undefined);
        if (notice !== undefined) undo('tell');
      },
    });
    upstream.then(
      (answer) => {
        if (answer === undefined) {
          finish(resultToClient(idText, '{}'));
          return;
        }
        if (answer.outcome !== 'result') undo('silently');
        if (answer.id === undefined || answer.outcome === 'invalid') {
          finish(errorToClient(idText, invalidAnswer(lane)));
        } else {
          finish(responseToClient(answer, answer.id, idText));
        }
      },
      (failure: RequestFailure) => {
        undo('silently');
        finish(errorToClient(idText, unanswered(lane, step.message.method, failure)));
      },
    );
  }
}

function refusal(size: number, before: Subscriber | undefined, shown: string) {
  if (shown.length > maxUriLength) {
    return gatewayError('invalidParams', `a URI to subscribe to has at most ${maxUriLength} characters`);
  }
  if (before !== undefined || size < maxPerSession) return undefined;
  const message = `this session has ${maxPerSession} subscriptions, the most at once; unsubscribe from some first`;
  return gatewayError('overloaded', message);
}

/** A URI, and those above it: all that stands before one of its slashes, without and with that. */
function withThoseAbove(uri: string): ReadonlySet<string> {
  const found = new Set([uri]);
  let slash = uri.indexOf('/');
  for (let level = 0; slash !== -1 && slash <= maxUriLength && level < maxLevels; level += 1) {
    found.add(uri.slice(0, slash)).add(uri.slice(0, slash + 1));
    slash = uri.indexOf('/', slash + 1);
  }
  return found;
}

/** Tells a backend of a subscription, unless it is down: then its next start does. */
function ask(subscription: Subscription): Upstream {
  const { port } = subscription.lane;
  const upstream: Upstream =
    port.state.kind === 'ready' ? port.subscribe(subscription.local) : Promise.resolve(undefined);
  const failed = () => {
    if (subscription.upstream === upstream) subscription.upstream = undefined;
  };
  subscription.upstream = upstream;
  upstream.then((answer) => {
    if (answer !== undefined && answer.outcome !== 'result') failed();
  }, failed);
  return upstream;
}

/** The next start of the backend tells it anew; nobody waits for this answer. */
function forgetFailure(): void {
  return;
}
