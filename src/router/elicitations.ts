import { stringAt } from '../protocol/envelope.js';
import type { NotificationMessage, RequestMessage, ResponseMessage } from '../protocol/message.js';
import { elementSpans, memberSpans } from '../protocol/walk.js';
import type { Call, Lane } from './lane.js';
import { OwnedIds } from './owned-ids.js';
import { toClient } from './rewrite.js';
import type { SessionRecord } from './session-record.js';

/** The error that names pages to be opened before a call can succeed. [MCP 2025-11-25 elicitation § URL Elicitation Required Error] */
const urlElicitationRequired = '-32042';

/**
 * Pages that backends asked clients to open, in a question or in an error. That a page is done with is told
 * to those who were asked. [MCP 2025-11-25 elicitation § Completion Notifications]
 */
export class Elicitations {
  readonly #pages = new OwnedIds<'asked'>();

  get size(): number {
    return this.#pages.size;
  }

  /** A question may ask a client to open a page. */
  asked(lane: Lane, session: SessionRecord, { bytes, fields }: RequestMessage): void {
    const id = fields.elicitationId && stringAt(bytes, fields.elicitationId);
    if (id !== undefined) this.#remember(lane, session, id);
  }

  /** So may the error that answers a call. */
  callAnswered({ lane, session }: Call, { bytes, outcome, value }: ResponseMessage): void {
    if (outcome !== 'error' || value === undefined) return;
    const { code, data } = memberSpans(bytes, value, ['code', 'data']);
    if (code === undefined || data === undefined) return;
    if (bytes.toString('latin1', code.start, code.end) !== urlElicitationRequired) return;
    const { elicitations } = memberSpans(bytes, data, ['elicitations']);
    for (const span of elicitations === undefined ? [] : elementSpans(bytes, elicitations)) {
      const { elicitationId } = memberSpans(bytes, span, ['elicitationId']);
      const id = elicitationId && stringAt(bytes, elicitationId);
      if (id !== undefined) this.#remember(lane, session, id);
    }
  }

  /** A page is done with, which is told once. */
  complete(lane: Lane, message: NotificationMessage): void {
    const span = message.fields.elicitationId;
    const id = span && stringAt(message.bytes, span);
    if (id === undefined) return;
    for (const { session } of this.#pages.at(lane, id)) {
      this.#pages.delete(lane, session, id);
      session.port.send(toClient(message, []));
    }
  }

  sessionEnded(session: SessionRecord): void {
    this.#pages.sessionEnded(session);
  }

  /** A process is gone, and with it what it waited for. */
  laneExited(lane: Lane): void {
    this.#pages.laneExited(lane);
  }

  /** An earlier revision has no notice of completion. */
  #remember(lane: Lane, session: SessionRecord, id: string): void {
    if (session.speaks('2025-11-25')) this.#pages.set(lane, session, id, 'asked');
  }
}
