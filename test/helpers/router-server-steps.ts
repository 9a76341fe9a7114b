import fc from 'fast-check';
import { metaKeys } from '../../src/protocol/fields.js';
import type { JsonObject } from '../../src/protocol/json.js';
import { mayAsk, type Server, type Work } from './router-parties.js';
import { chosen, levels, often, pick, Step, serverStep, uris, workStep } from './router-step.js';
import type { World } from './router-world.js';

/** Long enough for what is gathered for a moment. */
const gatherMs = 20;

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

const isLegacy = ({ era }: Server) => era === 'legacy';
const questions = serverStep((world, server, choice) => {
  const method = choice % 2 === 0 ? 'elicitation/create' : 'sampling/createMessage';
  return asksByRequest(world, server, method);
}, isLegacy);

/** A question that somebody can be asked, and the moment for which a modern client's questions are gathered. */
const questionsInCall = serverStep(
  (world, server, choice) => {
    const told = asksByRequest(world, server, chosen(world.canAsk(server), choice) ?? '');
    if (choice % 3 === 0) return told;
    world.harness.clock.advance(gatherMs);
    return `${told}; ${gatherMs} ms pass`;
  },
  (server, world) => isLegacy(server) && world.canAsk(server).length > 0,
);

function asksByRequest(world: World, server: Server, method: string): string {
  world.question(server, method, { requestedSchema: {}, _meta: { progressToken: 't' } });
  return `asks ${method} as ${server.questions.at(-1)?.text}`;
}

const isAbleToAsk = ({ era }: Server, work: Work) => era === 'modern' && mayAsk(work);
const asksInResult = (methods: readonly string[]) =>
  workStep((world, server, work) => {
    work.done = true;
    world.askInResult(server, work, methods);
    return `answers ${work.mark} with ${methods.join(' and ') || 'no'} questions`;
  }, isAbleToAsk);
const asksInResults = [
  asksInResult(['elicitation/create']),
  asksInResult(['elicitation/create', 'sampling/createMessage']),
  asksInResult([]),
];

const takesBack = serverStep(({ harness }, { backend, questions: all }, choice) => {
  const question = chosen(
    all.filter(({ id, open }) => open && id !== undefined),
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
  // What comes on the gateway's own stream is marked as the stream's.
  const isOnStream = server.era === 'modern' && method === 'notifications/resources/updated';
  const _meta = isOnStream ? { [metaKeys.subscriptionId]: 7 } : {};
  world.harness.say(server.backend, { jsonrpc: '2.0', method, params: { ...params, _meta } });
  return `says ${method} ${JSON.stringify(params)}`;
});

const logs = serverStep((world, server, choice) => {
  const level = chosen(levels, choice) ?? 'error';
  world.logLine(server, level);
  return `logs at ${level}`;
});

const lists = serverStep((world, server, choice) => {
  world.listsChange(server);
  world.harness.list(server.backend, choice % 2 === 0 ? ['echo', 'more'] : ['echo']);
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

/** A step of a server that is down. */
const downStep = (act: (world: World, server: Server) => string) =>
  pick.map(
    (which) =>
      new Step((world) => {
        const server = chosen(
          world.servers.filter(({ alive }) => !alive),
          which,
        );
        return server && act(world, server);
      }),
  );

const starts = downStep((world, server) => {
  world.start(server);
  return `${server.backend.key} is ready`;
});

const flaps = downStep((world, server) => {
  world.start(server);
  world.crash(server, 500);
  return `${server.backend.key} is ready and crashes`;
});

const pass = (range: { min: number; max: number }) =>
  fc.integer(range).map(
    (ms) =>
      new Step((world) => {
        world.harness.clock.advance(ms);
        return `${ms} ms pass`;
      }),
  );
const passes = pass({ min: 1, max: 1_500 });
const passesShortly = pass({ min: gatherMs, max: 150 });

/** What backends and the clock do. */
export const serverSteps = [
  ...[...often(4, answers), answersTwice, fails, answersInvalid, answersLate, answersForAnother, progresses],
  ...[questions, ...often(7, questionsInCall), ...asksInResults, ...asksInResults, takesBack],
  ...[notifies, notifies, logs, lists, ...often(3, answersOwn)],
  ...[crashes, ...often(3, starts), flaps, passes, ...often(5, passesShortly)],
];
