import { readMessage } from '../protocol/envelope.js';
import type { Message } from '../protocol/message.js';

/**
 * The notice that a backend may have sent while it was not heard: whoever reads a resource once too often loses
 * little. [MCP 2026-07-28 schema: ResourceUpdatedNotification]
 */
export function missedUpdate(uri: string): Message {
  const notice = { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } };
  const message = readMessage(Buffer.from(JSON.stringify(notice)), { maxDepth: Number.POSITIVE_INFINITY });
  if (message.kind !== 'notification') throw new Error(`a notice was read as ${message.kind}`);
  return message;
}
