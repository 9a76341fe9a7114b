import fc from 'fast-check';
import type { JsonObject } from '../../src/protocol/json.js';
import type { Member, Server, Work, World } from './router-world.js';

/** Makes something happen, and says in a sentence what it was; `undefined` when nothing could. */
type Act = (world: World) => string | undefined;

/** One thing that happens in a world, which keeps the story. */
class Step implements fc.AsyncCommand<object, World> {
  readonly #act: Act;

  constructor(act: Act) {
    this.#act = act;
  }

  check(): boolean {
    return true;
  }

  async run(_model: object, world: World): Promise<void> {
    const sentence = this.#act(world);
    if (sentence !== undefined) world.story.push(sentence);
    await world.check();
  }

  /** The same step is another sentence in another story. */
  toString(): string {
    return 'step';
  }
}

const pick = fc.nat(11);

function chosen<T>(from: readonly T[], index: number): T | undefined {
  return from[index % from.length];
}

/** A step of a member; `choice` is for whatever else is to be chosen. */
function memberStep(act: (world: World, member: Member, choice: number) => string | undefined) {
  return fc.tuple(pick, pick).map(
    ([who, choice]) =>
      new Step((world) => {
        const member = chosen(world.present, who);
        const told = member && act(world, member, choice);
        return told && `client ${member?.name} ${told}`;
      }),
  );
}

/** A step of a process that is ready. */
function serverStep(act: (world: World, server: Server, choice: number) => string | undefined) {
  return fc.tuple(pick, pick).map(
    ([who, choice]) =>
      new Step((world) => {
        const server = chosen(
          world.servers.filter(({ alive }) => alive),
          who,
        );
        const told = server && act(world, server, choice);
        return told && `${server?.backend.key} ${told}`;
      }),
  );
}

/** A step of a process with a request that it works on. */
function workStep(act: (world: World, server: Server, work: Work) => string) {
  return serverStep((world, server, choice) => {
    const work = chosen(
      server.work.filter(({ done }) => !done),
      choice,
    );
    return work && act(world, server, work);
  });
}

const requests: readonly (readonly [string, object])[] = [
  ['tools/call', { name: 'b1__echo' }],
  ['tools/call', { name: 'b2__echo', task: {} }],
  ['tools/call', { name: 'own__echo' }],
  ['tools/call', { name: 'b1__none' }],
  ['prompts/get', { name: 'b1__ask' }],
  ['resources/read', { uri: 'note://7' }],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'b2__ask' } }],
  ['tools/list', {}],
  ['tasks/list', {}],
  ['ping', {}],
];
const uris = ['note://1', 'note://2'];
const levels = ['debug', 'warning', 'error'];

const asks = memberStep((world, member, choice) => {
  const [method, params] = chosen(requests, choice) ?? ['ping', {}];
  world.ask(member, method, params);
  return `asks ${method} ${JSON.stringify(params)} as ${member.asked.at(-1)?.mark}`;
});

const asksAgain = memberStep((_world, member, choice) => {
  const asked = chosen(
    member.asked.filter(({ state }) => state === 'open'),
    choice,
  );
  if (asked === undefined) return undefined;
  member.complaints += 1;
  member.client.request(asked.id, 'tools/call', { name: 'b1__echo' });
  return `uses the id ${asked.id} again`;
});

const subscribes = memberStep((world, member, choice) => {
  const uri = chosen(uris, choice) ?? '';
  const wanted = choice % 3 > 0;
  if (wanted) member.subscribed.add(uri);
  world.ask(member, wanted ? 'resources/subscribe' : 'resources/unsubscribe', { uri });
  if (!wanted) member.subscribed.delete(uri);
  return `${wanted ? 'subscribes to' : 'unsubscribes from'} ${uri}`;
});

const setsLevel = memberStep((world, member, choice) => {
  const level = chosen(levels, choice) ?? 'error';
  member.level = level;
  world.ask(member, 'logging/setLevel', { level });
  return `sets the level ${level}`;
});

const cancels = memberStep((_world, member, choice) => {
  const asked = chosen(member.asked, choice);
  if (asked === undefined) return undefined;
  if (asked.state === 'open') asked.state = 'cancelled';
  const params = { requestId: asked.id };
  member.client.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
  return `cancels ${asked.mark}`;
});

