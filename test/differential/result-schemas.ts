import * as sdk from '@modelcontextprotocol/sdk/types.js';

/** How the SDK checks the result of each request, by method. */
export const sdkResults = {
  ping: sdk.EmptyResultSchema,
  'tools/list': sdk.ListToolsResultSchema,
  'tools/call': sdk.CallToolResultSchema,
  'prompts/list': sdk.ListPromptsResultSchema,
  'prompts/get': sdk.GetPromptResultSchema,
  'resources/list': sdk.ListResourcesResultSchema,
  'resources/templates/list': sdk.ListResourceTemplatesResultSchema,
  'resources/read': sdk.ReadResourceResultSchema,
  'resources/subscribe': sdk.EmptyResultSchema,
  'resources/unsubscribe': sdk.EmptyResultSchema,
  'completion/complete': sdk.CompleteResultSchema,
  'logging/setLevel': sdk.EmptyResultSchema,
  'tasks/get': sdk.GetTaskResultSchema,
  'tasks/result': sdk.CallToolResultSchema,
  'tasks/list': sdk.ListTasksResultSchema,
  'tasks/cancel': sdk.CancelTaskResultSchema,
} as const;

export type AskedMethod = keyof typeof sdkResults;
