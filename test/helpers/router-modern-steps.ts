import type { JsonObject } from '../../src/protocol/json.js';
import {
  type Asked,
  type Declared,
  isModern,
  type Member,
  type Server,
  type Ticket,
} from './router-parties.js';
import { chosen, memberStep, often, uris } from './router-step.js';
import type { World } from './router-world.js';

const requests: readonly (readonly [string, JsonObject])[] = [
  ['tools/call', { name: 'b1__echo' }],
  ['tools/call', { name: 'b2__echo', task: {} }],
  ['tools/call', { name: 'own__echo' }],
  ['prompts/get', { name: 'b1__ask' }],
  ['tools/call', { name: 'b2__echo', arguments: { a: 1 } }],
  ['resources/read', { uri: 'note://7' }],
  ['prompts/get', { name: 'own__ask' }],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'b2__ask' } }],
  ['tools/list', {}],
  ['server/discover', {}],
  ['logging/setLevel', { level: 'debug' }],
];

const declarations: readonly Declared[] = [
  { can: { elicitation: {}, sampling: {} }, level: undefined },
  { can: { elicitation: {} }, level: 'debug' },
  { can: {}, level: undefined },
  { can: { elicitation: {}, sampling: {} }, level: 'error' },
  { can: { sampling: {} }, level: 'error' },
  { can: { elicitation: {}, sampling: {} }, level: 'warning' },
];

const asks = memberStep((world, member, choice) => {
  const [method, params] = chosen(requests, choice) ?? ['server/discover', {}];
  const declared = declarations[(choice + member.asked.length) % declarations.length];
  const mark = world.ask(member, method, params, declared);
  return `asks ${method} ${JSON.stringify(params)}, declaring ${JSON.stringify(declared)}, as ${mark}`;
}, isModern);

const filters: readonly JsonObject[] = [
  { toolsListChanged: true, resourceSubscriptions: uris },
  { resourcesListChanged: true, resourceSubscriptions: [] },
  { resourceSubscriptions: [uris[0] ?? '', 'note://b1'] },
];
const listens = memberStep((world, member, choice) => {
  const notifications = chosen(filters, choice) ?? {};
  const mark = world.ask(member, 'subscriptions/listen', { notifications }, { can: {}, level: undefined });
  return `listens to ${JSON.stringify(notifications)} as ${mark}`;
}, isModern);

const endsStream = memberStep(
  (_world, member, choice) => {
    const streams = member.asked.filter(
      ({ method, state }) => method === 'subscriptions/listen' && state === 'open',
    );
    const stream = chosen(streams, choice);
    if (stream === undefined) return undefined;
    stream.state = 'cancelled';
    member.client.say({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: stream.id },
    });
    return `ends the stream ${stream.mark}`;
  },
  ({ streams }) => streams.size > 0,
);

const retries = memberStep(
  (world, member, choice) => {
    const ticket = chosen([...member.tickets].reverse(), choice >> 2);
    if (ticket === undefined) return undefined;
    const { asked, state, questions, parked } = ticket;
    // One in four leaves questions open, to be asked them again.
    const answered = choice % 4 === 3 ? [] : [...questions];
    const inputResponses = Object.fromEntries(answered.map(([key, text]) => [key, { to: text }]));
    if (!parked) world.told.expectCall(asked.mark);
    const due = mustGoOn(world, member, ticket) ? 'no-refusal' : undefined;
    const params = { ...asked.params, inputResponses, requestState: state };
    world.ask(member, asked.method, params, asked.declared, { mark: asked.mark, due });
    return `sends ${asked.mark} again with the state and ${answered.length} answers`;
  },
  ({ tickets }) => tickets.length > 0,
);

/** What is altered about a retry: its state, its request, or who sends it. */
const retriesAltered = memberStep((world, member, choice) => {
  const [how, from] = chosen(
    [
      ['another state', member],
      ['another request', member],
      ["another's state", chosen(world.members, choice)],
    ] as const,
    choice,
  ) ?? ['', member];
  const ticket = chosen([...(from?.tickets ?? [])].reverse(), choice >> 2);
  if (ticket === undefined || (how === "another's state" && from === member)) return undefined;
  const { asked, state, questions, parked } = ticket;
  const changes: JsonObject =
    how === 'another request'
      ? { arguments: { a: 2 } }
      : how === 'another state'
        ? altered(state, choice)
        : {};
  const inputResponses = Object.fromEntries([...questions.keys()].map((key) => [key, { to: 'forged' }]));
  const params = { ...asked.params, inputResponses, requestState: state, ...changes };
  // A resource may turn out to be another backend's, which takes any state.
  const due = parked && asked.method !== 'resources/read' ? 'refusal' : undefined;
  world.ask(member, asked.method, params, asked.declared, { due });
  return `sends ${asked.mark} again as ${member.asked.at(-1)?.mark} with ${how}`;
}, isModern);

function altered(state: string, choice: number): JsonObject {
  const at = (state.length * choice) / 12;
  const other = state[Math.floor(at)] === 'A' ? 'B' : 'A';
  return { requestState: state.slice(0, at) + other + state.slice(Math.floor(at) + 1) };
}

/** Whether the call of a ticket is certainly under way still, waiting for this very retry. */
function mustGoOn(world: World, member: Member, { asked, parked, state }: Ticket): boolean {
  if (!parked) return false;
  const ofCall = member.tickets.filter((each) => each.asked.mark === asked.mark);
  const isRetried = member.asked.some((each: Asked) => each.mark === asked.mark && each.state === 'open');
  const isAtWork = ({ alive, work }: Server) =>
    alive && work.some(({ mark, done }) => mark === asked.mark && !done);
  return ofCall.at(-1)?.state === state && !isRetried && world.servers.some(isAtWork);
}

/** What clients do whose messages stand for themselves. */
export const modernSteps = [
  ...often(9, asks),
  ...[listens, endsStream],
  ...often(6, retries),
  ...often(2, retriesAltered),
];