const asksForTask = memberStep((world, member, choice) => {
  const made = chosen(
    world.members.flatMap(({ asked }) => asked),
    choice,
  );
  if (made === undefined) return undefined;
  world.ask(member, choice % 2 === 0 ? 'tasks/get' : 'tasks/cancel', { taskId: `task-${made.mark}` });
  return `asks for the task of ${made.mark}`;
});

const replies = memberStep((_world, member, choice) => {
  const [id, question] = chosen([...member.questions], choice) ?? [];
  if (id === undefined || question === undefined) return undefined;
  const outcomes: readonly JsonObject[] = [
    { result: { to: question.text } },
    { error: { code: 1, message: 'no' } },
    { result: {}, error: { code: 1, message: 'both' } },
    { method: 'notifications/progress' },
  ];
  const outcome = chosen(outcomes, choice) ?? {};
  if (outcome.method === undefined) {
    member.questions.delete(id);
    member.client.say({ jsonrpc: '2.0', id, ...outcome });
  } else {
    member.client.say({ jsonrpc: '2.0', ...outcome, params: { progressToken: id, progress: 1 } });
  }
  return `replies to ${question.text} with ${JSON.stringify(outcome)}`;
});

const answersStranger = memberStep((_world, member, choice) => {
  const id = 100 + choice;
  member.client.say({ jsonrpc: '2.0', id, result: { to: 'nobody' } });
  return `answers ${id}, which nobody asked`;
});

const answers = workStep(({ harness }, { backend }, work) => {
  work.done = true;
  const task = work.task ? { taskId: `task-${work.mark}`, status: 'working' } : undefined;
  harness.say(backend, { jsonrpc: '2.0', id: work.id, result: { mark: work.mark, task } });
  return `answers ${work.mark}`;
});

const answersTwice = workStep(({ harness }, { backend }, work) => {
  work.done = true;
  const answer = { jsonrpc: '2.0', id: work.id, result: { mark: work.mark } };
  harness.say(backend, answer);
  harness.say(backend, answer);
  return `answers ${work.mark} twice`;
});

const fails = workStep(({ harness }, { backend }, work) => {
  work.done = true;
  const { mark } = work;
  const data = { mark, elicitations: [{ elicitationId: `page-${mark}` }] };
  harness.say(backend, { jsonrpc: '2.0', id: work.id, error: { code: -32042, message: 'm', data } });
  return `answers ${mark} with an error that names a page`;
});

const answersInvalid = workStep(({ harness }, { backend }, work) => {
  work.done = true;
  harness.say(backend, { jsonrpc: '2.0', id: work.id });
  return `answers ${work.mark} with neither result nor error`;
});

const answersLate = serverStep(({ harness }, server, choice) => {
  const work = chosen(
    server.work.filter(({ done }) => done),
    choice,
  );
  if (work === undefined) return undefined;
  harness.say(server.backend, { jsonrpc: '2.0', id: work.id, result: { mark: work.mark } });
  return `answers ${work.mark}, which is over`;
});

const answersForAnother = serverStep(({ harness, servers }, { backend }, choice) => {
  const others = servers.filter((server) => server.backend !== backend);
  const work = chosen(
    others.flatMap((server) => server.work.filter(({ done }) => !done)),
    choice,
  );
  if (work === undefined) return undefined;
  harness.say(backend, { jsonrpc: '2.0', id: work.id, result: { mark: 'stolen' } });
  return `answers ${work.mark}, which another backend has`;
});

const progresses = serverStep(({ harness }, { backend, work }, choice) => {
  const { id, mark } = chosen(work, choice) ?? { id: 9_999, mark: 'nobody' };
  const params = { progressToken: id, progress: 1, message: mark };
  harness.say(backend, { jsonrpc: '2.0', method: 'notifications/progress', params });
  return `tells progress of ${mark}`;
});

const questions = serverStep((world, server, choice) => {
  const method = choice % 2 === 0 ? 'elicitation/create' : 'sampling/createMessage';
  world.question(server, method, { requestedSchema: {}, _meta: { progressToken: 't' } });
  return `asks ${method} as ${server.questions.at(-1)?.text}`;
});

