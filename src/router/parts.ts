import { createArgumentChecker } from '../catalog/argument-check.js';
import { Catalog } from '../catalog/catalog.js';
import type { JsonObject } from '../protocol/json.js';
import type { ResponseMessage } from '../protocol/message.js';
import type { Edit } from '../protocol/splice.js';
import type { Clock } from '../shared/clock.js';
import type { GatewayId } from '../shared/ids.js';
import type { Log } from '../shared/log.js';
import type { Settings } from '../shared/settings.js';
import { AskedTasks } from './asked-tasks.js';
import { Calls } from './calls.js';
import { Elicitations } from './elicitations.js';
import { FromBackend } from './from-backend.js';
import { FromClient } from './from-client.js';
import { type Call, Lane } from './lane.js';
import { Listens } from './listens.js';
import { Lists } from './lists.js';
import { LogLines } from './log-lines.js';
import { ListNotices } from './notices.js';
import { OwnBackends } from './own-backends.js';
import { OwnedRequests } from './owned-requests.js';
import { Parking } from './parking.js';
import type { BackendPort, CreateOwnBackend } from './ports.js';
import { Questions } from './questions.js';
import { Reach } from './reach.js';
import { Rest } from './rest.js';
import { ResultUris } from './result-uris.js';
import { Rounds } from './rounds.js';
import type { SessionRecord } from './session-record.js';
import { StartUp } from './start-up.js';
import { Subscriptions } from './subscriptions.js';
import { TaskLists } from './task-lists.js';
import { Tasks } from './tasks.js';
import { Unlisted } from './unlisted.js';

export interface RouterOptions {
  readonly settings: Settings;
  /** The backends that everybody shares, in configuration order; none of them has started yet. */
  readonly ports: readonly BackendPort[];
  /** Makes the processes of the others, one for each session. */
  readonly createOwn: CreateOwnBackend;
  readonly clock: Clock;
  readonly log: Log;
  /** Ids towards backends, shared with the supervisor's own requests. */
  readonly nextId: () => GatewayId;
  /** Who the gateway is, for clients. */
  readonly serverInfo: JsonObject;
}

/** What the router consists of. */
export type Parts = ReturnType<typeof createParts>;

/** Makes the parts of a router and joins them. */
export function createParts(options: RouterOptions) {
  const { settings, clock, log, nextId, ports } = options;
  const { graceMs, pageSize } = settings.catalog;
  const sessions = new Set<SessionRecord>();
  const lanes: ReadonlyMap<BackendPort, Lane> = new Map(ports.map((port) => [port, new Lane(port, clock)]));
  const own = new OwnBackends({
    backends: settings.backends.filter(({ sharing }) => sharing === 'per-client'),
    create: options.createOwn,
    maxProcesses: settings.limits.processes,
    clock,
  });
  const keys = settings.backends.map(({ key }) => key);
  const catalog = new Catalog<Lane>(keys, { naming: settings.naming, pageSize });
  const reach = new Reach(catalog, [...lanes.values()], own);
  const tasks = new Tasks();
  const askedTasks = new AskedTasks();
  const elicitations = new Elicitations();
  const resultUris = new ResultUris(reach);
  const calls = new Calls(clock, log, nextId, {
    started: (call) => logLines.callStarted(call),
    resultEdits: (call, message) => [
      ...resultUris.edits(call, message),
      ...tasks.resultEdits(call, message),
      ...translatedResult(call, message),
    ],
    asksForInput: (call, message) => rounds.take(call, message),
    held: (call, answer) => parking.held(call, answer),
    answered(call, message) {
      tasks.callAnswered(call, message);
      elicitations.callAnswered(call, message);
    },
    lateProgress: (lane, id, message, token) => tasks.progress(lane, id, message, token),
    ended(call) {
      parking.callEnded(call);
      questions.callEnded(call);
      tasks.callEnded(call);
      rest.ended();
    },
  });
  const rest = new Rest(sessions, calls.inFlight);
  const parking = new Parking(() => calls, clock);
  const questions = new Questions({ calls, tasks, askedTasks, elicitations, parking });
  const rounds = new Rounds({ calls: () => calls, questions: () => questions, clock });
  const subscriptions = new Subscriptions(reach, clock);
  const logLines = new LogLines(reach, sessions, calls);
  const notices = new ListNotices(clock, reach);
  const listens = new Listens(reach, subscriptions, notices, clock);
  const lists = new Lists({
    reach,
    own,
    graceMs,
    clock,
    read: (session, kind, view) => notices.read(session, kind, view),
  });
  const unlisted = new Unlisted({ reach, own, separator: settings.naming.separator, clock });
  const checker = createArgumentChecker({
    warn: (unchecked) => log.warn(unchecked, 'arguments are not checked'),
    now: () => clock.now(),
  });
  const owned = new OwnedRequests({ reach, calls, subscriptions, parking, checker, unlisted, clock });
  const taskLists = new TaskLists(reach, tasks);
  const takers = { calls, subscriptions, logLines, tasks, askedTasks, questions, elicitations };
  const fromClient = new FromClient({
    ...takers,
    lists,
    listens,
    owned,
    parking,
    taskLists,
    own,
    reach,
    clock,
  });
  const fromBackend = new FromBackend({ ...takers, log });
  const startUp = new StartUp(ports, graceMs, clock, () => {
    lists.open();
    notices.open();
  });
  return {
    ...takers,
    ...{
      checker,
      sessions,
      lanes,
      own,
      catalog,
      reach,
      rest,
      notices,
      lists,
      listens,
      parking,
      unlisted,
      fromClient,
      fromBackend,
      startUp,
    },
  };
}

/** What the client's era wants of an answer in the backend's. */
function translatedResult({ context, lane, rule }: Call, message: ResponseMessage): readonly Edit[] {
  return lane.translationFor(context).response(message, rule, context);
}
