import { errorToBackend, resultToBackend } from '../protocol/compose.js';
import { idText } from '../protocol/envelope.js';
import { gatewayError } from '../protocol/errors.js';
import type { Message, NotificationMessage, RequestMessage } from '../protocol/message.js';
import { backendRule } from '../protocol/methods.js';
import { assertNever } from '../shared/assert-never.js';
import type { Log } from '../shared/log.js';
import type { Calls } from './calls.js';
import type { BackendPort } from './ports.js';

/** Sends what a backend says to where it belongs, or nowhere. */
export class FromBackend {
  readonly #calls: Calls;
  readonly #log: Log;

  constructor(calls: Calls, log: Log) {
    this.#calls = calls;
    this.#log = log;
  }

  take(port: BackendPort, message: Message): void {
    switch (message.kind) {
      case 'response':
        this.#calls.answer(port, message);
        return;
      case 'notification':
        this.#notification(port, message);
        return;
      case 'request':
        this.#request(port, message);
        return;
      case 'batch':
        this.#drop(port, 'batch');
        return;
      default:
        assertNever(message);
    }
  }

  #notification(port: BackendPort, message: NotificationMessage): void {
    const route = backendRule(message.method, 'notification')?.route;
    if (route?.to === 'caller') this.#calls.progress(port, message);
    else this.#drop(port, message.method);
  }

  /** Questions are answered at once: nothing that a backend asks may leave it waiting. */
  #request(port: BackendPort, message: RequestMessage): void {
    const id = idText(message.bytes, message.id);
    const rule = backendRule(message.method, 'request');
    port.write(
      rule?.route.to === 'era'
        ? resultToBackend(id, {})
        : errorToBackend(
            id,
            gatewayError('methodNotFound', `the gateway does not serve "${message.method}" to backends`),
          ),
    );
  }

  #drop(port: BackendPort, what: string): void {
    this.#log.debug({ backend: port.key, what }, 'message of a backend dropped');
  }
}
