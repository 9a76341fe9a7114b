import type { JsonObject } from '../protocol/json.js';
import type { CallContext } from './form.js';

/** Every question that can be put to a client. */
const allQuestions: JsonObject = { sampling: {}, elicitation: { form: {}, url: {} }, roots: {} };

/**
 * How the gateway introduces itself to a process that serves one session alone: as that session's client. A modern
 * client says anew with each call what it can answer, so its process is told that it may ask anything; what the call
 * in flight did not declare is refused then.
 */
export function ownIntroduction({ era, clientInfo, capabilities }: CallContext): {
  readonly clientInfo: JsonObject;
  readonly capabilities: JsonObject;
} {
  return {
    clientInfo,
    capabilities: era === 'legacy' ? capabilities : { ...capabilities, ...allQuestions },
  };
}
