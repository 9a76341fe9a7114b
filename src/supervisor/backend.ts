import type { JsonObject } from '../protocol/json.js';
import type { Listing } from '../protocol/listing.js';
import type { ResponseMessage } from '../protocol/message.js';
import type { BackendEvents, BackendPort, BackendState, Exit } from '../router/ports.js';
import type { Clock } from '../shared/clock.js';
import type { BackendKey, GatewayId, ToBackend } from '../shared/ids.js';
import type { Log } from '../shared/log.js';
import type { BackendSettings } from '../shared/settings.js';
import { BackendError } from './backend-error.js';
import type { Introduction } from './handshake.js';
import { facts, type Life, leave, runOf } from './life.js';
import { Noise } from './noise.js';
import type { Launch } from './process.js';
import { decideRestart, noExits, recordExit, type Verdict, wakeDistanceMs } from './restart-policy.js';
import { Run } from './run.js';
import { type BackendStatus, describeState } from './status.js';

const statusTailBytes = 8 * 1024;

/** Doublings of the start timeout: a start that was cut off is given more time, but a hung one not for ever. */
const maxTimeoutDoublings = 2;

export interface BackendOptions {
  readonly settings: BackendSettings;
  readonly events: BackendEvents;
  readonly introduction: Introduction;
  /** The environment of its processes. */
  readonly env: Readonly<Record<string, string>>;
  readonly launch: Launch;
  readonly clock: Clock;
  readonly log: Log;
  readonly nextId: () => GatewayId;
  /** From 0 up to but not including 1, for the delays of restarts. */
  readonly random: () => number;
}

/**
 * One configured server and its processes, at most one of which lives at a time.
 *
 *   stopped ─▶ starting ─▶ ready ─▶ stopping ─▶ stopped
 *                 │  ▲        │
 *                 ▼  │        ▼
 *             backing-off ◀───┘──▶ failed (slow retry)
 *
 * Every process is a `Run`; what a run tells after another one has taken its place is not listened to.
 */
export class Backend implements BackendPort {
  readonly key: BackendKey;
  readonly settings: BackendSettings;
  /** Resolves with the outcome of the first start: ready, or not. At once for a backend that is off. */
  readonly firstOutcome: Promise<void>;
  readonly #options: BackendOptions;
  readonly #log: Log;
  readonly #noise = new Noise();
  #life: Life;
  #resolveFirstOutcome: () => void = () => undefined;
  /** A run that was given up and is being stopped; its successor waits for it. */
  #leaving: Run | undefined;
  /** The newest run, living or not: what it wrote to stderr is of interest after its end. */
  #newest: Run | undefined;
  #starts = 0;
  #timeouts = 0;
  #history = noExits;
  #lastExit: Exit | undefined;
  #lastExitMs = 0;
  #listing: Listing | undefined;
  #stopped: Promise<void> = Promise.resolve();

  constructor(options: BackendOptions) {
    const { settings, log } = options;
    this.key = settings.key;
    this.settings = settings;
    this.#options = options;
    this.#log = log.child({ backend: settings.key });
    this.#life = settings.off === undefined ? { kind: 'stopped' } : { kind: 'off', reason: settings.off };
    this.firstOutcome = new Promise((resolve) => {
      this.#resolveFirstOutcome = resolve;
    });
    if (settings.off !== undefined) this.#resolveFirstOutcome();
  }

  get state(): BackendState {
    return this.#life;
  }

