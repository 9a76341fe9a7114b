import type { Era } from '../../src/eras/backend-side.js';
import { metaKeys } from '../../src/protocol/fields.js';
import type { JsonObject } from '../../src/protocol/json.js';
import { modernRevision } from '../../src/protocol/revisions.js';
import { createHarness, ScriptedBackend } from './router-harness.js';
import { heard } from './router-heard.js';
import {
  type Asked,
  capabilityFor,
  type Declared,
  firstAsked,
  hasHandshake,
  type Manner,
  type Member,
  mayAsk,
  type Server,
  serverOf,
  underWay,
  type Work,
} from './router-parties.js';
import { Told } from './router-told.js';

const logLevels = ['debug', 'info', 'notice', 'warning', 'error'];
const limits = { requestTimeoutMs: 1_000, maxRequestTimeMs: 3_000, maxInFlight: 3, maxQueued: 4 };

const offer = {
  tools: ['echo'],
  prompts: ['ask'],
  resources: ['note://1'],
  resourceTemplates: ['note://{name}'],
  capabilities: {
    tools: {},
    prompts: {},
    resources: { subscribe: true },
    logging: {},
    completions: {},
    tasks: { list: {}, cancel: {} },
  },
};

/** The eras of the backends that everybody shares, and of the one that serves each client alone. */
export interface Eras {
  readonly b1: Era;
  readonly b2: Era;
  readonly own: Era;
}

/** A router with scripted neighbours, and everything that its neighbours may expect of it. */
export class World {
  readonly harness: ReturnType<typeof createHarness>;
  readonly members: Member[] = [];
  /** What has happened, in sentences. */
  readonly story: string[] = [];
  readonly told = new Told();
  readonly #eras: Eras;
  readonly #shared: readonly Server[];
  readonly #own: Server[] = [];
  /** Who may hear a log line. */
  readonly #lines = new Map<number, ReadonlySet<Member>>();
  readonly #delivered = new Map<string, number>();
  /** Calls of a process that has just ended. */
  #ended: readonly Asked[] = [];
  #marks = 0;
  #questions = 0;
  #rounds = 0;

