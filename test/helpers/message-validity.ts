import { type OfficialSchema, officialSchema } from './official-schemas.js';

/** A message as it stood on the wire, and who sent it. */
export interface Frame {
  readonly from: 'client' | 'server';
  readonly text: string;
}

/** A message that its revision does not allow. */
export interface InvalidMessage {
  readonly problems: readonly string[];
  readonly frame: string;
}

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly result?: { readonly resultType?: unknown };
  readonly error?: { readonly code: number };
}

/** Errors that have a definition of their own. */
const errorDefinitions: Readonly<Record<number, string>> = {
  [-32_021]: 'MissingRequiredClientCapabilityError',
  [-32_022]: 'UnsupportedProtocolVersionError',
};

/**
 * Holds the messages that one end of a conversation sent against the official schema of a revision, and gives those
 * that fail. For revisions from 2025-11-25 on: older ones name some definitions otherwise.
 */
export function invalidMessages(
  frames: readonly Frame[],
  revision: string,
  sentBy: Frame['from'],
): InvalidMessage[] {
  const schema = officialSchema(revision);
  const asked = new Map<string, string>();
  return frames.flatMap(({ from, text }) => {
    const message = JSON.parse(text) as Message;
    const key = (side: string) => `${side} ${JSON.stringify(message.id)}`;
    if (message.method !== undefined && message.id !== undefined) asked.set(key(from), message.method);
    if (from !== sentBy) return [];
    const problems = problemsOf(
      message,
      asked.get(key(sentBy === 'client' ? 'server' : 'client')),
      schema,
      sentBy,
    );
    return problems.length === 0 ? [] : [{ problems, frame: text.slice(0, 2_000) }];
  });
}

function problemsOf(
  message: Message,
  question: string | undefined,
  schema: OfficialSchema,
  sentBy: Frame['from'],
): string[] {
  const envelope = schema.problems('JSONRPCMessage', message);
  if (message.method !== undefined) {
    if (!mayBeSent(message.method, schema, sentBy))
      return [`no ${sentBy} of the revision sends "${message.method}"`];
    return [...envelope, ...schema.problems(schema.definitionOf(message.method) ?? message.method, message)];
  }
  if (message.error !== undefined) {
    const definition = errorDefinitions[message.error.code];
    const own = definition !== undefined && schema.has(definition) ? definition : 'JSONRPCErrorResponse';
    return [...envelope, ...schema.problems(own, message)];
  }
  if (question === undefined) return [...envelope, 'it answers nothing that was asked'];
  return [
    ...envelope,
    ...schema.problems(resultDefinition(question, message.result?.resultType, schema), message.result),
  ];
}

function resultDefinition(question: string, resultType: unknown, schema: OfficialSchema): string {
  if (resultType === 'input_required') return 'InputRequiredResult';
  const own = (schema.definitionOf(question) ?? question).replace(/Request$/, 'Result');
  return schema.has(own) ? own : 'EmptyResult';
}

/** Modern servers ask nothing, and the modern union of a client's notifications is the one that there is. */
function mayBeSent(method: string, schema: OfficialSchema, sentBy: Frame['from']): boolean {
  const unions =
    sentBy === 'client'
      ? (['ClientRequest', 'ClientNotification'] as const)
      : (['ServerRequest', 'ServerNotification'] as const);
  return unions.some((union) => schema.methods(union).includes(method));
}
