import type { JsonObject } from '../protocol/json.js';
import type { BackendEvents, BackendPort, CreateOwnBackend, Introduction } from '../router/ports.js';
import type { Clock } from '../shared/clock.js';
import type { BackendKey, GatewayId } from '../shared/ids.js';
import type { Log } from '../shared/log.js';
import type { BackendSettings } from '../shared/settings.js';
import { Backend } from './backend.js';
import { buildEnvironment } from './environment.js';
import { EraMemory } from './era-memory.js';
import { launchProcess } from './process.js';
import type { BackendStatus } from './status.js';

export interface SupervisorOptions {
  /** Those that have one process for everybody, in the order of the configuration. */
  readonly backends: readonly BackendSettings[];
  readonly events: BackendEvents;
  readonly log: Log;
  readonly clock: Clock;
  readonly nextId: () => GatewayId;
  /** How the gateway introduces itself to backends. */
  readonly clientInfo: { readonly name: string; readonly version: string };
  /** What these may ask of the gateway's clients. */
  readonly capabilities: JsonObject;
  /** The gateway's own environment, of which backends inherit a part. */
  readonly env: NodeJS.ProcessEnv;
}

/** All backends of the configuration. */
export interface Supervisor {
  /** In the order of the configuration. */
  readonly backends: readonly Backend[];
  /** Starts all of them, side by side. */
  start(): void;
  /** Makes a backend besides, for one session; it is stopped with the others, if not before. */
  createOwn: CreateOwnBackend;
  /** Resolves once every backend has had the outcome of its first start. */
  readonly started: Promise<void>;
  /** Stops all, side by side; resolves once no process is left. */
  stop(): Promise<void>;
  /** Ends all processes and their groups at once, without any wait: the last act of a forced exit. */
  killAll(): void;
  status(): readonly BackendStatus[];
}

export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { events, log, clock, nextId, clientInfo, capabilities, env } = options;
  const memories = new Map<BackendKey, EraMemory>();
  const erasOf = (key: BackendKey) => {
    const memory = memories.get(key) ?? new EraMemory();
    memories.set(key, memory);
    return memory;
  };
  const create = (settings: BackendSettings, introduction: Introduction, hears: BackendEvents) =>
    new Backend({
      settings,
      events: hears,
      introduction,
      eras: erasOf(settings.key),
      env: buildEnvironment(env, settings, process.platform),
      launch: launchProcess,
      clock,
      log,
      nextId,
      random: Math.random,
    });
  const backends = options.backends.map((settings) => create(settings, { clientInfo, capabilities }, events));
  const own = new Map<BackendPort, Backend>();
  const ownEvents: BackendEvents = {
    ...events,
    state(port, from) {
      events.state(port, from);
      if (port.state.kind === 'stopped') own.delete(port);
    },
  };
  return {
    backends,
    started: Promise.all(backends.map((backend) => backend.firstOutcome)).then(() => undefined),
    start() {
      for (const backend of backends) backend.start();
    },
    createOwn(settings, introduction) {
      const backend = create(settings, introduction, ownEvents);
      own.set(backend, backend);
      return backend;
    },
    async stop() {
      await Promise.all([...backends, ...own.values()].map((backend) => backend.stop()));
    },
    killAll() {
      for (const backend of [...backends, ...own.values()]) backend.kill();
    },
    status: () => backends.map((backend) => backend.status()),
  };
}
