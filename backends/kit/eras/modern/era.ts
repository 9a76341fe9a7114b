import { metaPrefix } from '../../../../src/protocol/fields.js';
import { isJsonObject, type JsonObject } from '../../../../src/protocol/json.js';
import type { Method } from '../../method.js';
import type { RpcError } from '../../rpc-error.js';
import { serverInfo } from '../../server-definition.js';
import type { Era, EraOptions } from '../era.js';
import { checkEnvelope } from './envelope.js';
import { freshness } from './freshness.js';
import { discoverResult } from './greeting.js';
import { ModernNews } from './news.js';

/** 2026-07-28: each request says all that is needed to answer it, and the connection keeps nothing but listens. */
export class ModernEra implements Era {
  readonly methods: Era['methods'];
  readonly notifications: Era['notifications'] = new Map();
  readonly observer: Era['observer'];
  readonly #news: ModernNews;
  readonly #serverInfo: JsonObject;

  constructor({ definition, features, watched, notify }: EraOptions) {
    this.#serverInfo = serverInfo(definition);
    this.#news = new ModernNews(watched, notify);
    this.observer = this.#news.observer;
    this.methods = new Map<string, Method>([
      ['server/discover', () => discoverResult(definition, features.capabilities)],
      ...features.methods,
      ['subscriptions/listen', (params, context) => this.#news.listen(params, context)],
    ]);
  }

  revisionOf(params: JsonObject): string {
    return checkEnvelope(params);
  }

  toResult(method: string, result: JsonObject): JsonObject {
    const meta = isJsonObject(result._meta) ? result._meta : {};
    return {
      resultType: 'complete',
      ...result,
      ...freshness.get(method),
      _meta: { ...meta, [`${metaPrefix}serverInfo`]: this.#serverInfo },
    };
  }

  /** A resource that does not exist has no code of its own any more. [MCP 2026-07-28 resources § Error Handling] */
  toError(error: RpcError): JsonObject {
    return error.reason === 'resourceNotFound' ? error.toWire('invalidParams') : error.toWire();
  }

  end(): void {
    this.#news.end();
  }
}
