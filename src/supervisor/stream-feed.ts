import type { ChangesOnStream } from '../eras/backend-side.js';
import { smallInteger } from '../protocol/envelope.js';
import type { JsonObject } from '../protocol/json.js';
import type { NotificationMessage, ResponseMessage, Span } from '../protocol/message.js';
import { assertNever } from '../shared/assert-never.js';
import type { Clock, Timer } from '../shared/clock.js';
import type { BackendKey, GatewayId } from '../shared/ids.js';
import type { Log } from '../shared/log.js';
import { describeError, paramsValue, refusedAnswer } from './answer.js';
import { BackendError } from './backend-error.js';
import type { ChangeFeed } from './change-feed.js';
import type { OwnRequests } from './own-requests.js';
import { ReopenPace } from './reopen-pace.js';
import { type Wish, Wishes } from './wishes.js';

export interface StreamFeedOptions {
  readonly backend: BackendKey;
  readonly changes: ChangesOnStream;
  readonly requests: OwnRequests;
  readonly clock: Clock;
  readonly log: Log;
  /** How long to wait for a stream's acknowledgement before it is relied on without, in milliseconds. */
  readonly patienceMs: number;
  /** There was no stream for a while: changes of any list, and of these resources, may have gone unheard. */
  readonly missed: (uris: readonly string[]) => void;
}

/** One request that holds a stream open. */
interface Stream {
  readonly id: GatewayId;
  /** Whom its acknowledgement answers. */
  readonly wishes: readonly Wish[];
  readonly patience: Timer;
}

/**
 * Changes that come on a stream. What a stream tells of is settled when it is opened, so that another wish needs
 * another stream:
 *
 *   opening ──acknowledged──▶ in force ──another wish──▶ in force, and opening ──acknowledged──▶ in force
 *      ▲ │                        │                                               (the older one is cancelled)
 *      │ └── ended by the ────────┘
 *      │     backend   │
 *      └── later ◀─────┘
 *
 * At most one is opening. Until it is acknowledged the older one is listened to, so that no change falls between
 * the two.
 */
export class StreamFeed implements ChangeFeed {
  readonly #options: StreamFeedOptions;
  readonly #pace = new ReopenPace();
  readonly #wishes = new Wishes();
  #capabilities: JsonObject = {};
  #inForce: Stream | undefined;
  #opening: Stream | undefined;
  /** Runs while there is no stream because the backend ended it. */
  #later: Timer | undefined;
  #missed = false;
  #ended: string | undefined;

  constructor(options: StreamFeedOptions) {
    this.#options = options;
  }

  begin(capabilities: JsonObject): void {
    this.#capabilities = capabilities;
    this.#open();
  }

  subscribe(uri: string): Promise<ResponseMessage> {
    return this.#wish(uri, true);
  }

  unsubscribe(uri: string): Promise<ResponseMessage> {
    return this.#wish(uri, false);
  }

