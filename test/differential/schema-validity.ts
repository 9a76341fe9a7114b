import * as sdk from '@modelcontextprotocol/sdk/types.js';
import { type OfficialSchema, officialSchema } from '../helpers/official-schemas.js';
import { sdkResults } from './result-schemas.js';
import type { Frames } from './sides.js';

/** The definition of the result of each request that a client sends, by method. */
const resultDefinitions = new Map([
  ['initialize', 'InitializeResult'],
  ['ping', 'EmptyResult'],
  ['tools/list', 'ListToolsResult'],
  ['tools/call', 'CallToolResult'],
  ['prompts/list', 'ListPromptsResult'],
  ['prompts/get', 'GetPromptResult'],
  ['resources/list', 'ListResourcesResult'],
  ['resources/templates/list', 'ListResourceTemplatesResult'],
  ['resources/read', 'ReadResourceResult'],
  ['resources/subscribe', 'EmptyResult'],
  ['resources/unsubscribe', 'EmptyResult'],
  ['completion/complete', 'CompleteResult'],
  ['logging/setLevel', 'EmptyResult'],
  ['tasks/get', 'GetTaskResult'],
  // The definition GetTaskPayloadResult allows anything; all tasks here are tool calls.
  ['tasks/result', 'CallToolResult'],
  ['tasks/list', 'ListTasksResult'],
  ['tasks/cancel', 'CancelTaskResult'],
]);

const sdkSchemas = new Map<string, { safeParse(value: unknown): { success: boolean; error?: Error } }>([
  ...Object.entries(sdkResults),
  ['initialize', sdk.InitializeResultSchema],
]);

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly task?: unknown };
  readonly result?: unknown;
  readonly error?: unknown;
}

/** A message from a gateway or server that is not what its revision allows. */
export interface InvalidFrame {
  readonly problems: readonly string[];
  readonly frame: string;
}

/**
 * Holds every message that a client was sent against the official schema of the session's revision and
 * against the SDK's own schemas, and gives those that fail.
 */
export function invalidFrames(frames: Frames, revision: string): InvalidFrame[] {
  const schema = officialSchema(revision);
  const asked = new Map<unknown, Message>();
  return frames.flatMap(({ from, text }) => {
    const value = JSON.parse(text) as Message | Message[];
    const messages = Array.isArray(value) ? value : [value];
    if (from === 'client') {
      for (const message of messages) {
        if (message.method !== undefined && message.id !== undefined) asked.set(message.id, message);
      }
      return [];
    }
    const batch = Array.isArray(value) ? schema.problems('JSONRPCBatchResponse', value) : [];
    const problems = [
      ...batch,
      ...messages.flatMap((message) => problemsOf(message, asked.get(message.id), schema)),
    ];
    return problems.length === 0 ? [] : [{ problems, frame: text.slice(0, 2_000) }];
  });
}

function problemsOf(message: Message, question: Message | undefined, schema: OfficialSchema): string[] {
  const envelope = schema.problems('JSONRPCMessage', message);
  if (message.method !== undefined) {
    const isRequest = message.id !== undefined;
    const sdkSchema = isRequest ? sdk.ServerRequestSchema : sdk.ServerNotificationSchema;
    return [
      ...envelope,
      ...schema.problems(isRequest ? 'ServerRequest' : 'ServerNotification', message),
      ...sdkProblems(sdkSchema, message),
    ];
  }
  if (question === undefined && message.id !== undefined) {
    return [...envelope, 'it answers nothing that was asked'];
  }
  if (question?.method === undefined || 'error' in message) {
    // From 2025-11-25 on it is called a response like all others.
    const definition = schema.has('JSONRPCError') ? 'JSONRPCError' : 'JSONRPCErrorResponse';
    return [
      ...envelope,
      ...schema.problems(definition, message),
      ...sdkProblems(sdk.JSONRPCErrorResponseSchema, message),
    ];
  }
  const isTask = question.method === 'tools/call' && question.params?.task !== undefined;
  const definition = isTask
    ? 'CreateTaskResult'
    : (resultDefinitions.get(question.method) ?? question.method);
  const sdkSchema = isTask ? sdk.CreateTaskResultSchema : sdkSchemas.get(question.method);
  return [
    ...envelope,
    ...schema.problems(definition, message.result),
    ...sdkProblems(sdkSchema, message.result),
  ];
}

function sdkProblems(
  schema: { safeParse(value: unknown): { success: boolean; error?: Error } } | undefined,
  value: unknown,
): string[] {
  if (schema === undefined) return ['the SDK has no schema for it'];
  const { success, error } = schema.safeParse(value);
  return success ? [] : [`the SDK: ${error?.message}`];
}
