import type { RequestMessage } from '../../protocol/message.js';
import type { Edit } from '../../protocol/splice.js';
import { removeMembers } from '../remove.js';

/** What asks a legacy backend for a task, which a modern client could not follow. [MCP 2025-11-25 tasks § Creating Tasks] */
const ofTasks = new Set(['task']);

/** A legacy backend does not mind what else a modern request carries. */
export function toLegacyBackend({ bytes, params, fields }: RequestMessage): readonly Edit[] {
  return params === undefined || fields.task === undefined ? [] : removeMembers(bytes, params, ofTasks);
}