  /** Notices without a subscription id are tolerated; those with one that is not ours are not meant for us. */
  take(notification: NotificationMessage): boolean {
    const { bytes, fields, method } = notification;
    const kind = this.#options.changes.classify(method);
    switch (kind) {
      case 'none':
        return false;
      case 'acknowledgement':
        this.#acknowledgement(notification);
        return true;
      case 'end': {
        const stream = this.#streamNamed(bytes, fields.requestId);
        if (stream === undefined) return false;
        this.#options.requests.release(stream.id);
        this.#over(stream, 'cancelled by the backend');
        return true;
      }
      case 'change': {
        const tag = fields.metaSubscriptionId;
        if (tag === undefined || this.#streamNamed(bytes, tag) !== undefined) return false;
        this.#options.log.debug({ method }, 'notice of a foreign subscription dropped');
        return true;
      }
      default:
        return assertNever(kind);
    }
  }

  end(reason: string): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    this.#later?.cancel();
    this.#opening?.patience.cancel();
    for (const { reject } of [...(this.#opening?.wishes ?? []), ...this.#wishes.take()]) {
      reject(this.#endedError(reason));
    }
  }

  #wish(uri: string, wanted: boolean): Promise<ResponseMessage> {
    if (this.#ended !== undefined) return Promise.reject(this.#endedError(this.#ended));
    const answer = this.#wishes.add(uri, wanted);
    if (this.#later === undefined) this.#open();
    else this.#openAfter(this.#pace.earliestDelay(this.#options.clock.now()));
    return answer;
  }

  /** Opens the stream that is wanted now; while another is opening, its acknowledgement leads here again. */
  #open(): void {
    if (this.#opening !== undefined) return;
    const { changes, clock, patienceMs, requests } = this.#options;
    const message = changes.listen(this.#capabilities, this.#wishes.uris);
    const wishes = this.#wishes.take();
    if (message === undefined) {
      this.#replace(undefined);
      this.#settle(wishes, undefined);
      return;
    }
    this.#pace.opened(clock.now());
    const { id, answer } = requests.hold(message.method, message.params);
    const stream: Stream = {
      id,
      wishes,
      patience: clock.after(patienceMs, () => this.#unacknowledged(stream)),
    };
    this.#opening = stream;
    answer.then(
      (last) => {
        const refused = last.outcome !== 'result';
        this.#over(stream, refused ? describeError(last) : 'ended in good order', refused ? last : undefined);
      },
      (error: Error) => this.#over(stream, error.message),
    );
  }

  #openAfter(delayMs: number): void {
    this.#later?.cancel();
    this.#later = this.#options.clock.after(delayMs, () => {
      this.#later = undefined;
      this.#open();
    });
  }

  #acknowledgement(notification: NotificationMessage): void {
    const tag = notification.fields.metaSubscriptionId;
    const stream = this.#opening;
    if (stream === undefined) return;
    if (tag !== undefined && smallInteger(notification.bytes, tag) !== stream.id) return;
    this.#enterForce(stream, this.#options.changes.acknowledgedUris(paramsValue(notification)));
  }

  #unacknowledged(stream: Stream): void {
    const { log, patienceMs } = this.#options;
    log.warn({ waitedMs: patienceMs }, 'backend does not acknowledge that it tells of changes');
    this.#enterForce(stream, undefined);
  }

  /** @param uris of which it tells; `undefined` when that is not known */
  #enterForce(stream: Stream, uris: ReadonlySet<string> | undefined): void {
    stream.patience.cancel();
    this.#opening = undefined;
    this.#replace(stream);
    this.#settle(stream.wishes, uris);
    if (this.#missed) this.#options.missed(this.#told(stream, uris));
    this.#missed = false;
    if (this.#wishes.changed) this.#open();
  }

  /** The resources of which a stream tells, without those that are new with it. */
  #told({ wishes }: Stream, uris: ReadonlySet<string> | undefined): readonly string[] {
    const added = new Set(wishes.map(({ uri }) => uri));
    return this.#wishes.uris.filter((uri) => !added.has(uri) && (uris === undefined || uris.has(uri)));
  }

  #replace(stream: Stream | undefined): void {
    if (this.#inForce !== undefined) this.#options.requests.release(this.#inForce.id, 'no longer needed');
    this.#inForce = stream;
  }

  #settle(wishes: readonly Wish[], uris: ReadonlySet<string> | undefined): void {
    const { backend } = this.#options;
    this.#wishes.settle(
      wishes,
      (uri) => uris === undefined || uris.has(uri),
      (uri) => refusedAnswer(`backend "${backend}" does not send updates of "${uri}"`, { backend, uri }),
    );
  }

  /** The backend ended a stream. @param error the answer that says why, if there is one */
  #over(stream: Stream, reason: string, error?: ResponseMessage): void {
    if (this.#ended !== undefined) return;
    const { backend, clock, log } = this.#options;
    if (stream === this.#opening) {
      stream.patience.cancel();
      this.#opening = undefined;
      const words = `backend "${backend}" did not open its stream of changes: ${reason}`;
      this.#wishes.settle(
        stream.wishes,
        () => false,
        (uri) => error ?? refusedAnswer(words, { backend, uri }),
      );
    } else if (stream === this.#inForce) {
      this.#inForce = undefined;
    } else {
      return;
    }
    log.info({ reason }, 'backend ended a stream of changes');
    if (this.#inForce === undefined) {
      this.#missed = true;
      if (this.#opening === undefined) this.#openAfter(this.#pace.ended(clock.now()));
    } else if (this.#wishes.changed) {
      this.#open();
    }
  }

  #streamNamed(bytes: Buffer, id: Span | undefined): Stream | undefined {
    const named = id === undefined ? undefined : smallInteger(bytes, id);
    return [this.#inForce, this.#opening].find((stream) => stream !== undefined && stream.id === named);
  }

  #endedError(reason: string): BackendError {
    return new BackendError(this.#options.backend, 'ended', `subscription: ${reason}`);
  }
}
