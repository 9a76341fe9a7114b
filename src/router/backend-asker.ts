import { errorToBackend } from '../protocol/compose.js';
import { idKey, idText } from '../protocol/envelope.js';
import type { WireError } from '../protocol/errors.js';
import type { NotificationMessage, RequestMessage, ResponseMessage, Span } from '../protocol/message.js';
import { kindAt } from '../protocol/walk.js';
import type { ToBackend } from '../shared/ids.js';
import type { Asker } from './asker.js';
import type { Lane } from './lane.js';
import { improperAnswer } from './proper-answer.js';
import { oneLine, replace, toBackend } from './rewrite.js';

/** A backend that asks by a request: it is answered under its own id, and hears progress under its own token. */
export class BackendAsker implements Asker {
  readonly key: string;
  readonly #lane: Lane;
  readonly #idText: string;
  readonly #tokenText: string | undefined;

  constructor(lane: Lane, { bytes, id, fields }: RequestMessage) {
    this.#lane = lane;
    this.#idText = idText(bytes, id);
    this.#tokenText = fields.metaProgressToken && idText(bytes, fields.metaProgressToken);
    this.key = idKey(this.#idText);
  }

  answer(message: ResponseMessage, id: Span): void {
    this.#lane.notify(toBackend(message, [replace(id, this.#idText)]));
  }

  /** A result that came as a part of another message. */
  answerWith(result: Buffer, multiline: boolean): void {
    if (kindAt(result, { start: 0, end: result.length }) !== 'object') {
      this.refuse(improperAnswer());
      return;
    }
    const opening = Buffer.from(`{"jsonrpc":"2.0","id":${this.#idText},"result":`);
    const pieces = [opening, oneLine(result, multiline), Buffer.from('}\n')];
    this.#lane.notify(pieces as readonly Buffer[] as ToBackend);
  }

  refuse(error: WireError): void {
    this.#lane.notify(errorToBackend(this.#idText, error));
  }

  progress(message: NotificationMessage, token: Span): void {
    if (this.#tokenText !== undefined)
      this.#lane.notify(toBackend(message, [replace(token, this.#tokenText)]));
  }
}
