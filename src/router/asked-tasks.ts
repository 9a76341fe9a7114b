import { stringAt } from '../protocol/envelope.js';
import type { NotificationMessage, ResponseMessage } from '../protocol/message.js';
import { createdTaskId } from './created-task.js';
import type { Lane } from './lane.js';
import { OwnedIds } from './owned-ids.js';
import { toBackend } from './rewrite.js';
import type { SessionRecord } from './session-record.js';

/**
 * Tasks that questions became: they run at a client, for a backend. Only processes with one client have any,
 * since only they are told that their client can make tasks. [MCP 2025-11-25 tasks]
 */
export class AskedTasks {
  readonly #tasks = new OwnedIds<'asked'>();

  get size(): number {
    return this.#tasks.size;
  }

  /** A client's answer to a question may name the task that the question became. */
  answered(lane: Lane, session: SessionRecord, message: ResponseMessage): void {
    if (lane.session === undefined) return;
    const taskId = createdTaskId(message);
    if (taskId !== undefined) this.#tasks.set(lane, session, taskId, 'asked');
  }

  /** A client tells of the state of such a task: the backend that asked hears it, and no other. */
  status(session: SessionRecord, message: NotificationMessage): void {
    const taskId = message.fields.taskId && stringAt(message.bytes, message.fields.taskId);
    if (taskId === undefined) return;
    for (const { lane } of this.#tasks.of(session, taskId)) lane.notify(toBackend(message, []));
  }

  sessionEnded(session: SessionRecord): void {
    this.#tasks.sessionEnded(session);
  }

  laneExited(lane: Lane): void {
    this.#tasks.laneExited(lane);
  }
}
