import { stringAt } from '../protocol/envelope.js';
import type { ResponseMessage } from '../protocol/message.js';
import { memberSpans } from '../protocol/walk.js';

/** The id of the task that an answer says was made instead of a result. [MCP 2025-11-25 schema: CreateTaskResult] */
export function createdTaskId({ bytes, outcome, value }: ResponseMessage): string | undefined {
  if (outcome !== 'result' || value === undefined) return undefined;
  const { task } = memberSpans(bytes, value, ['task']);
  const id = task && memberSpans(bytes, task, ['taskId']).taskId;
  return id && stringAt(bytes, id);
}
