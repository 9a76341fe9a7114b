/** Prefix of the `_meta` keys that MCP reserves. [MCP 2026-07-28 basic § _meta] */
export const metaPrefix = 'io.modelcontextprotocol/';

/** Reserved `_meta` keys of the modern era, as they stand on the wire. [MCP 2026-07-28 basic § _meta] */
export const metaKeys = {
  revision: `${metaPrefix}protocolVersion`,
  clientInfo: `${metaPrefix}clientInfo`,
  clientCapabilities: `${metaPrefix}clientCapabilities`,
  logLevel: `${metaPrefix}logLevel`,
  serverInfo: `${metaPrefix}serverInfo`,
  subscriptionId: `${metaPrefix}subscriptionId`,
  relatedTask: `${metaPrefix}related-task`,
} as const;

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
  metaRevision: ['_meta', metaKeys.revision],
  metaClientInfo: ['_meta', metaKeys.clientInfo],
  metaClientCapabilities: ['_meta', metaKeys.clientCapabilities],
  metaLogLevel: ['_meta', metaKeys.logLevel],
  metaSubscriptionId: ['_meta', metaKeys.subscriptionId],
  metaRelatedTask: ['_meta', metaKeys.relatedTask, 'taskId'],
} as const satisfies Record<string, readonly string[]>;

export type FieldName = keyof typeof paramFields;
