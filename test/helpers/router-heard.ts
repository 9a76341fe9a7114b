import { metaKeys } from '../../src/protocol/fields.js';
import type { JsonObject } from '../../src/protocol/json.js';
import type { Seen } from './router-harness.js';
import { type Asked, capabilityFor, hasHandshake, isOf, type Member, mayAsk } from './router-parties.js';
import { expectThat } from './router-told.js';
import type { World } from './router-world.js';

/** The code of errors for a `requestState` that is not taken. */
const notTaken = -32602;

/** Looks at one message that a member has heard. */
export function heard(world: World, member: Member, message: Seen): void {
  expectThat(!member.gone, 'speaks to one who has left', message);
  const { id, method, params } = message;
  if (method === undefined) answered(world, member, message);
  else if (id !== undefined) asked(world, member, message);
  else {
    const [holds, what] = expected(world, member, method, params ?? {});
    expectThat(holds, what, message);
  }
}

/** A question, by a request. */
function asked(world: World, member: Member, message: Seen): void {
  const id = Number(message.id);
  const question = world.questionOf(String(message.params?.message));
  expectThat(hasHandshake(member), 'asks by a request who never shook hands', message);
  // One whose process has ended since is withdrawn by now.
  expectThat(question?.may.has(member) !== false, 'asks a stranger', message);
  expectThat(!member.questions.has(id), 'asks twice under one id', message);
  if (question !== undefined) member.questions.set(id, question);
}

function answered(world: World, member: Member, message: Seen): void {
  const { id, result, error } = message;
  if ((id ?? undefined) === undefined) {
    member.complaints -= 1;
    expectThat(member.complaints >= 0, 'complains of nothing', message);
    return;
  }
  const request = member.asked.find((each) => each.id === id);
  expectThat(request?.state === 'open', 'answers what is not open', message);
  if (request === undefined) return;
  request.state = 'answered';
  expectThat(request.due !== 'refusal' || error !== undefined, 'takes a state that is not its own', message);
  const isRefused = error?.code === notTaken;
  expectThat(request.due !== 'no-refusal' || !isRefused, 'refuses a state that it gave', message);
  if (result?.resultType === 'input_required') {
    inputRequired(world, member, request, message);
    return;
  }
  const mark = result?.mark ?? error?.data?.mark;
  const isOwn = mark === undefined || mark === request.mark;
  expectThat(isOwn, `gives ${request.mark} the answer of another`, message);
  if (mark !== undefined) expectThat(world.delivered(request.mark), 'gives one answer twice', message);
  for (const task of (result?.tasks ?? []) as { taskId: string }[]) {
    expectThat(isOf(member, task.taskId), "shows another's task", message);
  }
}

/** Questions, in the answer to a request. */
function inputRequired(world: World, member: Member, request: Asked, message: Seen): void {
  const { inputRequests = {}, requestState = '' } = message.result ?? {};
  const state = String(requestState);
  const { declared } = request;
  expectThat(declared !== undefined, 'answers with questions who shook hands', message);
  expectThat(mayAsk(request), 'answers with questions what has no such answer', message);
  const parked = !state.startsWith('state of ');
  expectThat(parked || state.startsWith(`state of ${request.mark},`), "hands out another's state", message);
  const questions = new Map<string, string>();
  for (const [key, { method, params }] of Object.entries(inputRequests as Record<string, JsonObject>)) {
    const text = String((params as JsonObject).message);
    questions.set(key, text);
    expectThat(world.questionOf(text)?.may.has(member) !== false, 'asks a stranger', message);
    const can = declared?.can[capabilityFor(String(method))] !== undefined;
    expectThat(can || !parked, 'asks for what was not declared', message);
  }
  if (parked) request.state = 'parked';
  member.tickets.push({ asked: request, state, questions, parked });
}

/** Whether a member may hear a notice, and what is wrong if not. */
function expected(world: World, member: Member, method: string, params: JsonObject): [boolean, string] {
  const { [metaKeys.subscriptionId]: stream } = (params._meta ?? {}) as JsonObject;
  if (stream !== undefined)
    return [onStream(member, Number(stream), method, params), 'tells a stream too much'];
  switch (method) {
    case 'notifications/progress': {
      const { message: mark, progressToken } = params;
      const own = member.asked.filter((each) => each.mark === mark);
      return [own.some(({ id }) => id === progressToken), "tells another's progress"];
    }
    case 'notifications/cancelled':
      return [member.questions.delete(Number(params.requestId)), 'withdraws what nobody asked'];
    case 'notifications/resources/updated':
      return [member.subscribed.has(String(params.uri)), 'updates one who never asked'];
    case 'notifications/message':
      return [world.mayRead(member, Number(params.data)), 'shows a log line to a stranger'];
    case 'notifications/tasks/status':
      return [isOf(member, String(params.taskId)), "tells of another's task"];
    case 'notifications/elicitation/complete':
      return [isOf(member, String(params.elicitationId)), "tells of another's page"];
    default:
      return [
        method.endsWith('/list_changed') && hasHandshake(member) && member.news,
        'says what nobody expects',
      ];
  }
}

/** A stream is acknowledged first, and hears only of what it asked for. */
function onStream(member: Member, id: number, method: string, params: JsonObject): boolean {
  const stream = member.asked.find((each) => each.id === id && each.method === 'subscriptions/listen');
  if (stream?.state !== 'open') return false;
  if (method === 'notifications/subscriptions/acknowledged') {
    const isFirst = !member.streams.has(id);
    member.streams.add(id);
    return isFirst;
  }
  const filter = stream.params.notifications as JsonObject;
  const [, what, how] = method.split('/');
  const isWanted =
    how === 'updated'
      ? (filter.resourceSubscriptions as string[]).includes(String(params.uri))
      : filter[`${what}ListChanged`] === true && member.news;
  return isWanted && member.streams.has(id);
}
