import { createArgumentChecker } from '../catalog/argument-check.js';
import { Catalog } from '../catalog/catalog.js';
import type { GatewayIntroduction } from '../eras/form.js';
import { LegacyClientSide } from '../eras/legacy/client-side.js';
import type { JsonObject } from '../protocol/json.js';
import type { ListKind } from '../protocol/listing.js';
import type { Clock } from '../shared/clock.js';
import type { BackendKey, GatewayId } from '../shared/ids.js';
import type { Log } from '../shared/log.js';
import type { Settings } from '../shared/settings.js';
import { Calls } from './calls.js';
import { type AcceptedRequest, ClientConversation, type Dispatch } from './conversation.js';
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

/** A backend's part of what the router holds, for the status. */
export interface BackendShare {
  readonly inFlight: number;
  readonly queued: number;
  readonly tools: number;
  readonly prompts: number;
  readonly resources: number;
  /** What of its listing was left out, renamed or cut short. */
  readonly warnings: readonly string[];
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
  readonly #tasks: Tasks;
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
    this.#tasks = new Tasks(reach);
    const resultUris = new ResultUris(reach);
    this.#calls = new Calls(clock, log, nextId, {
      resultEdits: (call, message) => resultUris.edits(call, message),
      answered: (call, message) => this.#tasks.callAnswered(call, message),
      lateProgress: (lane, id, message, token) => this.#tasks.progress(lane, id, message, token),
      ended: (call) => {
        this.#questions.callEnded(call);
        this.#tasks.flushEarly(call);
      },
    });
    this.#questions = new Questions(this.#calls, this.#tasks);
    this.#subscriptions = new Subscriptions(reach);
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
    const owned = new OwnedRequests({ reach, calls: this.#calls, checker, unlisted: this.#unlisted, clock });
    const takers = {
      calls: this.#calls,
      subscriptions: this.#subscriptions,
      logLines: this.#logLines,
      tasks: this.#tasks,
      questions: this.#questions,
    };
    this.#fromClient = new FromClient({ ...takers, lists: this.#lists, owned, own: this.#own, clock });
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

  /** The client is gone, and its requests are cancelled: the rest of what was its goes, too. */
  ended(session: SessionRecord): void {
    const lanes = this.#reach.lanesOf(session);
    this.#sessions.delete(session);
    this.#questions.sessionEnded(session);
    this.#subscriptions.ended(session);
    this.#tasks.sessionEnded(session);
    this.#lists.ended(session);
    this.#logLines.ended(lanes);
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
        this.#questions.laneExited(lane);
        this.#tasks.laneExited(lane);
        this.#calls.exited(lane, exit);
      }),
    listing: (port, listing) =>
      this.#withLane(port, (lane) => this.#notices.changed(this.#reach.listed(lane, listing))),
    state: (port, from) => this.#withLane(port, (lane) => this.#moved(lane, from)),
  };

  get inFlight(): number {
    return this.#calls.inFlight.size;
  }

  /** What the status says of a shared backend's part in calls and catalog. */
  share(port: BackendPort): BackendShare {
    const lane = this.#lanes.get(port);
    const { view } = this.#catalog;
    const count = (kind: ListKind) => view.entries(kind).filter(({ backend }) => backend === port.key).length;
    return {
      inFlight: lane?.inFlight ?? 0,
      queued: lane?.queued ?? 0,
      tools: count('tools'),
      prompts: count('prompts'),
      resources: count('resources'),
      warnings: view.warnings.filter(({ backend }) => backend === port.key).map(({ text }) => text),
    };
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
    const late = new Promise<void>((resolve) => {
      const timer = clock.after(timeoutMs, resolve);
      void this.#calls.idle().then(() => timer.cancel());
    });
    await Promise.race([this.#calls.idle(), late]);
    this.#calls.shutDown();
    this.#notices.stop();
    this.#startUp.stop();
  }

  #moved(lane: Lane, from: BackendState): void {
    const { kind } = lane.port.state;
    if (kind === 'ready') {
      this.#logLines.tell(lane, 'first-time');
      this.#subscriptions.replay(lane);
      lane.wake();
    } else {
      this.#calls.recheckQueued(lane, from.kind === 'starting');
    }
    if (kind === 'failed') this.#notices.changed(this.#reach.unlisted(lane));
    if (from.kind === 'starting') this.#unlisted.startEnded(lane);
    if (lane.session === undefined) this.#startUp.moved(lane.port);
    else this.#lists.ownMoved(lane.session);
  }

  #laneGone(lane: Lane): void {
    this.#questions.laneExited(lane);
    this.#tasks.laneExited(lane);
    this.#subscriptions.laneEnded(lane);
    this.#logLines.laneEnded(lane);
  }

  /** What comes from the process of a session that is over is nobody's. */
  #withLane(port: BackendPort, take: (lane: Lane) => void): void {
    const lane = this.#lanes.get(port) ?? this.#own.laneOf(port);
    if (lane !== undefined) take(lane);
  }

  #introduction(): GatewayIntroduction {
    const shared = [...this.#lanes.keys()].map(({ key, settings, state }) => ({
      name: settings.namespace === '' ? key : settings.namespace,
      peer: state.kind === 'ready' ? state.peer : undefined,
    }));
    const own = this.#own.configured.map(({ key }) => ({ name: key, peer: undefined }));
    return introduce(this.#options.serverInfo, [...shared, ...own]);
  }
}
