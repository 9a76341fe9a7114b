import { metaKeys } from '../../src/protocol/fields.js';
import type { JsonObject } from '../../src/protocol/json.js';
import type { Seen } from './router-harness.js';
import type { Server } from './router-parties.js';

/** What processes may be told, and have been. */
export class Told {
  /** How often a call may be sent, by its mark. */
  readonly #due = new Map<string, number>();
  readonly #sent = new Map<string, number>();
  /** The questions of results that ask for input, by the state in them and by key. */
  readonly #rounds = new Map<string, ReadonlyMap<string, string>>();

  /** A call may be sent, or sent once more. */
  expectCall(mark: string): void {
    this.#due.set(mark, (this.#due.get(mark) ?? 0) + 1);
  }

  /** A call with this state comes with answers to these questions. */
  expectAnswers(state: string, questions: ReadonlyMap<string, string>): void {
    this.#rounds.set(state, questions);
  }

  /** How often backends have been sent the request. */
  timesSent(mark: string): number {
    return this.#sent.get(mark) ?? 0;
  }

  take(server: Server, line: Seen): void {
    const { id, method, params } = line;
    const meta = (params?._meta ?? {}) as JsonObject;
    const isStamped = method === undefined || meta[metaKeys.revision] !== undefined;
    expectThat(server.era === 'legacy' || isStamped, 'tells a modern backend no revision', line);
    if (method === 'notifications/cancelled') cancelled(server, line);
    else if (method !== undefined && id !== undefined) this.#request(server, line, String(meta.mark));
    else if (id !== undefined) answered(server, line);
  }

  #request(server: Server, line: Seen, mark: string): void {
    const { id, method = '', params } = line;
    expectThat(!server.backend.lost.includes(JSON.stringify(line)), 'sends a request to no process', line);
    expectThat(!server.work.some((work) => work.id === id), 'uses an id twice', line);
    const due = (this.#due.get(mark) ?? 0) - 1;
    expectThat(method !== 'tools/call' || due >= 0, 'repeats a call', line);
    this.#due.set(mark, due);
    this.#sent.set(mark, this.timesSent(mark) + 1);
    server.asking.delete(mark);
    if (params?.requestState !== undefined) this.#broughtBack(params, line);
    const task = params?.task !== undefined;
    if (server.alive) server.work.push({ id: Number(id), mark, method, task, done: false });
  }

  #broughtBack({ requestState, inputResponses }: JsonObject, line: Seen): void {
    const questions = this.#rounds.get(String(requestState));
    for (const [key, { to }] of Object.entries((inputResponses ?? {}) as Record<string, JsonObject>)) {
      const isForged = to === 'forged';
      expectThat(isForged || to === questions?.get(key), 'brings back another answer', line);
    }
  }
}

function cancelled(server: Server, line: Seen): void {
  const work = server.work.find((each) => each.id === line.params?.requestId);
  expectThat(work?.done === false || !server.alive, 'cancels what is not under way', line);
  if (work !== undefined) work.done = true;
}

function answered(server: Server, line: Seen): void {
  const question = server.questions.find((each) => each.id === line.id);
  expectThat(question?.open === true, 'answers a question that is not open', line);
  if (line.result !== undefined)
    expectThat(line.result.to === question?.text, 'answers another question', line);
  if (question !== undefined) question.open = false;
}

export function expectThat(holds: boolean, what: string, message: Seen): void {
  if (!holds) throw new Error(`the router ${what}: ${JSON.stringify(message)}`);
}
