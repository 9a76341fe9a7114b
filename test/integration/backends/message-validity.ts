import type { JsonObject } from '../../../src/protocol/json.js';
import { officialSchema } from '../../helpers/official-schemas.js';
import type { EraName, Heard } from './era-conversation.js';

const revisions = { legacy: '2025-11-25', modern: '2026-07-28' } as const;

/** The definition of each method's result in the official schemas. */
const results: Readonly<Record<string, string>> = {
  initialize: 'InitializeResult',
  'resources/subscribe': 'EmptyResult',
  'server/discover': 'DiscoverResult',
  'subscriptions/listen': 'SubscriptionsListenResult',
  'tools/list': 'ListToolsResult',
  'tools/call': 'CallToolResult',
  'resources/list': 'ListResourcesResult',
  'resources/templates/list': 'ListResourceTemplatesResult',
  'resources/read': 'ReadResourceResult',
  'prompts/list': 'ListPromptsResult',
  'prompts/get': 'GetPromptResult',
  'completion/complete': 'CompleteResult',
};

/** The definition of each notification. */
const notices: Readonly<Record<string, string>> = {
  'notifications/resources/updated': 'ResourceUpdatedNotification',
  'notifications/resources/list_changed': 'ResourceListChangedNotification',
  'notifications/subscriptions/acknowledged': 'SubscriptionsAcknowledgedNotification',
};

/** Errors that have a definition of their own. */
const errors: Readonly<Record<string, string>> = { '-32022': 'UnsupportedProtocolVersionError' };

/** What is wrong with a message that a backend has sent, by the official schema of an era's newest revision. */
export function problemsOf(era: EraName, { answers, message }: Heard): string[] {
  const schema = officialSchema(revisions[era]);
  if (answers === undefined) return schema.problems(notices[String(message.method)] ?? 'no notice', message);
  if (message.error === undefined) {
    return [
      ...schema.problems('JSONRPCResultResponse', message),
      ...schema.problems(results[answers] ?? 'no result', message.result),
    ];
  }
  const { code } = message.error as JsonObject;
  return schema.problems(errors[String(code)] ?? 'JSONRPCErrorResponse', message);
}
