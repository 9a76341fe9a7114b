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
    const due = dueTo(world, member, ticket);
    const params = { ...asked.params, inputResponses, requestState: state };
    world.ask(member, asked.method, params, asked.declared, { mark: asked.mark, due });
    return `sends ${asked.mark} again with the state and ${answered.length} answers`;
  },
  ({ tickets }) => tickets.length > 0,
);

const retriesAltered = memberStep(
  (world, member, choice) => {
    const ticket = chosen([...member.tickets].reverse(), choice >> 2);
    if (ticket === undefined) return undefined;
    if (choice % 2 === 0) return forges(world, member, ticket, { arguments: { a: 2 } }, 'in another request');
    return forges(world, member, ticket, altered(ticket.state, choice), 'altered');
  },
  ({ tickets }) => tickets.length > 0,
);

const retriesOfAnother = memberStep((world, member, choice) => {
  const others = world.members.filter((other) => other !== member);
  const ticket = chosen(others.flatMap(({ tickets }) => tickets).reverse(), choice);
  return ticket && forges(world, member, ticket, {}, 'as its own');
}, isModern);

/** Brings a state back to which it has no right. */
function forges(world: World, member: Member, ticket: Ticket, changes: JsonObject, how: string): string {
  const { asked, state, questions, parked } = ticket;
  const inputResponses = Object.fromEntries([...questions.keys()].map((key) => [key, { to: 'forged' }]));
  const params = { ...asked.params, inputResponses, requestState: state, ...changes };
  // A resource may turn out to be another backend's, which takes any state that the gateway does not know.
  const isTold = asked.method !== 'resources/read' || changes.requestState === undefined;
  const due = parked && isTold ? 'refusal' : undefined;
  const mark = world.ask(member, asked.method, params, asked.declared, { due });
  return `brings the state of ${asked.mark} ${how}, as ${mark}`;
}

function altered(state: string, choice: number): JsonObject {
  const at = (state.length * choice) / 12;
  const other = state[Math.floor(at)] === 'A' ? 'B' : 'A';
  return { requestState: state.slice(0, at) + other + state.slice(Math.floor(at) + 1) };
}

/** What is to become of a retry with the right state, as far as that is certain. */
function dueTo(world: World, member: Member, { asked, parked, state }: Ticket): Asked['due'] {
  if (!parked) return undefined;
  const ofCall = member.tickets.filter((each) => each.asked.mark === asked.mark);
  const isGoingOn = member.asked.some((each) => each.mark === asked.mark && each.state === 'open');
  if (ofCall.at(-1)?.state !== state || isGoingOn) return 'refusal';
  const isAtWork = ({ alive, work }: Server) =>
    alive && work.some(({ mark, done }) => mark === asked.mark && !done);
  return world.servers.some(isAtWork) ? 'no-refusal' : undefined;
}

/** What clients do whose messages stand for themselves. */
export const modernSteps = [
  ...often(9, asks),
  ...[listens, endsStream],
  ...often(6, retries),
  ...[retriesAltered, retriesAltered, retriesOfAnother, retriesOfAnother],
];