const takesBack = serverStep(({ harness }, { backend, questions: all }, choice) => {
  const question = chosen(
    all.filter(({ open }) => open),
    choice,
  );
  if (question === undefined) return undefined;
  question.open = false;
  const params = { requestId: question.id };
  harness.say(backend, { jsonrpc: '2.0', method: 'notifications/cancelled', params });
  return `takes ${question.text} back`;
});

const notifies = serverStep((world, server, choice) => {
  // What a process says that serves one client alone can only be that client's.
  const owner = world.ownerOf(server);
  const made = chosen(
    (owner === undefined ? world.members : [owner]).flatMap(({ asked }) => asked),
    choice,
  );
  const notices: readonly (readonly [string, JsonObject])[] = [
    ['notifications/resources/updated', { uri: chosen(uris, choice) ?? '' }],
    ['notifications/tasks/status', { taskId: `task-${made?.mark}`, status: 'working' }],
    ['notifications/tasks/status', { taskId: `task-${made?.mark}`, status: 'completed' }],
    ['notifications/elicitation/complete', { elicitationId: `page-${made?.mark}` }],
    ['notifications/made/up', {}],
  ];
  const [method, params] = chosen(notices, choice) ?? ['', {}];
  world.harness.say(server.backend, { jsonrpc: '2.0', method, params });
  return `says ${method} ${JSON.stringify(params)}`;
});

const logs = serverStep((world, server, choice) => {
  const level = chosen(levels, choice) ?? 'error';
  world.logLine(server, level);
  return `logs at ${level}`;
});

const lists = serverStep(({ harness }, { backend }, choice) => {
  harness.list(backend, choice % 2 === 0 ? ['echo', 'more'] : ['echo']);
  return 'has another list';
});

const answersOwn = serverStep((_world, { backend }, choice) => {
  const index = choice % (backend.held?.length || 1);
  const [request] = backend.held?.splice(index, 1) ?? [];
  request?.answer(choice % 4 === 0 ? { error: { code: 1, message: 'no' } } : { result: {} });
  return request && `answers the gateway's own ${request.method}`;
});

const crashes = serverStep((world, server, choice) => {
  world.crash(server, choice % 2 === 0 ? 500 : 20_000);
  return 'crashes';
});

const starts = pick.map(
  (which) =>
    new Step((world) => {
      const server = chosen(
        world.servers.filter(({ alive }) => !alive),
        which,
      );
      if (server === undefined) return undefined;
      world.start(server);
      return `${server.backend.key} is ready`;
    }),
);

const flaps = pick.map(
  (which) =>
    new Step((world) => {
      const server = chosen(
        world.servers.filter(({ alive }) => !alive),
        which,
      );
      if (server === undefined) return undefined;
      world.start(server);
      world.crash(server, 500);
      return `${server.backend.key} is ready and crashes`;
    }),
);

const passes = fc.integer({ min: 1, max: 1_500 }).map(
  (ms) =>
    new Step((world) => {
      world.harness.clock.advance(ms);
      return `${ms} ms pass`;
    }),
);

const leaves = memberStep((world, member) => {
  world.leave(member);
  return 'leaves';
});

const joins = fc.constantFrom<JsonObject>({}, { elicitation: {} }, { elicitation: {}, sampling: {} }).map(
  (capabilities) =>
    new Step((world) => {
      if (world.present.length >= 4) return undefined;
      world.join(capabilities);
      return `client ${world.members.at(-1)?.name} comes with ${JSON.stringify(capabilities)}`;
    }),
);

/** Everything that can happen, the frequent more than once. */
export const steps: fc.Arbitrary<fc.AsyncCommand<object, World>>[] = [
  ...[joins, asks, asks, asks, asksAgain, subscribes, setsLevel, cancels, asksForTask],
  ...[replies, replies, answersStranger, leaves],
  ...[
    answers,
    answers,
    answersTwice,
    fails,
    answersInvalid,
    answersLate,
    answersForAnother,
    progresses,
    questions,
    questions,
  ],
  ...[
    takesBack,
    notifies,
    notifies,
    logs,
    lists,
    answersOwn,
    answersOwn,
    crashes,
    starts,
    starts,
    flaps,
    passes,
  ],
];
