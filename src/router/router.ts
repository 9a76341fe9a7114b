import { createArgumentChecker } from '../catalog/argument-check.js';
import { Catalog } from '../catalog/catalog.js';
import type { GatewayIntroduction } from '../eras/form.js';
import { LegacyClientSide } from '../eras/legacy/client-side.js';
import type { JsonObject } from '../protocol/json.js';
import type { Clock } from '../shared/clock.js';
import type { BackendKey, GatewayId } from '../shared/ids.js';
import type { Log } from '../shared/log.js';
import type { Settings } from '../shared/settings.js';
import { AskedTasks } from './asked-tasks.js';
import { type BackendShare, shareOf } from './backend-share.js';
import { Calls } from './calls.js';
import { type AcceptedRequest, ClientConversation, type Dispatch } from './conversation.js';
import { Elicitations } from './elicitations.js';
import { FromBackend } from './from-backend.js';
import { FromClient } from './from-client.js';
import { introduce } from './introduction.js';
import { Lane } from './lane.js';
import { Lists } from './lists.js';
import { LogLines } from './log-lines.js';
import { ListNotices } from './notices.js';
import { OwnBackends } from './own-backends.js';
import { OwnedRequests } from './owned-requests.js';
import type {
  BackendEvents,
  BackendPort,
  BackendState,
  CreateOwnBackend,
  OpenConversation,
} from './ports.js';
import { Questions } from './questions.js';
import { Reach } from './reach.js';
import { ResultUris } from './result-uris.js';
import { SessionRecord } from './session-record.js';
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

/** Sends every message to where it belongs. Clients come in through `open`, backends through `events`. */
export class Router implements Dispatch {
  draining = false;
  readonly #options: RouterOptions;
  readonly #sessions = new Set<SessionRecord>();
  readonly #lanes: ReadonlyMap<BackendPort, Lane>;
  readonly #own: OwnBackends;
  readonly #catalog: Catalog<Lane>;
  readonly #reach: Reach;
  readonly #calls: Calls;
  readonly #lists: Lists;
  readonly #unlisted: Unlisted;
  readonly #subscriptions: Subscriptions;
  readonly #logLines: LogLines;
  readonly #tasks = new Tasks();
  readonly #askedTasks = new AskedTasks();
  readonly #elicitations = new Elicitations();
  readonly #questions: Questions;
  readonly #notices: ListNotices;
  readonly #startUp: StartUp;
  readonly #fromClient: FromClient;
  readonly #fromBackend: FromBackend;

