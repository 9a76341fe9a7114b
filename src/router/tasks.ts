import { errorToClient } from '../protocol/compose.js';
import { stringAt } from '../protocol/envelope.js';
import { gatewayError } from '../protocol/errors.js';
import { metaKeys } from '../protocol/fields.js';
import type { NotificationMessage, RequestMessage, ResponseMessage, Span } from '../protocol/message.js';
import { atLeast } from '../protocol/revisions.js';
import type { Edit } from '../protocol/splice.js';
import { memberSpans } from '../protocol/walk.js';
import type { Calls } from './calls.js';
import type { AcceptedRequest } from './conversation.js';
import { createdTaskId } from './created-task.js';
import type { Call, Lane } from './lane.js';
import { OwnedIds } from './owned-ids.js';
import { progressToClient, replace, toClient } from './rewrite.js';
import type { SessionRecord } from './session-record.js';

/** A task that a session made at a backend. [MCP 2025-11-25 tasks] */
interface Task {
  /** The call that made it: its progress token goes on until the task ends. */
  readonly callId: number;
  readonly tokenText: string | undefined;
  /** The id by which the session knows it: its own, unless the session has another task of that id elsewhere. */
  readonly shown: string;
  ended: boolean;
}

/** Status notices kept that came before the answer which names their task: so many, each so long in bytes. */
const maxEarlyNotices = 64;
const maxEarlyBytes = 16 * 1024;

const finalStates = new Set(['completed', 'failed', 'cancelled']);

/** Tasks at backends. Each is known to the session that made it and to nobody else. */
export class Tasks {
  readonly #tasks = new OwnedIds<Task>();
  readonly #early = new Map<Lane, NotificationMessage[]>();
  /** Sessions that know any of their tasks by another id than its backend. */
  readonly #renamed = new WeakSet<SessionRecord>();

  get size(): number {
    return this.#tasks.size + this.#early.size;
  }

  /** Forwards a request about a task to the backend that has it. */
  take(request: AcceptedRequest, calls: Calls, acceptedMs: number): void {
    const { session, step, idKey, idText } = request;
    const span = step.message.fields.taskId;
    const taskId = textOf(step.message, span);
    const task = this.#tasks.allOf(session).find(({ value }) => value.shown === taskId);
    if (task === undefined || span === undefined) {
      const message =
        taskId === undefined
          ? `"${step.message.method}" needs params.taskId as a string`
          : `no task "${taskId}" of this session`;
      session.end(idKey, errorToClient(idText, gatewayError('invalidParams', message)));
    } else {
      const edits = task.id === taskId ? [] : [replace(span, JSON.stringify(task.id))];
      calls.start({ request, lane: task.lane, edits, acceptedMs });
    }
  }

  /** Whether a task at a backend is a session's. */
  isOf(session: SessionRecord, lane: Lane, taskId: string): boolean {
    return lane.session === session || this.#tasks.get(lane, session, taskId) !== undefined;
  }

  /** Whether a session has tasks at a backend. */
  hasAt(session: SessionRecord, lane: Lane): boolean {
    return lane.session === session || this.#tasks.allAt(lane).some((task) => task.session === session);
  }