  constructor(eras: Eras) {
    this.#eras = eras;
    const b1 = new ScriptedBackend('b1', limits);
    const b2 = new ScriptedBackend('b2', limits);
    const own = new ScriptedBackend('own', { ...limits, sharing: 'per-client', maxProcesses: 2 });
    this.harness = createHarness([b1, b2, own]);
    this.#shared = [serverOf(b1, eras.b1), serverOf(b2, eras.b2)];
    this.story.push(`b1 is ${eras.b1}, b2 is ${eras.b2}, own is ${eras.own}`);
    for (const server of this.#shared) this.start(server);
  }

  get servers(): readonly Server[] {
    const known = new Set(this.#own.map(({ backend }) => backend));
    for (const backend of this.harness.created) {
      if (!known.has(backend)) this.#own.push(serverOf(backend, this.#eras.own));
    }
    return [...this.#shared, ...this.#own.filter(({ backend }) => !backend.stopped)];
  }

  get present(): Member[] {
    return this.members.filter(({ gone }) => !gone);
  }

  join(manner: Manner, capabilities: JsonObject): void {
    const client = this.harness.client();
    const member: Member = {
      name: String(client.key),
      manner,
      client,
      asked: [],
      questions: new Map(),
      tickets: [],
      subscribed: new Set(),
      streams: new Set(),
      level: undefined,
      news: false,
      gone: false,
      read: 0,
      complaints: 0,
    };
    this.members.push(member);
    const isShaking = hasHandshake(member);
    if (isShaking) client.initialize('2025-11-25', capabilities);
    const able = isShaking ? ` with ${JSON.stringify(capabilities)}` : '';
    this.story.push(`client ${member.name} (${manner}) comes${able}`);
  }

  /** Lets a member ask; ids and progress tokens are the same small numbers for everybody. */
  ask(
    member: Member,
    method: string,
    params: JsonObject,
    declared?: Declared,
    again: { readonly mark?: string; readonly due?: Asked['due'] } = {},
  ): string {
    const id = member.asked.length + 1;
    this.#marks += 1;
    const { mark = `${member.name}:${this.#marks}`, due } = again;
    member.asked.push({ mark, id, method, params, declared, due, state: 'open' });
    const stamp = declared === undefined ? {} : stampOf(member, declared);
    if (again.mark === undefined) this.told.expectCall(mark);
    member.client.request(id, method, { ...params, _meta: { mark, progressToken: id, ...stamp } });
    return mark;
  }

  /** Those who have calls at a server's process. */
  callers(server: Server): Set<Member> {
    return new Set(this.present.filter((member) => underWay(member, server).length > 0));
  }

  /** What a process can ask somebody who has calls there. */
  canAsk(server: Server): readonly string[] {
    const callers = [...this.callers(server)];
    return ['elicitation/create', 'sampling/createMessage'].filter((method) =>
      callers.some((member) => canBeAsked(member, server, method)),
    );
  }

  /** A process asks by a request. */
  question(server: Server, method: string, params: JsonObject): void {
    // From 0, so that the ids at clients, which begin with 1, are others.
    const id = server.questions.length;
    const able = [...this.callers(server)].filter((member) => canBeAsked(member, server, method));
    const owner = this.ownerOf(server);
    const text = this.#nextText(server);
    const may = new Set(owner === undefined ? (able.length === 1 ? able : []) : [owner]);
    server.questions.push({ text, id, backend: server.backend, may, open: true });
    this.harness.say(server.backend, { jsonrpc: '2.0', id, method, params: { ...params, message: text } });
  }

  /** A process answers a request with questions, as many as there are methods. */
  askInResult(server: Server, { id, mark }: Work, methods: readonly string[]): void {
    const { backend } = server;
    const member = this.members.find((each) => firstAsked([each], mark) !== undefined);
    const declared = firstAsked(this.members, mark)?.declared;
    const questions = new Map<string, string>();
    const inputRequests: Record<string, JsonObject> = {};
    for (const [index, method] of methods.entries()) {
      const text = this.#nextText(server);
      const able = declared?.can ?? member?.client.capabilities ?? {};
      const isAble = able[capabilityFor(method)] !== undefined || declared !== undefined;
      const may = new Set(member !== undefined && isAble ? [member] : []);
      server.questions.push({ text, id: undefined, backend, may, open: false });
      questions.set(`k${index}`, text);
      inputRequests[`k${index}`] = { method, params: { requestedSchema: {}, message: text } };
    }
    this.#rounds += 1;
    const state = `state of ${mark}, ${this.#rounds}`;
    this.told.expectAnswers(state, questions);
    if (declared === undefined) {
      this.told.expectCall(mark);
      server.asking.add(mark);
    }
    const asked = methods.length > 0 ? { inputRequests } : {};
    const result = { resultType: 'input_required', requestState: state, ...asked };
    this.harness.say(backend, { jsonrpc: '2.0', id, result });
  }

  questionOf(text: string): Server['questions'][number] | undefined {
    return this.servers.flatMap(({ questions }) => questions).find((each) => each.text === text);
  }

  logLine(server: Server, level: string): void {
    const owner = this.ownerOf(server);
    const callers = this.callers(server);
    const readers = callers.size > 0 ? callers : new Set(this.present.filter(hasHandshake));
    const alone = readers.size === 1 ? [...readers] : [];
    // Whose subscription is under way, and at which backend, a model need not know.
    const guests = this.present.filter(({ asked }) => asked.some(isSubscriptionUnderWay));
    const number = this.#lines.size;
    const shared = guests.length > 0 ? [...callers, ...alone, ...guests] : alone;
    const may = owner === undefined ? shared : [owner];
    this.#lines.set(number, new Set(may.filter((member) => wantsLine(member, server, level))));
    const params = { level, logger: 'l', data: number };
    this.harness.say(server.backend, { jsonrpc: '2.0', method: 'notifications/message', params });
  }

  mayRead(member: Member, line: number): boolean {
    return this.#lines.get(line)?.has(member) === true;
  }

  /** A backend's answer has been handed on. @returns whether there can have been as many */
  delivered(mark: string): boolean {
    const times = (this.#delivered.get(mark) ?? 0) + 1;
    this.#delivered.set(mark, times);
    return times <= this.told.timesSent(mark);
  }

  crash(server: Server, waitMs: number): void {
    server.alive = false;
    const calls = server.work.filter(({ done, method }) => !done && method === 'tools/call');
    this.#ended = [...calls.map(({ mark }) => mark), ...server.asking].flatMap((mark) => {
      const open = this.present.flatMap(({ asked }) =>
        asked.filter((each) => each.mark === mark && isOpen(each)),
      );
      // Of several retries under way, some may be waiting for their turn.
      return open.length === 1 ? open : [];
    });
    server.work.length = 0;
    server.asking.clear();
    for (const question of server.questions) question.open = false;
    server.questions.length = 0;
    this.harness.crash(server.backend, waitMs);
  }

  start(server: Server): void {
    server.alive = true;
    this.listsChange(server);
    this.harness.ready(server.backend, offer, server.era);
  }

  leave(member: Member): void {
    member.gone = true;
    member.client.leave();
  }

  /** Looks at all that was said since the last time, on both sides. */
  async check(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    for (const server of this.servers) {
      for (const line of server.backend.seen.slice(server.read)) this.told.take(server, line);
      server.read = server.backend.lines.length;
    }
    for (const member of this.members) {
      for (const message of member.client.heard.slice(member.read)) heard(this, member, message);
      member.read = member.client.texts.length;
    }
    for (const server of this.servers) this.#questionsHaveCalls(server);
    this.#endedAreAnswered();
  }

  /** What ended with its process is answered at once. */
  #endedAreAnswered(): void {
    const open = this.#ended.find(isOpen);
    if (open !== undefined) throw new Error(`the router keeps ${open.mark} open, whose process has ended`);
    this.#ended = [];
  }

  /** A question of a process that serves many ends with the calls that can have caused it. */
  #questionsHaveCalls(server: Server): void {
    if (this.ownerOf(server) !== undefined) return;
    const callers = this.callers(server);
    for (const { open, may, text } of server.questions) {
      const isAlone = open && [...may].every((member) => !callers.has(member));
      if (isAlone) throw new Error(`the router keeps ${text} open, whose calls have ended`);
    }
  }

