import type { JsonObject } from '../../../../src/protocol/json.js';
import { type LegacyRevision, newestLegacyRevision } from '../../../../src/protocol/revisions.js';
import type { Method } from '../../method.js';
import type { RpcError } from '../../rpc-error.js';
import type { Era, EraOptions } from '../era.js';
import { initializeResult, negotiateRevision } from './greeting.js';
import { LegacyNews } from './news.js';

/** 2024-11-05 to 2025-11-25: `initialize` opens the connection, which then keeps revision and subscriptions. */
export class LegacyEra implements Era {
  readonly methods: Era['methods'];
  readonly notifications: Era['notifications'];
  readonly observer: Era['observer'];
  /** Agreed on in the handshake; before it, the newest. */
  #revision: LegacyRevision = newestLegacyRevision;

  constructor({ definition, features, watched, notify }: EraOptions) {
    const news = new LegacyNews(watched, notify);
    this.observer = news.observer;
    this.notifications = new Map([['notifications/initialized', () => news.open()]]);
    const initialize: Method = (params) => {
      this.#revision = negotiateRevision(params);
      return initializeResult(definition, features.capabilities, this.#revision);
    };
    this.methods = new Map<string, Method>([
      ['initialize', initialize],
      ['ping', () => ({})],
      ...features.methods,
      ...news.methods,
    ]);
  }

  revisionOf(): string {
    return this.#revision;
  }

  toResult(_method: string, result: JsonObject): JsonObject {
    return result;
  }

  toError(error: RpcError): JsonObject {
    return error.toWire();
  }
}
