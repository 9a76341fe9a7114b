import type { JsonObject } from '../protocol/json.js';
import type { LogLevel } from '../protocol/log-level.js';
import type { NotificationMessage, RequestMessage, ResponseMessage } from '../protocol/message.js';
import type { MethodRule } from '../protocol/methods.js';
import type { Edit } from '../protocol/splice.js';
import type { Era } from './backend-side.js';
import type { CallContext } from './form.js';
import {
  fromModernBackend,
  stampedParams,
  stampNotice,
  toModernBackend,
} from './legacy/to-modern-backend.js';
import { fromLegacyBackend } from './modern/from-legacy-backend.js';
import { toLegacyBackend } from './modern/to-legacy-backend.js';

/** What changes in a call between a client and a backend besides ids, tokens, names and URIs. */
export interface Translation {
  /**
   * How a question of the backend's in mid-call becomes one that the client understands: as it is; as requests,
   * where the backend asks in results; or as a result, where it asks in requests.
   */
  readonly questions: 'as-they-are' | 'in-requests' | 'in-results';
  /** What a client's notification about a call needs besides. */
  notice(message: NotificationMessage, context: CallContext): readonly Edit[];
  /** Parameters of a notification of the gateway's own about a call. */
  noticeParams(params: JsonObject, context: CallContext): JsonObject;
  /** @param logLevel what the client wants to hear of the call, if it says so at all */
  request(message: RequestMessage, context: CallContext, logLevel: LogLevel | undefined): readonly Edit[];
  response(message: ResponseMessage, rule: MethodRule, context: CallContext): readonly Edit[];
}

const nothing: readonly Edit[] = [];

/** A legacy backend takes notifications as they are. */
const plainNotices = { notice: () => nothing, noticeParams: (params: JsonObject) => params };

/** A modern one wants to be told of the era in each: some take one without it for a sign of the other. */
const stampedNotices = { notice: stampNotice, noticeParams: stampedParams };

/** Both ends speak the same era: nothing is parsed, nothing is built. */
const same = { questions: 'as-they-are', request: () => nothing, response: () => nothing } as const;
const bothLegacy: Translation = { ...same, ...plainNotices };
const bothModern: Translation = { ...same, ...stampedNotices };

const legacyToModern: Translation = {
  ...stampedNotices,
  questions: 'in-requests',
  request: toModernBackend,
  response: fromModernBackend,
};

const modernToLegacy: Translation = {
  ...plainNotices,
  questions: 'in-results',
  request: toLegacyBackend,
  response: fromLegacyBackend,
};

/** The translation between the eras of a client's call and of its backend. */
export function translation(client: Era, backend: Era): Translation {
  if (client === backend) return client === 'legacy' ? bothLegacy : bothModern;
  return client === 'legacy' ? legacyToModern : modernToLegacy;
}
