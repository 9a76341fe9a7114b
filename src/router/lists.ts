import type { Catalog } from '../catalog/catalog.js';
import { errorToClient, preparedToClient } from '../protocol/compose.js';
import { stringAt } from '../protocol/envelope.js';
import { gatewayError } from '../protocol/errors.js';
import type { ListKind } from '../protocol/listing.js';
import type { Clock } from '../shared/clock.js';
import type { AcceptedRequest } from './conversation.js';
import type { Lane } from './lane.js';
import { WaitingRoom } from './waiting-room.js';

/** Answers list requests from the catalog, at start-up only once it has had the chance to fill. */
export class Lists {
  readonly #catalog: Catalog<Lane>;
  readonly #graceMs: number;
  readonly #waiting: WaitingRoom;
  #open = false;

  constructor(catalog: Catalog<Lane>, graceMs: number, clock: Clock) {
    this.#catalog = catalog;
    this.#graceMs = graceMs;
    this.#waiting = new WaitingRoom(clock);
  }

  take(request: AcceptedRequest, kind: ListKind): void {
    const answer = () => this.#answer(request, kind);
    if (this.#open) answer();
    else {
      this.#waiting.add(request.session, request.idKey, {
        timeoutMs: this.#graceMs,
        proceed: answer,
        late: answer,
      });
    }
  }

  /** The start-up is over: those who wait are answered, and from now on everybody at once. */
  open(): void {
    this.#open = true;
    this.#waiting.release();
  }

  #answer({ session, step, idText }: AcceptedRequest, kind: ListKind): void {
    const { bytes, fields } = step.message;
    const cursor = fields.cursor === undefined ? undefined : (stringAt(bytes, fields.cursor) ?? null);
    const page = cursor === null ? undefined : this.#catalog.pages.page(kind, cursor);
    session.port.send(
      page === undefined
        ? errorToClient(
            idText,
            gatewayError(
              'invalidParams',
              `unknown cursor for "${step.message.method}"; use the nextCursor of this gateway's last page, or none`,
            ),
          )
        : preparedToClient(idText, page),
    );
  }
}
