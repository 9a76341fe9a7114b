import { DualClientSide } from '../eras/dual-client-side.js';
import type { GatewayIntroduction } from '../eras/form.js';
import type { BackendKey } from '../shared/ids.js';
import { shuttingDown } from './availability.js';
import { type BackendShare, shareOf } from './backend-share.js';
import { type AcceptedRequest, ClientConversation, type Dispatch } from './conversation.js';
import { introduce } from './introduction.js';
import type { Lane } from './lane.js';
import { createParts, type Parts, type RouterOptions } from './parts.js';
import type { BackendEvents, BackendPort, BackendState, OpenConversation } from './ports.js';
import { SessionRecord } from './session-record.js';
import { UnaskedWatcher } from './watcher.js';

/** Sends every message to where it belongs. Clients come in through `open`, backends through `events`. */
export class Router implements Dispatch {
  draining = false;
  readonly #options: RouterOptions;
  readonly #parts: Parts;

  constructor(options: RouterOptions) {
    this.#options = options;
    this.#parts = createParts(options);
  }

  readonly open: OpenConversation = (port) => {
    const era = new DualClientSide(() => this.#introduction());
    const session = new SessionRecord(port, era, {
      watcher: (made) => new UnaskedWatcher(made),
      ended: () => this.#parts.rest.ended(),
    });
    this.#parts.sessions.add(session);
    this.#parts.notices.watch(session.watcher);
    this.#parts.logLines.sessionOpened(session, this.#parts.lanes.values());
    return new ClientConversation(session, this.#options.settings.limits, this, this.#options.log);
  };

  continues(request: AcceptedRequest): boolean {
    return this.#parts.parking.gave(request);
  }

  request(request: AcceptedRequest): void {
    this.#parts.fromClient.request(request);
  }

  notification(...[session, rule, message]: Parameters<Dispatch['notification']>): boolean {
    return this.#parts.fromClient.notification(session, rule, message);
  }

  response(...[session, message]: Parameters<Dispatch['response']>): boolean {
    return this.#parts.fromClient.response(session, message);
  }

  badResponse(session: SessionRecord, idText: string): boolean {
    return this.#parts.questions.badAnswer(session, idText);
  }

  /** The client is gone: its questions, its requests and the rest of what was its go, too. */
  ended(session: SessionRecord): void {
    session.gone = true;
    this.#parts.sessions.delete(session);
    this.#parts.questions.sessionEnded(session);
    this.#parts.parking.sessionEnded(session);
    session.hangUp();
    this.#parts.subscriptions.ended(session.watcher);
    this.#parts.tasks.sessionEnded(session);
    this.#parts.askedTasks.sessionEnded(session);
    this.#parts.elicitations.sessionEnded(session);
    this.#parts.lists.ended(session);
    this.#parts.notices.unwatch(session.watcher);
    this.#parts.logLines.sessionEnded(session, this.#parts.lanes.values());
    for (const lane of this.#parts.own.lanes(session)) this.#laneGone(lane);
    this.#parts.own.ended(session);
    this.#parts.reach.ended(session);
  }

  readonly events: BackendEvents = {
    message: (port, message) => this.#withLane(port, (lane) => this.#parts.fromBackend.take(lane, message)),
    undeliverable: (port, id, problem) =>
      this.#withLane(port, (lane) => this.#parts.calls.undeliverable(lane, id, problem)),
    exit: (port, exit) =>
      this.#withLane(port, (lane) => {
        lane.exited();
        this.#processGone(lane);
        this.#parts.calls.exited(lane, exit);
      }),
    listing: (port, listing) =>
      this.#withLane(port, (lane) =>
        this.#parts.notices.changed(this.#parts.reach.listed(lane, listing), lane.session),
      ),
    state: (port, from) => this.#withLane(port, (lane) => this.#moved(lane, from)),
  };

  get inFlight(): number {
    return this.#parts.calls.inFlight.size;
  }

  /** What is held for sessions besides their calls, in numbers: all of it is 0 when they have left. */
  get held(): Readonly<Record<string, number>> {
    return {
      sessions: this.#parts.sessions.size,
      questions: this.#parts.questions.size,
      parked: this.#parts.parking.size,
      subscriptions: this.#parts.subscriptions.size,
      streams: this.#parts.listens.size,
      tasks: this.#parts.tasks.size,
      askedTasks: this.#parts.askedTasks.size,
      elicitations: this.#parts.elicitations.size,
      waiting: this.#parts.lists.size + this.#parts.unlisted.size,
      overlays: this.#parts.reach.size,
    };
  }

  /** What the status says of a shared backend's part in calls and catalog. */
  share(port: BackendPort): BackendShare {
    return shareOf(port.key, this.#parts.lanes.get(port), this.#parts.catalog.view);
  }

  /** Processes that serve one session each, of one backend. */
  ownProcesses(key: BackendKey): number {
    return this.#parts.own.count(key);
  }

  /** Makes ready what the first call would otherwise have to wait for. */
  warmUp(): void {
    this.#parts.checker.warmUp();
  }

  /** Takes no new requests and waits for those under way; what is left after `timeoutMs` is answered with an error. */
  async drain(timeoutMs: number): Promise<void> {
    this.draining = true;
    this.#parts.lists.open();
    const { clock } = this.#options;
    await new Promise<void>((resolve) => {
      const timer = clock.after(timeoutMs, resolve);
      void this.#parts.rest.reached().then(() => {
        timer.cancel();
        resolve();
      });
    });
    this.#parts.listens.end();
    this.#parts.calls.shutDown();
    for (const session of this.#parts.sessions) session.refuseAll(shuttingDown());
    this.#parts.notices.stop();
    this.#parts.startUp.stop();
  }

  #moved(lane: Lane, from: BackendState): void {
    const { state } = lane.port;
    if (state.kind === 'ready') {
      this.#parts.logLines.started(lane);
      this.#parts.subscriptions.replay(lane);
      lane.ready(state.peer);
    } else {
      this.#parts.calls.recheckQueued(lane, from.kind === 'starting');
    }
    if (state.kind === 'failed') this.#parts.notices.changed(this.#parts.reach.unlisted(lane), lane.session);
    if (from.kind === 'starting') this.#parts.unlisted.startEnded(lane);
    if (lane.session === undefined) this.#parts.startUp.moved(lane.port);
    else this.#parts.lists.ownMoved(lane.session);
  }

  /** A process of a session's own goes with the session, and with it all that was known of it. */
  #laneGone(lane: Lane): void {
    this.#processGone(lane);
    this.#parts.subscriptions.laneEnded(lane);
    this.#parts.logLines.laneEnded(lane);
    this.#parts.unlisted.laneEnded(lane);
  }

  #processGone(lane: Lane): void {
    this.#parts.questions.laneExited(lane);
    this.#parts.parking.laneExited(lane);
    this.#parts.tasks.laneExited(lane);
    this.#parts.askedTasks.laneExited(lane);
    this.#parts.elicitations.laneExited(lane);
  }

  /** What comes from the process of a session that is over is nobody's. */
  #withLane(port: BackendPort, take: (lane: Lane) => void): void {
    const lane = this.#parts.lanes.get(port) ?? this.#parts.own.laneOf(port);
    if (lane !== undefined) take(lane);
  }

  #introduction(): GatewayIntroduction {
    const shared = [...this.#parts.lanes.values()].map(({ port: { settings }, peer }) => ({
      settings,
      peer,
    }));
    const own = this.#parts.own.configured.map((settings) => ({ settings, peer: undefined }));
    return introduce(this.#options.serverInfo, [...shared, ...own]);
  }
}