  get unwrittenBytes(): number {
    return runOf(this.#life)?.unwrittenBytes ?? 0;
  }

  write(message: ToBackend): void {
    runOf(this.#life)?.write(message);
  }

  request(
    method: string,
    params: JsonObject | undefined,
    timeoutMs = this.settings.requestTimeoutMs,
  ): Promise<ResponseMessage> {
    if (this.#life.kind === 'ready') return this.#life.run.request(method, params, timeoutMs);
    const words = `${method}: backend "${this.key}" is ${this.#life.kind}, not ready`;
    return Promise.reject(new BackendError(this.key, 'not-ready', words));
  }

  /** Starts it, unless it is off or under way already. */
  start(): void {
    if (this.#life.kind === 'stopped') this.#begin();
  }

  wake(): void {
    const life = this.#life;
    if (life.kind !== 'backing-off' && life.kind !== 'failed') return;
    const dueMs = life.kind === 'failed' ? life.retryAtMs : life.untilMs;
    const wakeMs = this.#lastExitMs + wakeDistanceMs(life.kind, this.settings.restart);
    if (wakeMs >= dueMs) return;
    leave(life);
    const retry = this.#retryAfter(Math.max(0, wakeMs - this.#options.clock.now()));
    this.#life =
      life.kind === 'failed' ? { ...life, retryAtMs: wakeMs, retry } : { ...life, untilMs: wakeMs, retry };
  }

  /** Ends its process in stages, whatever it is doing; resolves once nothing of it runs any more. */
  stop(): Promise<void> {
    const { kind } = this.#life;
    if (kind !== 'off' && kind !== 'stopped' && kind !== 'stopping') this.#stopped = this.#stop();
    return this.#stopped;
  }

  /** Ends its process at once, without any wait; it is not started again. */
  kill(): void {
    void this.stop();
    runOf(this.#life)?.kill();
    this.#leaving?.kill();
  }

  status(): BackendStatus {
    const life = this.#life;
    const peer = life.kind === 'ready' ? life.peer : undefined;
    const warnings = this.#noise.multilineJson
      ? ['prints JSON over several lines on stdout, where a message must be one line']
      : [];
    return {
      name: this.key,
      namespace: this.settings.namespace,
      state: life.kind,
      era: peer?.era ?? null,
      revision: peer?.revision ?? null,
      pid: runOf(life)?.pid ?? null,
      starts: this.#starts,
      restarts: Math.max(0, this.#starts - 1),
      lastExit: this.#lastExit ?? null,
      reason: describeState(life, this.#options.clock.now(), runOf(life)?.lastOutput) ?? null,
      noiseLines: this.#noise.count,
      lastNoise: this.#noise.first,
      stderrTail: this.#newest?.stderrTail(statusTailBytes) || (this.#lastExit?.stderrTail ?? ''),
      warnings: [...(this.#listing?.warnings ?? []), ...warnings],
    };
  }

  #begin(): void {
    const { clock } = this.#options;
    const timeoutMs = this.settings.startTimeoutMs * 2 ** Math.min(this.#timeouts, maxTimeoutDoublings);
    const deadline = clock.after(timeoutMs, () => this.#startTimedOut(timeoutMs));
    const sinceMs = clock.now();
    const waiting: Life = { kind: 'starting', sinceMs, run: undefined, deadline };
    this.#move(waiting);
    const spawn = () => {
      if (this.#life !== waiting) return;
      const run = this.#spawn();
      this.#life = { ...waiting, run };
      void this.#bringUp(run, timeoutMs);
    };
    if (this.#leaving === undefined) spawn();
    else void this.#leaving.stop().then(spawn);
  }

  #spawn(): Run {
    const { events, env, introduction, launch, clock, nextId } = this.#options;
    const whenCurrent = (run: Run, tell: () => void) => {
      if (runOf(this.#life) === run) tell();
    };
    const run: Run = new Run({
      settings: this.settings,
      env,
      introduction,
      launch,
      clock,
      log: this.#log,
      nextId,
      noise: this.#noise,
      events: {
        message: (message) => whenCurrent(run, () => events.message(this, message)),
        undeliverable: (id, problem) => whenCurrent(run, () => events.undeliverable(this, id, problem)),
        listing: (listing) => whenCurrent(run, () => this.#offer(listing)),
        lost: (reason) => whenCurrent(run, () => this.#giveUp(run, reason, 'retry')),
        ended: (exit) => whenCurrent(run, () => this.#ended(exit)),
      },
    });
    this.#starts += 1;
    this.#newest = run;
    return run;
  }

  async #bringUp(run: Run, timeoutMs: number): Promise<void> {
    try {
      const peer = await run.open(timeoutMs);
      if (!this.#isStarting(run)) return;
      leave(this.#life);
      const listing = await run.list();
      if (!this.#isStarting(run)) return;
      this.#timeouts = 0;
      this.#offer(listing);
      this.#move({ kind: 'ready', peer, run, sinceMs: this.#options.clock.now() });
    } catch (error) {
      if (!(error instanceof BackendError)) throw error;
      if (this.#isStarting(run))
        this.#giveUp(run, error.message, error.problem === 'refused' ? 'fail' : 'retry');
    }
  }

  #isStarting(run: Run): boolean {
    return this.#life.kind === 'starting' && this.#life.run === run;
  }

  #offer(listing: Listing): void {
    for (const warning of listing.warnings) this.#log.warn({ warning }, 'backend listing');
    this.#listing = listing;
    this.#options.events.listing(this, listing);
  }

  #startTimedOut(timeoutMs: number): void {
    this.#timeouts += 1;
    const run = runOf(this.#life);
    const output = run?.lastOutput === undefined ? '' : `; last output: "${run.lastOutput}"`;
    this.#giveUp(run, `no handshake within ${timeoutMs / 1000} s (startTimeout)${output}`, 'retry');
  }

  /** Ends a run that lives but is of no use. For everybody else it is gone from now on. */
  #giveUp(run: Run | undefined, reason: string, then: 'retry' | 'fail'): void {
    const end = { code: null, signal: null, reason };
    if (run !== undefined) {
      this.#leaving = run;
      void run.stop().then(() => {
        if (this.#leaving === run) this.#leaving = undefined;
      });
    }
    this.#fell(run?.describeEnd(end) ?? { ...end, stderrTail: '' }, then);
  }

  #ended(exit: Exit): void {
    if (this.#life.kind === 'stopping') this.#lastExit = exit;
    else this.#fell(exit, 'retry');
  }

  /** The process is gone or given up: says so, and decides what comes next. */
  #fell(exit: Exit, then: 'retry' | 'fail'): void {
    const { clock, events, random } = this.#options;
    const { restart } = this.settings;
    const nowMs = clock.now();
    const healthyForMs = this.#life.kind === 'ready' ? nowMs - this.#life.sinceMs : 0;
    this.#history = recordExit(this.#history, { atMs: nowMs, healthyForMs }, restart);
    this.#lastExit = exit;
    this.#lastExitMs = nowMs;
    events.exit(this, exit);
    const verdict: Verdict =
      then === 'fail'
        ? { kind: 'failed', reason: exit.reason, retryMs: restart.retryFailedMs }
        : decideRestart(this.#history, exit.reason, restart, random);
    if (verdict.kind === 'retry') {
      const { delayMs } = verdict;
      const retry = this.#retryAfter(delayMs);
      this.#move({ kind: 'backing-off', untilMs: nowMs + delayMs, lastExit: exit, retry });
      return;
    }
    const { reason, retryMs } = verdict;
    this.#history = { ...this.#history, failed: true };
    const retry = this.#retryAfter(retryMs);
    this.#move({ kind: 'failed', retryAtMs: nowMs + retryMs, reason, lastExit: exit, retry });
  }

  #retryAfter(delayMs: number) {
    return this.#options.clock.after(delayMs, () => this.#begin());
  }

  async #stop(): Promise<void> {
    const run = runOf(this.#life);
    const runs = [run, this.#leaving].filter((one) => one !== undefined);
    this.#move({ kind: 'stopping', run });
    await Promise.all(runs.map((one) => one.stop()));
    this.#move({ kind: 'stopped' });
  }

  #move(to: Life): void {
    const from = this.#life;
    leave(from);
    this.#life = to;
    const level = to.kind === 'failed' || to.kind === 'backing-off' ? 'warn' : 'info';
    const moved = { from: from.kind, to: to.kind, ...facts(to, this.#options.clock.now()) };
    this.#log[level](moved, 'backend state');
    if (to.kind !== 'starting') this.#resolveFirstOutcome();
    this.#options.events.state(this, from);
  }
}
