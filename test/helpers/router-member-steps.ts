import fc from 'fast-check';
import type { JsonObject } from '../../src/protocol/json.js';
import { hasHandshake, type Manner } from './router-parties.js';
import { chosen, levels, memberStep, often, Step, uris } from './router-step.js';

const requests: readonly (readonly [string, JsonObject])[] = [
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
const asks = memberStep((world, member, choice) => {
  const [method, params] = chosen(requests, choice) ?? ['ping', {}];
  const mark = world.ask(member, method, params);
  return `asks ${method} ${JSON.stringify(params)} as ${mark}`;
}, hasHandshake);

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
  // Refused while draining, which leaves the old wish.
  if (world.harness.router.draining) return undefined;
  const uri = chosen(uris, choice) ?? '';
  const wanted = choice % 3 > 0;
  if (wanted) member.subscribed.add(uri);
  world.ask(member, wanted ? 'resources/subscribe' : 'resources/unsubscribe', { uri });
  if (!wanted) member.subscribed.delete(uri);
  return `${wanted ? 'subscribes to' : 'unsubscribes from'} ${uri}`;
}, hasHandshake);

const setsLevel = memberStep((world, member, choice) => {
  if (world.harness.router.draining) return undefined;
  const level = chosen(levels, choice) ?? 'error';
  member.level = level;
  world.ask(member, 'logging/setLevel', { level });
  return `sets the level ${level}`;
}, hasHandshake);

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
}, hasHandshake);

const replies = memberStep(
  (_world, member, choice) => {
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
  },
  ({ questions }) => questions.size > 0,
);

const answersStranger = memberStep((_world, member, choice) => {
  const id = 100 + choice;
  member.client.say({ jsonrpc: '2.0', id, result: { to: 'nobody' } });
  return `answers ${id}, which nobody asked`;
});

const leaves = memberStep((world, member) => {
  world.leave(member);
  return 'leaves';
});

const joins = fc
  .tuple(
    fc.constantFrom<Manner>('legacy', 'modern', 'both'),
    fc.constantFrom<JsonObject>({}, { elicitation: {} }, { elicitation: {}, sampling: {} }),
  )
  .map(
    ([manner, capabilities]) =>
      new Step((world) => {
        if (world.present.length < 4) world.join(manner, capabilities);
        return undefined;
      }),
  );

/** What clients do whatever their era, and those with a handshake. */
export const memberSteps = [
  ...[joins, ...often(7, asks), asksAgain, subscribes, setsLevel, cancels, asksForTask],
  ...[...often(5, replies), answersStranger, leaves],
];
