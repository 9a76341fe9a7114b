/** Prefix of the `_meta` keys that MCP reserves. [MCP 2026-07-28 basic § _meta] */
export const metaPrefix = 'io.modelcontextprotocol/';

/**
 * The places inside `params` that the gateway reads or rewrites, as paths of keys. One scan of a message
 * finds them all, so the list is the union over all methods; `methods.ts` says which method uses which.
 */
export const paramFields = {
  name: ['name'],
  uri: ['uri'],
  cursor: ['cursor'],
  level: ['level'],
  requestId: ['requestId'],
  progressToken: ['progressToken'],
  taskId: ['taskId'],
  task: ['task'],
  logger: ['logger'],
  mode: ['mode'],
  elicitationId: ['elicitationId'],
  status: ['status'],
  arguments: ['arguments'],
  refType: ['ref', 'type'],
  refName: ['ref', 'name'],
  refUri: ['ref', 'uri'],
  inputResponses: ['inputResponses'],
  requestState: ['requestState'],
  meta: ['_meta'],
  metaProgressToken: ['_meta', 'progressToken'],
  metaRevision: ['_meta', `${metaPrefix}protocolVersion`],
  metaClientInfo: ['_meta', `${metaPrefix}clientInfo`],
  metaClientCapabilities: ['_meta', `${metaPrefix}clientCapabilities`],
  metaLogLevel: ['_meta', `${metaPrefix}logLevel`],
  metaSubscriptionId: ['_meta', `${metaPrefix}subscriptionId`],
  metaRelatedTask: ['_meta', `${metaPrefix}related-task`, 'taskId'],
} as const satisfies Record<string, readonly string[]>;

export type FieldName = keyof typeof paramFields;
