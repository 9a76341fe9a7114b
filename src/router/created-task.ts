import { stringAt } from '../protocol/envelope.js';
import type { ResponseMessage } from '../protocol/message.js';
import { memberSpans } from '../protocol/walk.js';

/**
 * The id of the task that an answer says was made instead of a result: inside of `task`, or in a result that is a
 * task. [MCP 2025-11-25 schema: CreateTaskResult; MCP extension io.modelcontextprotocol/tasks]
 */
export function createdTaskId({ bytes, outcome, value }: ResponseMessage): string | undefined {
  if (outcome !== 'result' || value === undefined) return undefined;
  const { task, resultType, taskId } = memberSpans(bytes, value, ['task', 'resultType', 'taskId']);
  const isTask = resultType !== undefined && stringAt(bytes, resultType) === 'task';
  const id = isTask ? taskId : task && memberSpans(bytes, task, ['taskId']).taskId;
  return id && stringAt(bytes, id);
}
