import type { JsonObject } from '../../src/protocol/json.js';
import { createHarness, ScriptedBackend, type Seen } from './router-harness.js';
import type { Member, Server } from './router-parties.js';

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

/** A router with scripted neighbours, and everything that its neighbours may expect of it. */
export class World {
  readonly harness: ReturnType<typeof createHarness>;
  readonly members: Member[] = [];
  /** What has happened, in sentences. */
  readonly story: string[] = [];
  readonly #shared: readonly Server[];
  readonly #own: Server[] = [];
  readonly #started = new Set<string>();
  /** Who may hear a log line. */
  readonly #lines = new Map<number, ReadonlySet<Member>>();
  #marks = 0;
  #asked = 0;

  constructor() {
    const backends = ['b1', 'b2'].map((key) => new ScriptedBackend(key, limits));
    const own = new ScriptedBackend('own', { ...limits, sharing: 'per-client', maxProcesses: 2 });
    this.harness = createHarness([...backends, own]);
    this.#shared = backends.map(serverOf);
    for (const server of this.#shared) this.start(server);
  }

  get servers(): readonly Server[] {
    const known = new Set(this.#own.map(({ backend }) => backend));
    for (const backend of this.harness.created) if (!known.has(backend)) this.#own.push(serverOf(backend));
    return [...this.#shared, ...this.#own.filter(({ backend }) => !backend.stopped)];
  }

  get present(): Member[] {
    return this.members.filter(({ gone }) => !gone);
  }

  join(capabilities: JsonObject): void {
    const client = this.harness.client();
    this.members.push({
      name: String(client.key),
      client,
      asked: [],
      questions: new Map(),
      subscribed: new Set(),
      level: undefined,
      gone: false,
      read: 0,
      complaints: 0,
    });
    client.initialize('2025-11-25', capabilities);
  }

  /** Lets a member ask; ids and progress tokens are the same small numbers for everybody. */
  ask(member: Member, method: string, params: object): void {
    const id = member.asked.length + 1;
    this.#marks += 1;
    const mark = `${member.name}:${this.#marks}`;
    member.asked.push({ mark, id, method, state: 'open' });
    member.client.request(id, method, { ...params, _meta: { mark, progressToken: id } });
  }

  /** Those who have calls at a server's process. */
  callers(server: Server): Set<Member> {
    const open = server.work.filter((work) => !work.done);
    return new Set(this.present.filter((member) => open.some(({ mark }) => isOpen(member, mark))));
  }

  question(server: Server, method: string, params: JsonObject): void {
    const able = method === 'sampling/createMessage' ? 'sampling' : 'elicitation';
    // From 0, so that the ids at clients, which begin with 1, are others.
    const id = server.questions.length;
    const callers = [...this.callers(server)].filter(({ client }) => client.capabilities[able] !== undefined);
    const owner = this.ownerOf(server);
    this.#asked += 1;
    const text = `${server.backend.key}/${this.#asked}`;
    const may = new Set(owner === undefined ? (callers.length === 1 ? callers : []) : [owner]);
    server.questions.push({ text, id, backend: server.backend, may, open: true });
    this.harness.say(server.backend, { jsonrpc: '2.0', id, method, params: { ...params, message: text } });
  }

  logLine(server: Server, level: string): void {
    const owner = this.ownerOf(server);
    const callers = this.callers(server);
    const readers = callers.size > 0 ? callers : new Set(this.present);
    const alone = readers.size === 1 ? [...readers] : [];
    // Whose subscription is under way, and at which backend, a model need not know.
    const guests = this.present.filter(({ asked }) => asked.some(isSubscriptionUnderWay));
    const number = this.#lines.size;
    const may = guests.length > 0 ? [...callers, ...alone, ...guests] : alone;
    this.#lines.set(number, new Set(owner === undefined ? may : [owner]));
    const params = { level, logger: 'l', data: number };
    this.harness.say(server.backend, { jsonrpc: '2.0', method: 'notifications/message', params });
  }

  crash(server: Server, waitMs: number): void {
    server.alive = false;
    server.work.length = 0;
    for (const question of server.questions) question.open = false;
    server.questions.length = 0;
    this.harness.crash(server.backend, waitMs);
  }

  start(server: Server): void {
    server.alive = true;
    this.harness.ready(server.backend, offer);
  }

  leave(member: Member): void {
    member.gone = true;
    member.client.leave();
  }

  /** Looks at all that was said since the last time, on both sides. */
  async check(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    for (const server of this.servers) {
      for (const line of server.backend.seen.slice(server.read)) this.#told(server, line);
      server.read = server.backend.lines.length;
    }
    for (const member of this.members) {
      for (const message of member.client.heard.slice(member.read)) this.#heard(member, message);
      member.read = member.client.texts.length;
    }
    for (const server of this.servers) this.#questionsHaveCalls(server);
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

  /** The member that a process serves alone. */
  ownerOf({ backend }: Server): Member | undefined {
    const index = this.harness.created.indexOf(backend);
    const name = this.harness.created[index]?.introduction?.clientInfo.name;
    return this.members.find((member) => name === `client ${member.name}`);
  }

  #told(server: Server, line: Seen): void {
    const { id, method, params, result } = line;
    if (method === 'notifications/cancelled') {
      const work = server.work.find((each) => each.id === params?.requestId);
      expectThat(work?.done === false || !server.alive, 'cancels what is not under way', line);
      if (work !== undefined) work.done = true;
    } else if (method !== undefined && id !== undefined) {
      const text = JSON.stringify(line);
      expectThat(!server.backend.lost.includes(text), 'sends a request to no process', line);
      const meta = params?._meta as { mark: string };
      expectThat(!server.work.some((work) => work.id === id), 'uses an id twice', line);
      expectThat(method !== 'tools/call' || !this.#started.has(meta.mark), 'repeats a call', line);
      this.#started.add(meta.mark);
      const task = params?.task !== undefined;
      if (server.alive) server.work.push({ id: Number(id), mark: meta.mark, method, task, done: false });
    } else if (id !== undefined) {
      const question = server.questions.find((each) => each.id === id);
      expectThat(question?.open === true, 'answers a question that is not open', line);
      if (result !== undefined) expectThat(result.to === question?.text, 'answers another question', line);
      if (question !== undefined) question.open = false;
    }
  }

  #heard(member: Member, message: Seen): void {
    expectThat(!member.gone, 'speaks to one who has left', message);
    const { id, method, params } = message;
    if (method === undefined) this.#answered(member, message);
    else if (id !== undefined) {
      const text = String(params?.message);
      const question = this.servers.flatMap(({ questions }) => questions).find((each) => each.text === text);
      // One whose process has ended since is withdrawn by now.
      expectThat(question?.may.has(member) !== false, 'asks a stranger', message);
      expectThat(!member.questions.has(Number(id)), 'asks twice under one id', message);
      if (question !== undefined) member.questions.set(Number(id), question);
    } else this.#noticed(member, method, params ?? {}, message);
  }

  #answered(member: Member, message: Seen): void {
    const { id, result, error } = message;
    if (id === undefined) {
      member.complaints -= 1;
      expectThat(member.complaints >= 0, 'complains of nothing', message);
      return;
    }
    const asked = member.asked.find((each) => each.id === id);
    expectThat(asked?.state === 'open', 'answers what is not open', message);
    if (asked === undefined) return;
    asked.state = 'answered';
    const mark = result?.mark ?? error?.data?.mark;
    expectThat(
      mark === undefined || mark === asked.mark,
      `gives ${asked.mark} the answer of another`,
      message,
    );
    for (const task of (result?.tasks ?? []) as { taskId: string }[]) {
      expectThat(isOf(member, task.taskId), "shows another's task", message);
    }
  }

  #noticed(member: Member, method: string, params: JsonObject, message: Seen): void {
    const [holds, what] = this.#expected(member, method, params);
    expectThat(holds, what, message);
  }

  #expected(member: Member, method: string, params: JsonObject): [boolean, string] {
    switch (method) {
      case 'notifications/progress': {
        const asked = member.asked.find(({ mark }) => mark === params.message);
        return [asked?.id === params.progressToken, "tells another's progress"];
      }
      case 'notifications/cancelled':
        return [member.questions.delete(Number(params.requestId)), 'withdraws what nobody asked'];
      case 'notifications/resources/updated':
        return [member.subscribed.has(String(params.uri)), 'updates one who never asked'];
      case 'notifications/message': {
        const may = this.#lines.get(Number(params.data))?.has(member) === true;
        const wanted = member.level === undefined ? 0 : logLevels.indexOf(member.level);
        const isWanted = logLevels.indexOf(String(params.level)) >= wanted;
        return [may && isWanted, 'shows a log line to a stranger'];
      }
      case 'notifications/tasks/status':
        return [isOf(member, String(params.taskId)), "tells of another's task"];
      case 'notifications/elicitation/complete':
        return [isOf(member, String(params.elicitationId)), "tells of another's page"];
      default:
        return [method.endsWith('/list_changed'), 'says what nobody expects'];
    }
  }
}

/** Task and page ids carry the mark of the request that they came from. */
function isOf({ name }: Member, id: string): boolean {
  return id.slice(id.indexOf('-') + 1).startsWith(`${name}:`);
}

function isOpen(member: Member, mark: string): boolean {
  return member.asked.some((asked) => asked.mark === mark && asked.state === 'open');
}

function isSubscriptionUnderWay({ method, state }: Member['asked'][number]): boolean {
  return method.startsWith('resources/') && state === 'open';
}

function serverOf(backend: ScriptedBackend): Server {
  backend.held = [];
  return { backend, work: [], questions: [], read: 0, alive: false };
}

function expectThat(holds: boolean, what: string, message: Seen): void {
  if (!holds) throw new Error(`the router ${what}: ${JSON.stringify(message)}`);
}
