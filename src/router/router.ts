import { createArgumentChecker } from '../catalog/argument-check.js';
import { Catalog } from '../catalog/catalog.js';
import type { GatewayIntroduction } from '../eras/form.js';
import { LegacyClientSide } from '../eras/legacy/client-side.js';
import type { ListKind } from '../protocol/listing.js';
import { assertNever } from '../shared/assert-never.js';
import type { Clock } from '../shared/clock.js';
import type { GatewayId } from '../shared/ids.js';
import type { Log } from '../shared/log.js';
import type { Settings } from '../shared/settings.js';
import { Calls } from './calls.js';
import { type AcceptedRequest, ClientConversation, type Dispatch } from './conversation.js';
import { FromBackend } from './from-backend.js';
import { Lane } from './lane.js';
import { Lists } from './lists.js';
import { ListNotices } from './notices.js';
import { OwnedRequests } from './owned-requests.js';
import type { BackendEvents, BackendPort, BackendState, OpenConversation } from './ports.js';
import type { SessionRecord } from './session-record.js';
import { StartUp } from './start-up.js';

export interface RouterOptions {
  readonly settings: Settings;
  /** All backends, in configuration order; none of them has started yet. */
  readonly ports: readonly BackendPort[];
  readonly clock: Clock;
  readonly log: Log;
  /** Ids towards backends, shared with the supervisor's own requests. */
  readonly nextId: () => GatewayId;
  readonly introduction: GatewayIntroduction;
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
  readonly #catalog: Catalog<Lane>;
  readonly #calls: Calls;
  readonly #lists: Lists;
  readonly #owned: OwnedRequests;
  readonly #fromBackend: FromBackend;
  readonly #notices: ListNotices;
  readonly #startUp: StartUp;

  constructor(options: RouterOptions) {
    const { settings, clock, log, nextId, ports } = options;
    this.#options = options;
    this.#lanes = new Map(ports.map((port) => [port, new Lane(port, clock)]));
    this.#catalog = new Catalog<Lane>(
      [...this.#lanes].map(([port, owner]) => ({ ...port.settings, owner })),
      { naming: settings.naming, pageSize: settings.catalog.pageSize },
    );
    this.#calls = new Calls(clock, log, nextId);
    this.#lists = new Lists(this.#catalog, settings.catalog.graceMs, clock);
    this.#owned = new OwnedRequests({
      catalog: this.#catalog,
      lanes: this.#lanes,
      calls: this.#calls,
      checker: createArgumentChecker({ warn: (message) => log.warn(message) }),
      separator: settings.naming.separator,
      clock,
    });
    this.#fromBackend = new FromBackend(this.#calls, log);
    this.#notices = new ListNotices(clock, () => this.#sessions);
    this.#startUp = new StartUp(ports, settings.catalog.graceMs, clock, () => {
      this.#lists.open();
      this.#notices.open();
    });
  }

  readonly open: OpenConversation = (port) => {
    const session: SessionRecord = {
      port,
      era: new LegacyClientSide(() => this.#options.introduction),
      open: new Map(),
    };
    this.#sessions.add(session);
    return new ClientConversation(session, this.#options.settings.limits, this, this.#options.log);
  };

  request(request: AcceptedRequest): void {
    const { route } = request.step.rule;
    switch (route.to) {
      case 'list':
        this.#lists.take(request, route.kind);
        return;
      case 'owner':
        this.#owned.take(request, route);
        return;
      case 'era':
      case 'holder':
      case 'caller':
      case 'listing':
        throw new Error(`"${request.step.rule.method}" is no request that a client's era hands on`);
      default:
        assertNever(route);
    }
  }

  ended(session: SessionRecord): void {
    this.#sessions.delete(session);
  }

  readonly events: BackendEvents = {
    message: (port, message) => this.#fromBackend.take(port, message),
    undeliverable: (port, id, problem) => this.#calls.undeliverable(port, id, problem),
    exit: (port, exit) => this.#calls.exited(port, exit),
    listing: (port, listing) => this.#notices.changed(this.#catalog.update(port.key, listing)),
    state: (port, from) => this.#moved(port, from),
  };

  get inFlight(): number {
    return this.#calls.inFlight.size;
  }

  /** What the status says of a backend's share in calls and catalog. */
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

  /** Takes no new calls and waits for those under way; what is left after `timeoutMs` is answered with an error. */
  async drain(timeoutMs: number): Promise<void> {
    this.draining = true;
    this.#lists.open();
    let late: (() => void) | undefined;
    const timer = this.#options.clock.after(timeoutMs, () => late?.());
    await Promise.race([this.#calls.idle(), new Promise<void>((resolve) => (late = resolve))]);
    timer.cancel();
    this.abort();
  }

  /** Answers all that is under way with the shutdown error, at once. */
  abort(): void {
    this.draining = true;
    this.#calls.shutDown();
    this.#notices.stop();
    this.#startUp.stop();
  }

  #moved(port: BackendPort, from: BackendState): void {
    const { kind } = port.state;
    if (kind === 'ready') this.#lanes.get(port)?.wake();
    else this.#calls.recheckQueued(port, from.kind === 'starting');
    if (kind === 'failed') this.#notices.changed(this.#catalog.update(port.key, undefined));
    if (from.kind === 'starting') this.#owned.startEnded(port);
    this.#startUp.moved(port);
  }
}
