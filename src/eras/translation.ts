import type { RequestMessage, ResponseMessage } from '../protocol/message.js';
import type { MethodRule } from '../protocol/methods.js';
import type { Edit } from '../protocol/splice.js';
import type { Era } from './backend-side.js';
import type { CallContext } from './form.js';
import { fromModernBackend, toModernBackend } from './legacy/to-modern-backend.js';
import { fromLegacyBackend } from './modern/from-legacy-backend.js';

/** What changes in a call between a client and a backend besides ids, tokens, names and URIs. */
export interface Translation {
  request(message: RequestMessage, context: CallContext): readonly Edit[];
  response(message: ResponseMessage, rule: MethodRule, context: CallContext): readonly Edit[];
}

const nothing: readonly Edit[] = [];

/** Both ends speak the same era: nothing is parsed, nothing is built. */
const same: Translation = { request: () => nothing, response: () => nothing };

const legacyToModern: Translation = { request: toModernBackend, response: fromModernBackend };

/** A legacy backend does not mind what a modern request carries besides. */
const modernToLegacy: Translation = { request: () => nothing, response: fromLegacyBackend };

/** The translation between the eras of a client's call and of its backend. */
export function translation(client: Era, backend: Era): Translation {
  if (client === backend) return same;
  return client === 'legacy' ? legacyToModern : modernToLegacy;
}
