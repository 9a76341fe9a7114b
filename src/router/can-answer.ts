import type { CallContext } from '../eras/form.js';
import { stringAt } from '../protocol/envelope.js';
import { isJsonObject, type JsonObject } from '../protocol/json.js';
import type { RequestMessage } from '../protocol/message.js';
import { isIn, type MethodRule, type Question as QuestionKind } from '../protocol/methods.js';

/**
 * Whether a client declared that it can answer a question of a backend's.
 * [MCP 2025-11-25 lifecycle § Capability Negotiation; elicitation § Capabilities]
 */
export function canAnswer(
  context: CallContext | undefined,
  message: RequestMessage,
  rule: MethodRule,
  kind: QuestionKind,
): boolean {
  if (context === undefined || !isIn(rule, context.revision)) return false;
  const capability = context.capabilities[kind];
  if (!isJsonObject(capability)) return false;
  return kind !== 'elicitation' || elicitationModes(capability).includes(elicitationMode(message));
}

/** An empty capability means forms alone. */
function elicitationModes(capability: JsonObject): readonly string[] {
  const modes = Object.keys(capability).filter((mode) => mode === 'form' || mode === 'url');
  return modes.length === 0 ? ['form'] : modes;
}

/** How a question wants to be answered: in a form, or on a page. */
export function elicitationMode({ bytes, fields }: RequestMessage): string {
  return (fields.mode && stringAt(bytes, fields.mode)) ?? 'form';
}
