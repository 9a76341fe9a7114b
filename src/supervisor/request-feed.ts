import type { ChangesOnRequest, OwnMessage } from '../eras/backend-side.js';
import type { ResponseMessage } from '../protocol/message.js';
import type { ChangeFeed } from './change-feed.js';
import type { OwnRequests } from './own-requests.js';

/** Changes of lists come by themselves; each resource is asked for and given up with a request of its own. */
export class RequestFeed implements ChangeFeed {
  readonly #changes: ChangesOnRequest;
  readonly #requests: OwnRequests;
  readonly #timeoutMs: number;

  /** @param timeoutMs how long an answer may take, in milliseconds */
  constructor(changes: ChangesOnRequest, requests: OwnRequests, timeoutMs: number) {
    this.#changes = changes;
    this.#requests = requests;
    this.#timeoutMs = timeoutMs;
  }

  begin(): void {
    return;
  }

  subscribe(uri: string): Promise<ResponseMessage> {
    return this.#send(this.#changes.subscribe(uri));
  }

  unsubscribe(uri: string): Promise<ResponseMessage> {
    return this.#send(this.#changes.unsubscribe(uri));
  }

  take(): boolean {
    return false;
  }

  end(): void {
    return;
  }

  #send({ method, params }: OwnMessage): Promise<ResponseMessage> {
    return this.#requests.send(method, params, this.#timeoutMs);
  }
}
