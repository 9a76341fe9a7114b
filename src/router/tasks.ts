import { errorToClient, resultToClient } from '../protocol/compose.js';
import { stringAt } from '../protocol/envelope.js';
import { gatewayError, type WireError } from '../protocol/errors.js';
import type { NotificationMessage, RequestMessage, ResponseMessage, Span } from '../protocol/message.js';
import { elementSpans, memberSpans } from '../protocol/walk.js';
import type { Calls } from './calls.js';
import type { AcceptedRequest } from './conversation.js';
import type { Call, Lane } from './lane.js';
import type { Reach } from './reach.js';
import { progressToClient, toBackend, toClient } from './rewrite.js';
import type { SessionRecord } from './session-record.js';

/** A task that a session made at a backend. [MCP 2025-11-25 tasks] */
interface Task {
  readonly lane: Lane;
  readonly session: SessionRecord;
  /** The call that made it: its progress token goes on until the task ends. */
  readonly callId: number;
  readonly tokenText: string | undefined;
  ended: boolean;
}

/** A task that a question became, at a client. */
interface AskedTask {
  readonly lane: Lane;
  readonly session: SessionRecord;
}

/** Tasks and pages remembered per backend; the oldest are forgotten, so that nobody can fill the memory. */
const maxRemembered = 1_000;
/** Status notices kept that came before the answer which names their task. */
const maxEarlyNotices = 64;

const finalStates = new Set(['completed', 'failed', 'cancelled']);

/** Whose the tasks are. A task is known to the session that made it and to nobody else. */
export class Tasks {
  readonly #reach: Reach;
  readonly #made = new Map<Lane, Map<string, Task>>();
  readonly #early = new Map<Lane, NotificationMessage[]>();
  readonly #asked = new Map<Lane, Map<string, AskedTask>>();
  readonly #pages = new Map<Lane, Map<string, SessionRecord>>();

  constructor(reach: Reach) {
    this.#reach = reach;
  }

  /** Forwards a request about a task to the backend that has it. */
  take(request: AcceptedRequest, calls: Calls, acceptedMs: number): void {
    const { session, step } = request;
    const taskId = textOf(step.message, step.message.fields.taskId);
    const task = taskId === undefined ? undefined : this.#ofSession(session, taskId);
    if (task === undefined) {
      const message =
        taskId === undefined
          ? `"${step.message.method}" needs params.taskId as a string`
          : `no task "${taskId}" of this session`;
      refuse(request, gatewayError('invalidParams', message));
    } else calls.start({ request, lane: task.lane, edits: [], acceptedMs });
  }

