import type { Probe } from './admin/probe.js';
import type { BackendPort } from './router/ports.js';
import type { BackendKey } from './shared/ids.js';

/** What the probes tell, derived from what the backends went through. Pure: it is told, and it is asked. */
export class Health {
  /** Resolves with the first required backend that fails without ever having been ready. */
  readonly requiredFailed: Promise<BackendKey>;
  #fail: (key: BackendKey) => void = () => undefined;
  readonly #backends: readonly BackendPort[];
  readonly #everReady = new Set<BackendPort>();
  readonly #undecided: Set<BackendPort>;
  readonly #draining: () => boolean;

  constructor(backends: readonly BackendPort[], draining: () => boolean) {
    this.#backends = backends;
    this.#draining = draining;
    this.#undecided = new Set(backends);
    this.requiredFailed = new Promise((resolve) => {
      this.#fail = resolve;
    });
    for (const backend of backends) {
      if (backend.state.kind === 'off') this.moved(backend);
    }
  }

  /** To be told of every state that a backend moves to; those of single sessions do not matter here. */
  moved(backend: BackendPort): void {
    if (!this.#backends.includes(backend)) return;
    const { kind } = backend.state;
    if (kind === 'ready') this.#everReady.add(backend);
    if (kind !== 'starting' && kind !== 'stopped') this.#undecided.delete(backend);
    const hopeless = kind === 'failed' || kind === 'off';
    if (hopeless && backend.settings.required && !this.#everReady.has(backend)) this.#fail(backend.key);
  }

  /** Started: every backend has had its first outcome, and every required one was ready once. */
  started(): Probe {
    return probe([
      ...[...this.#undecided].map(({ key }) => `backend "${key}" has not had its first start yet`),
      ...this.#required()
        .filter((backend) => !this.#everReady.has(backend))
        .map(({ key }) => `required backend "${key}" has never been ready`),
    ]);
  }

  /** Ready: started, not draining, and every required backend is ready now. */
  ready(): Probe {
    return probe([
      ...this.started().reasons,
      ...(this.#draining() ? ['the gateway is draining'] : []),
      ...this.#required()
        .filter(({ state }) => state.kind !== 'ready')
        .map(({ key, state }) => `required backend "${key}" is ${state.kind}`),
    ]);
  }

  #required(): BackendPort[] {
    return this.#backends.filter(({ settings }) => settings.required);
  }
}

function probe(reasons: readonly string[]): Probe {
  return { ok: reasons.length === 0, reasons };
}