  constructor(options: RouterOptions) {
    const { settings, clock, log, nextId, ports } = options;
    const { graceMs, pageSize } = settings.catalog;
    this.#options = options;
    this.#lanes = new Map(ports.map((port) => [port, new Lane(port, clock)]));
    this.#own = new OwnBackends({
      backends: settings.backends.filter(({ sharing }) => sharing === 'per-client'),
      create: options.createOwn,
      maxProcesses: settings.limits.processes,
      clock,
    });
    this.#catalog = new Catalog<Lane>(
      settings.backends.map(({ key }) => key),
      { naming: settings.naming, pageSize },
    );
    const reach = new Reach(this.#catalog, [...this.#lanes.values()], this.#own);
    this.#reach = reach;
    const resultUris = new ResultUris(reach);
    this.#calls = new Calls(clock, log, nextId, {
      resultEdits: (call, message) => resultUris.edits(call, message),
      answered: (call, message) => {
        this.#tasks.callAnswered(call, message);
        this.#elicitations.callAnswered(call, message);
      },
      lateProgress: (lane, id, message, token) => this.#tasks.progress(lane, id, message, token),
      ended: (call) => {
        this.#questions.callEnded(call);
        this.#tasks.callEnded(call);
      },
    });
    this.#questions = new Questions({
      calls: this.#calls,
      tasks: this.#tasks,
      askedTasks: this.#askedTasks,
      elicitations: this.#elicitations,
    });
    this.#subscriptions = new Subscriptions(reach, clock);
    this.#logLines = new LogLines(reach, this.#sessions);
    this.#notices = new ListNotices(clock, reach, this.#sessions);
    this.#lists = new Lists({
      reach,
      own: this.#own,
      graceMs,
      clock,
      read: (session, kind, view) => this.#notices.read(session, kind, view),
    });
    this.#unlisted = new Unlisted({ reach, own: this.#own, separator: settings.naming.separator, clock });
    const checker = createArgumentChecker({ warn: (message) => log.warn(message) });
    const takers = {
      calls: this.#calls,
      subscriptions: this.#subscriptions,
      logLines: this.#logLines,
      tasks: this.#tasks,
      askedTasks: this.#askedTasks,
      questions: this.#questions,
      elicitations: this.#elicitations,
    };
    const owned = new OwnedRequests({ ...takers, reach, checker, unlisted: this.#unlisted, clock });
    const taskLists = new TaskLists(reach, this.#tasks);
    const clientTakers = { ...takers, lists: this.#lists, owned, taskLists, own: this.#own };
    this.#fromClient = new FromClient({ ...clientTakers, reach, clock });
    this.#fromBackend = new FromBackend({ ...takers, log });
    this.#startUp = new StartUp(ports, graceMs, clock, () => {
      this.#lists.open();
      this.#notices.open();
    });
  }

  readonly open: OpenConversation = (port) => {
    const era = new LegacyClientSide(() => this.#introduction());
    const session = new SessionRecord(port, era);
    this.#sessions.add(session);
    this.#logLines.wishesChanged(this.#lanes.values());
    return new ClientConversation(session, this.#options.settings.limits, this, this.#options.log);
  };

  request(request: AcceptedRequest): void {
    this.#fromClient.request(request);
  }

  notification(...[session, rule, message]: Parameters<Dispatch['notification']>): boolean {
    return this.#fromClient.notification(session, rule, message);
  }

  response(...[session, message]: Parameters<Dispatch['response']>): boolean {
    return this.#fromClient.response(session, message);
  }

  /** The client is gone: its questions, its requests and the rest of what was its go, too. */
  ended(session: SessionRecord): void {
    this.#sessions.delete(session);
    this.#questions.sessionEnded(session);
    session.hangUp();
    this.#subscriptions.ended(session);
    this.#tasks.sessionEnded(session);
    this.#askedTasks.sessionEnded(session);
    this.#elicitations.sessionEnded(session);
    this.#lists.ended(session);
    this.#logLines.wishesChanged(this.#lanes.values());
    for (const lane of this.#own.lanes(session)) this.#laneGone(lane);
    this.#own.ended(session);
    this.#reach.ended(session);
  }

  readonly events: BackendEvents = {
    message: (port, message) => this.#withLane(port, (lane) => this.#fromBackend.take(lane, message)),
    undeliverable: (port, id, problem) =>
      this.#withLane(port, (lane) => this.#calls.undeliverable(lane, id, problem)),
    exit: (port, exit) =>
      this.#withLane(port, (lane) => {
        lane.exited();
        this.#processGone(lane);
        this.#calls.exited(lane, exit);
      }),
    listing: (port, listing) =>
      this.#withLane(port, (lane) => this.#notices.changed(this.#reach.listed(lane, listing))),
    state: (port, from) => this.#withLane(port, (lane) => this.#moved(lane, from)),
  };

  get inFlight(): number {
    return this.#calls.inFlight.size;
  }

  /** What is held for sessions besides their calls, in numbers: all of it is 0 when they have left. */
  get held(): Readonly<Record<string, number>> {
    return {
      sessions: this.#sessions.size,
      questions: this.#questions.size,
      subscriptions: this.#subscriptions.size,
      tasks: this.#tasks.size,
      askedTasks: this.#askedTasks.size,
      elicitations: this.#elicitations.size,
      waiting: this.#lists.size + this.#unlisted.size,
      overlays: this.#reach.size,
    };
  }

  /** What the status says of a shared backend's part in calls and catalog. */
  share(port: BackendPort): BackendShare {
    return shareOf(port.key, this.#lanes.get(port), this.#catalog.view);
  }

  /** Processes that serve one session each, of one backend. */
  ownProcesses(key: BackendKey): number {
    return this.#own.count(key);
  }

  /** Takes no new calls and waits for those under way; what is left after `timeoutMs` is answered with an error. */
  async drain(timeoutMs: number): Promise<void> {
    this.draining = true;
    this.#lists.open();
    const { clock } = this.#options;
    await new Promise<void>((resolve) => {
      const timer = clock.after(timeoutMs, resolve);
      void this.#calls.idle().then(() => {
        timer.cancel();
        resolve();
      });
    });
    this.#calls.shutDown();
    this.#notices.stop();
    this.#startUp.stop();
  }

  #moved(lane: Lane, from: BackendState): void {
    const { state } = lane.port;
    if (state.kind === 'ready') {
      this.#logLines.started(lane);
      this.#subscriptions.replay(lane);
      lane.ready(state.peer);
    } else {
      this.#calls.recheckQueued(lane, from.kind === 'starting');
    }
    if (state.kind === 'failed') this.#notices.changed(this.#reach.unlisted(lane));
    if (from.kind === 'starting') this.#unlisted.startEnded(lane);
    if (lane.session === undefined) this.#startUp.moved(lane.port);
    else this.#lists.ownMoved(lane.session);
  }

  /** A process of a session's own goes with the session, and with it all that was known of it. */
  #laneGone(lane: Lane): void {
    this.#processGone(lane);
    this.#subscriptions.laneEnded(lane);
    this.#logLines.laneEnded(lane);
    this.#unlisted.laneEnded(lane);
  }

  #processGone(lane: Lane): void {
    this.#questions.laneExited(lane);
    this.#tasks.laneExited(lane);
    this.#askedTasks.laneExited(lane);
    this.#elicitations.laneExited(lane);
  }

  /** What comes from the process of a session that is over is nobody's. */
  #withLane(port: BackendPort, take: (lane: Lane) => void): void {
    const lane = this.#lanes.get(port) ?? this.#own.laneOf(port);
    if (lane !== undefined) take(lane);
  }

  #introduction(): GatewayIntroduction {
    const shared = [...this.#lanes.values()].map(({ port: { settings }, peer }) => ({ settings, peer }));
    const own = this.#own.configured.map((settings) => ({ settings, peer: undefined }));
    return introduce(this.#options.serverInfo, [...shared, ...own]);
  }
}
