import { type Admin, startAdmin } from './admin/admin.js';
import { Health } from './health.js';
import { Router } from './router/router.js';
import { startListener } from './sessions/listener.js';
import { type Clock, systemClock } from './shared/clock.js';
import type { BackendKey, GatewayId } from './shared/ids.js';
import type { Log } from './shared/log.js';
import { product } from './shared/product.js';
import type { BackendSettings, Settings } from './shared/settings.js';
import { createSupervisor } from './supervisor/supervisor.js';

/** What became of the backends' first starts. */
interface StartOutcome {
  readonly ready: number;
  readonly failed: number;
}

/** A running gateway. */
export interface Gateway {
  /** Where clients connect, with the port that was really taken: `ws://127.0.0.1:8808/mcp`. */
  readonly url: string;
  /** Where probes and status are, unless the admin listener is off. */
  readonly adminUrl: string | undefined;
  /** Resolves when every backend has had the outcome of its first start. */
  readonly started: Promise<StartOutcome>;
  /** Resolves with the key of the first required backend that fails without ever having been ready. */
  readonly requiredFailed: Promise<BackendKey>;
  /** Drains: nothing new, calls finish within the drain time, sockets close with 1001, backends stop. */
  stop(): Promise<void>;
  /** Ends every backend at once, without waiting for anything. */
  kill(): void;
}

export interface GatewayOptions {
  readonly settings: Settings;
  readonly log: Log;
  /** Default: the operating system's. */
  readonly clock?: Clock;
  /** The variables that backends may inherit from. Default: this process's. */
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * What a backend with one process for everybody is told that it may ask. Which client is meant is found out
 * for each question; roots are a client's own, and have no meaning for a process that serves many.
 */
const questionsOfShared = { sampling: {}, elicitation: { form: {}, url: {} } };

/** When the first lists have usually been asked for, so that loading the rest holds up nobody. */
const quietAfterMs = 1_500;

/** Close code of a server that goes away. [RFC 6455 § 7.4.1] */
const goingAway = 1001;

/**
 * Binds the listeners, then starts the backends.
 * @throws {ListenError} when a port cannot be bound; nothing is left running then
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { settings, log, clock = systemClock, env = process.env } = options;
  const startedMs = clock.now();
  const nextId = countingIds();
  const supervisor = createSupervisor({
    backends: settings.backends.filter(({ sharing }) => sharing === 'shared'),
    events: {
      message: (port, message) => router.events.message(port, message),
      undeliverable: (port, id, problem) => router.events.undeliverable(port, id, problem),
      exit: (port, exit) => router.events.exit(port, exit),
      listing: (port, listing) => router.events.listing(port, listing),
      state(port, from) {
        health.moved(port);
        router.events.state(port, from);
      },
    },
    log,
    clock,
    nextId,
    clientInfo: product,
    capabilities: questionsOfShared,
    env,
  });
  const router = new Router({
    settings,
    ports: supervisor.backends,
    createOwn: supervisor.createOwn,
    clock,
    log,
    nextId,
    serverInfo: product,
  });
  const health = new Health(supervisor.backends, () => router.draining);
  const listener = await startListener({ settings, open: router.open, log, clock });
  const admin = await startAdminOrClose();
  supervisor.start();
  const quiet = clock.after(quietAfterMs, () => router.warmUp());

  return {
    url: listener.url,
    adminUrl: admin?.url,
    started: supervisor.started.then(startOutcome),
    requiredFailed: health.requiredFailed,
    async stop() {
      quiet.cancel();
      listener.stopAccepting();
      await router.drain(settings.drain.timeoutMs);
      await Promise.all([listener.closeAll(goingAway, 'the gateway is shutting down'), supervisor.stop()]);
      await Promise.all([listener.close(), admin?.close()]);
    },
    kill: () => supervisor.killAll(),
  };

  async function startAdminOrClose(): Promise<Admin | undefined> {
    if (settings.admin === undefined) return undefined;
    try {
      return await startAdmin({
        address: settings.admin,
        probes: {
          live: () => ({ ok: true, reasons: [] }),
          ready: () => health.ready(),
          started: () => health.started(),
        },
        status,
        log,
      });
    } catch (error) {
      await listener.close();
      throw error;
    }
  }

  function startOutcome(): StartOutcome {
    const wanted = supervisor.backends.filter((backend) => backend.state.kind !== 'off');
    const ready = wanted.filter((backend) => backend.state.kind === 'ready').length;
    return { ready, failed: wanted.length - ready };
  }

  function statusOf({ key, namespace, sharing, off }: BackendSettings) {
    const backend = supervisor.backends.find((shared) => shared.key === key);
    if (backend === undefined) {
      const processes = router.ownProcesses(key);
      return {
        name: key,
        namespace,
        sharing,
        processes,
        state: off === undefined ? 'on-demand' : 'off',
        reason: off ?? null,
      };
    }
    const own = backend.status();
    const share = router.share(backend);
    const warnings = [...new Set([...own.warnings, ...share.warnings])];
    return { ...own, ...share, sharing, processes: own.pid === null ? 0 : 1, warnings };
  }

  function status() {
    return {
      version: product.version,
      uptimeMs: Math.round(clock.now() - startedMs),
      draining: router.draining,
      sessions: listener.sessions,
      inFlight: router.inFlight,
      backends: settings.backends.map(statusOf),
    };
  }
}

/** Gateway ids: 1, 2, 3 … for every request that goes to any backend. */
function countingIds(): () => GatewayId {
  let last = 0;
  return () => {
    last += 1;
    return last as GatewayId;
  };
}