  /** An answer may name a new task, or the end of one. */
  callAnswered(call: Call, message: ResponseMessage): void {
    const { lane, session, id: callId, tokenText } = call;
    if (call.rule.route.to === 'task') this.#noteState(call, message);
    const taskId =
      call.task && atLeast(call.context.revision, '2025-11-25') ? createdTaskId(message) : undefined;
    if (taskId === undefined) return;
    // A backend that gives an id twice means its newer task.
    for (const other of this.#tasks.at(lane, taskId)) this.#tasks.delete(lane, other.session, taskId);
    const shown = this.#freeId(lane, session, taskId);
    if (shown !== taskId) this.#renamed.add(session);
    this.#tasks.set(lane, session, taskId, { callId, tokenText, shown, ended: false });
  }

  /** Where an answer names tasks that the session knows by other ids. */
  resultEdits({ lane, session, task: mayBeTask, rule }: Call, message: ResponseMessage): readonly Edit[] {
    const { bytes, outcome, value } = message;
    if (outcome !== 'result' || value === undefined || !this.#renamed.has(session)) return [];
    if (!mayBeTask && rule.route.to !== 'task') return [];
    const { taskId, task, _meta } = memberSpans(bytes, value, ['taskId', 'task', '_meta']);
    const related = _meta && memberSpans(bytes, _meta, [metaKeys.relatedTask])[metaKeys.relatedTask];
    const inside = [task, related].map((span) => span && memberSpans(bytes, span, ['taskId']).taskId);
    return [taskId, ...inside].flatMap((span) => this.shownEdits(lane, session, message, span));
  }

  /** What makes the id of a task at a backend the one by which a session knows it; nothing where they are the same. */
  shownEdits(
    lane: Lane,
    session: SessionRecord,
    message: { readonly bytes: Buffer },
    span: Span | undefined,
  ): readonly Edit[] {
    const taskId = textOf(message, span);
    if (span === undefined || taskId === undefined) return [];
    const { shown = taskId } = this.#tasks.get(lane, session, taskId) ?? {};
    return shown === taskId ? [] : [replace(span, JSON.stringify(shown))];
  }

  /** After an answer was handed on: the notices about its task that came too early. */
  callEnded({ lane, task }: Call): void {
    const early = this.#early.get(lane);
    if (early === undefined) return;
    if (task || lane.inFlight === 0) this.#early.delete(lane);
    if (task) for (const notice of early) this.status(lane, notice);
  }

  /** A backend tells of a task's state. */
  status(lane: Lane, message: NotificationMessage): void {
    const taskId = textOf(message, message.fields.taskId);
    if (taskId === undefined) return;
    const owned = this.#tasks.at(lane, taskId);
    const status = textOf(message, message.fields.status);
    for (const { session, value } of owned) {
      noteEnd(value, status);
      session.port.send(
        toClient(message, [...this.shownEdits(lane, session, message, message.fields.taskId)]),
      );
    }
    if (owned.length > 0) return;
    if (lane.session === undefined) this.#keepEarly(lane, message);
    else lane.session.port.send(toClient(message, []));
  }

  /** Progress of a task, under the token of the call that made it. */
  progress(lane: Lane, callId: number, message: NotificationMessage, token: Span): void {
    for (const { session, value } of this.#tasks.allAt(lane)) {
      if (value.callId !== callId || value.ended || value.tokenText === undefined) continue;
      const edits = this.shownEdits(lane, session, message, message.fields.metaRelatedTask);
      session.port.sendProgress(progressToClient(message, token, value.tokenText, edits), value.tokenText);
    }
  }

  /** The session that made the task which a backend's question belongs to. */
  relatedOwner(lane: Lane, message: RequestMessage): SessionRecord | undefined {
    const taskId = textOf(message, message.fields.metaRelatedTask);
    return taskId === undefined ? undefined : this.#tasks.at(lane, taskId)[0]?.session;
  }

  /** A session's tasks end with it: they are cancelled where they run. */
  sessionEnded(session: SessionRecord): void {
    for (const { lane, id: taskId, value } of this.#tasks.sessionEnded(session)) {
      if (value.ended || lane.port.state.kind !== 'ready') continue;
      lane.port.request('tasks/cancel', { taskId }).catch(ignoreFailure);
    }
  }

  /** A process is gone, and its tasks with it. */
  laneExited(lane: Lane): void {
    this.#tasks.laneExited(lane);
    this.#early.delete(lane);
  }

  /** Ids mean something at one backend alone: a session may be given the same one by two. */
  #freeId(lane: Lane, session: SessionRecord, taskId: string): string {
    const taken = new Set(this.#tasks.allOf(session).map(({ value }) => value.shown));
    let shown = taskId;
    while (taken.has(shown)) shown = `${lane.port.key}+${shown}`;
    return shown;
  }

  #noteState({ lane, session }: Call, { bytes, outcome, value }: ResponseMessage): void {
    if (outcome !== 'result' || value === undefined) return;
    const { taskId, status } = memberSpans(bytes, value, ['taskId', 'status']);
    const id = textOf({ bytes }, taskId);
    const task = id === undefined ? undefined : this.#tasks.get(lane, session, id);
    if (task !== undefined) noteEnd(task, textOf({ bytes }, status));
  }

  /** Only a call under way can still name the task. */
  #keepEarly(lane: Lane, message: NotificationMessage): void {
    if (lane.inFlight === 0 || message.bytes.length > maxEarlyBytes) return;
    const early = this.#early.get(lane) ?? [];
    this.#early.set(lane, early);
    early.push(message);
    if (early.length > maxEarlyNotices) early.shift();
  }
}

function noteEnd(task: Task, status: string | undefined): void {
  if (status !== undefined && finalStates.has(status)) task.ended = true;
}

function textOf({ bytes }: { readonly bytes: Buffer }, span: Span | undefined): string | undefined {
  return span && stringAt(bytes, span);
}

/** The client is gone, so that nobody is left to be told. */
function ignoreFailure(): void {
  return;
}
