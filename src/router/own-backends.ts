import type { CallContext } from '../eras/form.js';
import { ownIntroduction } from '../eras/own-introduction.js';
import { gatewayError, type WireError } from '../protocol/errors.js';
import type { Clock } from '../shared/clock.js';
import type { BackendKey } from '../shared/ids.js';
import type { BackendSettings } from '../shared/settings.js';
import { Lane } from './lane.js';
import type { BackendPort, CreateOwnBackend, OwnBackend } from './ports.js';
import type { SessionRecord } from './session-record.js';

export interface OwnBackendsOptions {
  /** The backends with `sharing: "per-client"`, in configuration order. */
  readonly backends: readonly BackendSettings[];
  readonly create: CreateOwnBackend;
  /** Processes of this kind at once, over all backends and sessions. */
  readonly maxProcesses: number;
  readonly clock: Clock;
}

/** One process for one session. */
interface Own {
  readonly backend: OwnBackend;
  readonly lane: Lane;
}

/** The processes of `per-client` backends: started on a session's first need, stopped at its end. */
export class OwnBackends {
  readonly #options: OwnBackendsOptions;
  readonly #bySession = new Map<SessionRecord, Map<BackendKey, Own>>();
  readonly #byPort = new Map<BackendPort, Lane>();
  readonly #counts = new Map<BackendKey, number>();

  constructor(options: OwnBackendsOptions) {
    this.#options = options;
  }

  get configured(): readonly BackendSettings[] {
    return this.#options.backends;
  }

  /** The lanes to the session's processes. */
  lanes(session: SessionRecord): Lane[] {
    return [...(this.#bySession.get(session)?.values() ?? [])].map(({ lane }) => lane);
  }

  laneOf(port: BackendPort): Lane | undefined {
    return this.#byPort.get(port);
  }

  /** Processes of one backend, over all sessions. */
  count(key: BackendKey): number {
    return this.#counts.get(key) ?? 0;
  }

  /** The lane to the session's process of a backend, which is started for the caller if there is none yet. */
  begin(session: SessionRecord, settings: BackendSettings, context: CallContext): Lane | WireError {
    const own = this.#ownOf(session);
    const running = own.get(settings.key);
    if (running !== undefined) return running.lane;
    const refusal = this.#refusal(settings);
    if (refusal !== undefined) return refusal;
    const backend = this.#options.create(settings, ownIntroduction(context));
    const lane = new Lane(backend, this.#options.clock, session);
    own.set(settings.key, { backend, lane });
    this.#byPort.set(backend, lane);
    this.#counts.set(settings.key, this.count(settings.key) + 1);
    backend.start();
    return lane;
  }

  /** The session is over: its processes are stopped, and count until they are gone. */
  ended(session: SessionRecord): void {
    const own = this.#bySession.get(session);
    this.#bySession.delete(session);
    for (const { backend } of own?.values() ?? []) {
      this.#byPort.delete(backend);
      void backend.stop().then(() => this.#counts.set(backend.key, this.count(backend.key) - 1));
    }
  }

  #ownOf(session: SessionRecord): Map<BackendKey, Own> {
    const own = this.#bySession.get(session) ?? new Map<BackendKey, Own>();
    this.#bySession.set(session, own);
    return own;
  }

  #refusal({ key, maxProcesses, off }: BackendSettings): WireError | undefined {
    if (off !== undefined) {
      return gatewayError('backendUnavailable', `backend "${key}" is off: ${off}`, {
        backend: key,
        state: 'off',
        retryable: false,
      });
    }
    const total = [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
    if (this.count(key) >= maxProcesses) return full(key, maxProcesses, 'maxProcesses');
    if (total >= this.#options.maxProcesses) return full(key, this.#options.maxProcesses, 'limits.processes');
    return undefined;
  }
}

function full(key: BackendKey, limitCount: number, limit: string): WireError {
  return gatewayError(
    'overloaded',
    `backend "${key}" has one process per client, and ${limitCount} run already, the limit (${limit}); retry when another client has left`,
    { backend: key, limit, retryAfterMs: 5_000 },
  );
}
