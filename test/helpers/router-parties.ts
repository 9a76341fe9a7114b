import type { Era } from '../../src/eras/backend-side.js';
import type { JsonObject } from '../../src/protocol/json.js';
import type { ScriptedBackend, ScriptedClient } from './router-harness.js';

/** What a modern request says of its client. */
export interface Declared {
  readonly can: JsonObject;
  readonly level: string | undefined;
}

/** A request of a session, known everywhere by its mark: `<session>:<number>`. A retry has the mark of the first. */
export interface Asked {
  readonly mark: string;
  readonly id: number;
  readonly method: string;
  readonly params: JsonObject;
  /** `undefined` for one under the terms of the handshake. */
  readonly declared: Declared | undefined;
  /** What is known beforehand of its answer. */
  readonly due: 'refusal' | 'no-refusal' | undefined;
  /** `parked`: answered with questions, so that the call may still be under way. */
  state: 'open' | 'answered' | 'parked' | 'cancelled';
}

/** What a client may send its request again with. */
export interface Ticket {
  readonly asked: Asked;
  readonly state: string;
  /** What it was asked, by key. */
  readonly questions: ReadonlyMap<string, string>;
  /** The call waits at the gateway, because its backend asks by requests. */
  readonly parked: boolean;
}

/** How a client speaks: by a handshake, with what each message says of itself, or in both ways on one socket. */
export type Manner = Era | 'both';

/** A client, what it has asked, and what it was asked. */
export interface Member {
  readonly name: string;
  readonly manner: Manner;
  readonly client: ScriptedClient;
  readonly asked: Asked[];
  /** Questions by the ids under which they came. */
  readonly questions: Map<number, Question>;
  readonly tickets: Ticket[];
  readonly subscribed: Set<string>;
  /** Streams whose acknowledgement has come. */
  readonly streams: Set<number>;
  level: string | undefined;
  /** A list that it can see may have changed since it came. */
  news: boolean;
  gone: boolean;
  /** How many messages were looked at already. */
  read: number;
  /** Errors without an id that are due to it. */
  complaints: number;
}

/** A request that a process works on. */
export interface Work {
  readonly id: number;
  readonly mark: string;
  readonly method: string;
  readonly task: boolean;
  done: boolean;
}

/** A question of a process. */
interface Question {
  readonly text: string;
  /** `undefined` for one that came in a result. */
  readonly id: number | undefined;
  readonly backend: ScriptedBackend;
  /** Those who may be asked it. */
  readonly may: ReadonlySet<Member>;
  open: boolean;
}

/** A backend, and what its process has been told. */
export interface Server {
  readonly backend: ScriptedBackend;
  readonly era: Era;
  readonly work: Work[];
  readonly questions: Question[];
  /** Calls of handshaken clients that it answered with questions, and was not sent again. */
  readonly asking: Set<string>;
  read: number;
  alive: boolean;
}

export function serverOf(backend: ScriptedBackend, era: Era): Server {
  backend.held = [];
  return { backend, era, work: [], questions: [], asking: new Set(), read: 0, alive: false };
}

export function hasHandshake({ manner }: Member): boolean {
  return manner !== 'modern';
}

export function isModern({ manner }: Member): boolean {
  return manner !== 'legacy';
}

/** Task and page ids carry the mark of the request that they came from. */
export function isOf({ name }: Member, id: string): boolean {
  return id.slice(id.indexOf('-') + 1).startsWith(`${name}:`);
}

/** The request that a mark was first given to. */
export function firstAsked(members: readonly Member[], mark: string): Asked | undefined {
  return members.flatMap(({ asked }) => asked).find((asked) => asked.mark === mark);
}

/** What a member has under way at a process. */
export function underWay(member: Member, { work }: Server): Asked[] {
  const isOpen = ({ state }: Asked) => state === 'open' || state === 'parked';
  const open = member.asked.filter(isOpen).map(({ mark }) => mark);
  const marks = work.filter(({ done, mark }) => !done && open.includes(mark)).map(({ mark }) => mark);
  return marks.flatMap((mark) => firstAsked([member], mark) ?? []);
}

/** Requests that may be answered with questions. [MCP 2026-07-28 basic/patterns § input_required] */
export function mayAsk({ method }: { readonly method: string }): boolean {
  return ['tools/call', 'prompts/get', 'resources/read'].includes(method);
}

/** The capability that it takes to be asked by a method. */
export function capabilityFor(method: string): 'sampling' | 'elicitation' {
  return method === 'sampling/createMessage' ? 'sampling' : 'elicitation';
}