  /** The session's tasks at all backends that can list them, on one page. */
  async list(request: AcceptedRequest): Promise<void> {
    const { session, idKey, idText } = request;
    let open = true;
    session.open.set(idKey, {
      cancel() {
        open = false;
        session.end(idKey, undefined);
      },
    });
    const lanes = this.#reach.lanesOf(session).filter(canListTasks);
    const lists = await Promise.all(lanes.map((lane) => this.#listAt(lane, session)));
    if (open) session.end(idKey, resultToClient(idText, `{"tasks":[${lists.flat().join(',')}]}`));
  }

  /** An answer may name a new task, or the end of one. */
  callAnswered(call: Call, message: ResponseMessage): void {
    if (message.outcome !== 'result' || message.value === undefined) return;
    if (call.rule.route.to === 'task') this.#noteState(call.lane, message.bytes, message.value);
    if (!call.task) return;
    const { task } = memberSpans(message.bytes, message.value, ['task']);
    const taskId = task && textOf(message, memberSpans(message.bytes, task, ['taskId']).taskId);
    if (taskId === undefined) return;
    const { lane, session, id: callId, tokenText } = call;
    remember(this.#made, lane, taskId, { lane, session, callId, tokenText, ended: false });
  }

  /** After an answer was handed on: the notices about its task that came too early. */
  flushEarly(call: Call): void {
    const early = call.task ? this.#early.get(call.lane) : undefined;
    this.#early.delete(call.lane);
    for (const notice of early ?? []) this.status(call.lane, notice);
  }

  /** A backend tells of a task's state. */
  status(lane: Lane, message: NotificationMessage): void {
    const taskId = textOf(message, message.fields.taskId);
    if (taskId === undefined) return;
    const task = this.#made.get(lane)?.get(taskId);
    if (task !== undefined) this.#noteEnd(task, textOf(message, message.fields.status));
    const session = task?.session ?? lane.session;
    if (session !== undefined) session.port.send(toClient(message, []));
    else this.#keepEarly(lane, message);
  }

  /** A client tells a backend of the state of a task that a question became. */
  statusFromClient(session: SessionRecord, message: NotificationMessage): void {
    const taskId = textOf(message, message.fields.taskId);
    for (const tasks of this.#asked.values()) {
      const task = taskId === undefined ? undefined : tasks.get(taskId);
      if (task?.session === session) task.lane.notify(toBackend(message, []));
    }
  }

  /** Progress of a task, under the token of the call that made it. */
  progress(lane: Lane, callId: number, message: NotificationMessage, token: Span): void {
    for (const task of this.#made.get(lane)?.values() ?? []) {
      if (task.callId !== callId || task.ended || task.tokenText === undefined) continue;
      task.session.port.sendProgress(progressToClient(message, token, task.tokenText), task.tokenText);
    }
  }

  /** The session that made the task which a backend's question belongs to. */
  relatedOwner(lane: Lane, message: RequestMessage): SessionRecord | undefined {
    const taskId = textOf(message, message.fields.metaRelatedTask);
    return taskId === undefined ? undefined : this.#made.get(lane)?.get(taskId)?.session;
  }

  /** The client that works on the task which a backend's request names. */
  askedClient(lane: Lane, message: RequestMessage): SessionRecord | undefined {
    const taskId = textOf(message, message.fields.taskId);
    return taskId === undefined ? undefined : this.#asked.get(lane)?.get(taskId)?.session;
  }

  /** A client's answer to a question may name a task that it became. */
  answered({ lane, session }: AskedTask, message: ResponseMessage): void {
    if (message.value === undefined || message.outcome !== 'result') return;
    const { task } = memberSpans(message.bytes, message.value, ['task']);
    const taskId = task && textOf(message, memberSpans(message.bytes, task, ['taskId']).taskId);
    if (taskId !== undefined) remember(this.#asked, lane, taskId, { lane, session });
  }

  /** A client was asked to open a page, whose completion is told later. */
  elicited(lane: Lane, session: SessionRecord, message: RequestMessage): void {
    const elicitationId = textOf(message, message.fields.elicitationId);
    if (elicitationId !== undefined) remember(this.#pages, lane, elicitationId, session);
  }

  /** A page that a client was asked to open is done with. */
  elicitationComplete(lane: Lane, message: NotificationMessage): void {
    const elicitationId = textOf(message, message.fields.elicitationId);
    const asked = elicitationId === undefined ? undefined : this.#pages.get(lane)?.get(elicitationId);
    const session = asked ?? lane.session;
    session?.port.send(toClient(message, []));
  }

  /** A session's tasks end with it: they are cancelled where they run. */
  sessionEnded(session: SessionRecord): void {
    for (const [lane, tasks] of this.#made) {
      for (const [taskId, task] of tasks) {
        if (task.session !== session) continue;
        tasks.delete(taskId);
        if (!task.ended && lane.port.state.kind === 'ready') {
          lane.port.request('tasks/cancel', { taskId }).catch(ignoreFailure);
        }
      }
    }
    for (const tasks of this.#asked.values()) deleteWhere(tasks, (task) => task.session === session);
    for (const pages of this.#pages.values()) deleteWhere(pages, (asked) => asked === session);
  }

  /** A process is gone, and its tasks with it. */
  laneExited(lane: Lane): void {
    this.#made.delete(lane);
    this.#early.delete(lane);
    this.#asked.delete(lane);
    this.#pages.delete(lane);
  }

  #ofSession(session: SessionRecord, taskId: string): Task | undefined {
    for (const tasks of this.#made.values()) {
      const task = tasks.get(taskId);
      if (task?.session === session) return task;
    }
    return undefined;
  }

  async #listAt(lane: Lane, session: SessionRecord): Promise<string[]> {
    const found: string[] = [];
    try {
      const answer = await lane.port.request('tasks/list', {});
      if (answer.outcome !== 'result' || answer.value === undefined) return found;
      const { tasks } = memberSpans(answer.bytes, answer.value, ['tasks']);
      for (const span of tasks === undefined ? [] : elementSpans(answer.bytes, tasks)) {
        const taskId = textOf(answer, memberSpans(answer.bytes, span, ['taskId']).taskId);
        const task = taskId === undefined ? undefined : this.#made.get(lane)?.get(taskId);
        if (task?.session === session) found.push(answer.bytes.toString('utf8', span.start, span.end));
      }
      return found;
    } catch {
      // A backend that ends or stays silent has no tasks to show; the others' are shown all the same.
      return found;
    }
  }

  #noteState(lane: Lane, bytes: Buffer, value: Span): void {
    const { taskId, status } = memberSpans(bytes, value, ['taskId', 'status']);
    const id = textOf({ bytes }, taskId);
    const task = id === undefined ? undefined : this.#made.get(lane)?.get(id);
    if (task !== undefined) this.#noteEnd(task, textOf({ bytes }, status));
  }

  #noteEnd(task: Task, status: string | undefined): void {
    if (status !== undefined && finalStates.has(status)) task.ended = true;
  }

  #keepEarly(lane: Lane, message: NotificationMessage): void {
    const early = this.#early.get(lane) ?? [];
    early.push(message);
    if (early.length > maxEarlyNotices) early.shift();
    this.#early.set(lane, early);
  }
}

function canListTasks({ port: { state } }: Lane): boolean {
  if (state.kind !== 'ready') return false;
  const { tasks } = state.peer.capabilities;
  return typeof tasks === 'object' && tasks !== null && 'list' in tasks;
}

function textOf({ bytes }: { readonly bytes: Buffer }, span: Span | undefined): string | undefined {
  return span && stringAt(bytes, span);
}

function remember<T>(index: Map<Lane, Map<string, T>>, lane: Lane, id: string, value: T): void {
  const entries = index.get(lane) ?? new Map<string, T>();
  index.set(lane, entries);
  entries.set(id, value);
  const [oldest] = entries.keys();
  if (entries.size > maxRemembered && oldest !== undefined) entries.delete(oldest);
}

function deleteWhere<T>(entries: Map<string, T>, test: (value: T) => boolean): void {
  for (const [key, value] of entries) if (test(value)) entries.delete(key);
}

function refuse({ session, idKey, idText }: AcceptedRequest, error: WireError): void {
  session.end(idKey, errorToClient(idText, error));
}

function ignoreFailure(): void {
  return;
}
