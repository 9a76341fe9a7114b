import type { NotificationMessage, RequestMessage } from '../protocol/message.js';
import type { CallContext, ClientSide, GatewayIntroduction, Step } from './form.js';
import { LegacyClientSide } from './legacy/client-side.js';
import { ModernClientSide } from './modern/client-side.js';

/**
 * A client of either era, decided by each message: one that carries its revision is modern, the rest belongs to
 * the handshake. Both may share a socket. [MCP 2026-07-28 basic/versioning]
 */
export class DualClientSide implements ClientSide {
  readonly #legacy: LegacyClientSide;
  readonly #modern: ModernClientSide;
  #spokeModern = false;

  constructor(introduce: () => GatewayIntroduction) {
    this.#legacy = new LegacyClientSide(introduce);
    this.#modern = new ModernClientSide(introduce);
  }

  get context(): CallContext | undefined {
    return this.#legacy.context;
  }

  get noId(): 'null' | undefined {
    return this.#spokeModern && this.#legacy.context === undefined ? undefined : this.#legacy.noId;
  }

  request(message: RequestMessage, idText: string): Step {
    if (!isModern(message)) return this.#legacy.request(message, idText);
    this.#spokeModern = true;
    return this.#modern.request(message, idText);
  }

  /** Modern notifications need not say that they are; what both eras have means the same in both. */
  notification(message: NotificationMessage): Step {
    return isModern(message) || this.#legacy.context === undefined
      ? this.#modern.notification(message)
      : this.#legacy.notification(message);
  }
}

/** `server/discover` never was a legacy method: without its revision it is a modern request that lacks it. */
function isModern({ fields, method }: RequestMessage | NotificationMessage): boolean {
  return fields.metaRevision !== undefined || method === 'server/discover';
}