  /** What a process offers may be other than before, for those who can reach it. */
  listsChange(server: Server): void {
    const owner = this.ownerOf(server);
    for (const member of owner === undefined ? this.present : [owner]) member.news = true;
  }

  /** The member that a process serves alone. */
  ownerOf({ backend }: Server): Member | undefined {
    const index = this.harness.created.indexOf(backend);
    const name = this.harness.created[index]?.introduction?.clientInfo.name;
    return this.members.find((member) => name === `client ${member.name}`);
  }

  #nextText({ backend }: Server): string {
    this.#questions += 1;
    return `${backend.key}/${this.#questions}`;
  }
}

function stampOf({ name }: Member, { can, level }: Declared): JsonObject {
  return {
    [metaKeys.revision]: modernRevision,
    [metaKeys.clientInfo]: { name: `client ${name}`, version: '0' },
    [metaKeys.clientCapabilities]: can,
    ...(level === undefined ? {} : { [metaKeys.logLevel]: level }),
  };
}

/** Whether a member can answer a question of a process, by its handshake or by a call there. */
function canBeAsked(member: Member, server: Server, method: string): boolean {
  const able = capabilityFor(method);
  if (member.client.capabilities[able] !== undefined) return true;
  const calls = underWay(member, server).filter(mayAsk);
  return server.era === 'legacy' && calls.some(({ declared }) => declared?.can[able] !== undefined);
}

/** A handshaken client says once what it wants to hear, others say it with each call. */
function wantsLine(member: Member, server: Server, level: string): boolean {
  const isHeard = (wanted: string) => logLevels.indexOf(level) >= logLevels.indexOf(wanted);
  if (hasHandshake(member)) return member.level === undefined || isHeard(member.level);
  const levels = underWay(member, server).map(({ declared }) => declared?.level);
  return levels.some((wanted) => wanted !== undefined && isHeard(wanted));
}

function isOpen({ state }: Asked): boolean {
  return state === 'open';
}

function isSubscriptionUnderWay({ method, state }: Asked): boolean {
  return method.startsWith('resources/') && state === 'open';
}
