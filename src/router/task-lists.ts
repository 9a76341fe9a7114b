import { errorToClient, resultToClient } from '../protocol/compose.js';
import { stringAt } from '../protocol/envelope.js';
import { gatewayError } from '../protocol/errors.js';
import type { Span } from '../protocol/message.js';
import { type Edit, splice } from '../protocol/splice.js';
import { elementSpans, memberSpans } from '../protocol/walk.js';
import { hasCapability } from './capabilities.js';
import type { AcceptedRequest } from './conversation.js';
import type { Lane } from './lane.js';
import type { Reach } from './reach.js';
import type { SessionRecord } from './session-record.js';
import type { Tasks } from './tasks.js';

/** Pages read of one backend's list, and their bytes: it may hold everybody's tasks, but must come to an end. */
const maxPages = 100;
const maxBytes = 16 * 1024 * 1024;

/** Lists of tasks, gathered from all backends on which a session has any. */
export class TaskLists {
  readonly #reach: Reach;
  readonly #tasks: Tasks;

  constructor(reach: Reach, tasks: Tasks) {
    this.#reach = reach;
    this.#tasks = tasks;
  }

  /** The session's tasks, and nobody else's, on one page. */
  async take({ session, step, idKey, idText }: AcceptedRequest): Promise<void> {
    if (step.message.fields.cursor !== undefined) {
      const message = 'unknown cursor for "tasks/list"; all tasks are on one page';
      session.end(idKey, errorToClient(idText, gatewayError('invalidParams', message)));
      return;
    }
    let open = true;
    session.open.set(idKey, {
      idText,
      cancel() {
        open = false;
        session.end(idKey, undefined);
      },
    });
    const lanes = this.#reach
      .lanesOf(session)
      .filter((lane) => canList(lane) && this.#tasks.hasAt(session, lane));
    const lists = await Promise.all(lanes.map((lane) => this.#listAt(lane, session, () => open)));
    if (open) session.end(idKey, resultToClient(idText, `{"tasks":[${lists.flat().join(',')}]}`));
  }

  async #listAt(lane: Lane, session: SessionRecord, isWanted: () => boolean): Promise<string[]> {
    const found = new Map<string, string>();
    const cursors = new Set<string>();
    let cursor: string | undefined;
    let read = 0;
    try {
      for (let page = 0; page < maxPages && read < maxBytes && isWanted(); page += 1) {
        const answer = await lane.port.request('tasks/list', cursor === undefined ? {} : { cursor });
        if (answer.outcome !== 'result' || answer.value === undefined) break;
        const { bytes } = answer;
        const { tasks, nextCursor } = memberSpans(bytes, answer.value, ['tasks', 'nextCursor']);
        for (const span of tasks === undefined ? [] : elementSpans(bytes, tasks)) {
          const { taskId } = memberSpans(bytes, span, ['taskId']);
          const id = taskId && stringAt(bytes, taskId);
          if (id !== undefined && this.#tasks.isOf(session, lane, id)) {
            const edits = this.#tasks.shownEdits(lane, session, answer, taskId);
            found.set(id, textOf(bytes, span, edits));
          }
        }
        read += bytes.length;
        cursor = nextCursor && stringAt(bytes, nextCursor);
        if (cursor === undefined || cursors.has(cursor)) break;
        cursors.add(cursor);
      }
    } catch {
      // A backend that ends or stays silent has no more tasks to show; the others' are shown all the same.
    }
    return [...found.values()];
  }
}

function canList({ port: { state } }: Lane): boolean {
  return state.kind === 'ready' && hasCapability(state.peer, ['tasks', 'list']);
}

/** The text of one task, with some of it replaced. */
function textOf(bytes: Buffer, { start, end }: Span, edits: readonly Edit[]): string {
  const moved = edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
  return Buffer.concat(splice(bytes.subarray(start, end), moved)).toString();
}
