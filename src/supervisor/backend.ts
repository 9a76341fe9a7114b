import { erasToTry } from '../eras/detect.js';
import type { JsonObject } from '../protocol/json.js';
import type { Listing } from '../protocol/listing.js';
import type { ResponseMessage } from '../protocol/message.js';
import type {
  BackendEvents,
  BackendPeer,
  BackendPort,
  BackendState,
  Exit,
  Introduction,
} from '../router/ports.js';
import type { Clock } from '../shared/clock.js';
import type { BackendKey, GatewayId, ToBackend } from '../shared/ids.js';
import type { Log } from '../shared/log.js';
import type { BackendSettings } from '../shared/settings.js';
import { BackendError } from './backend-error.js';
import type { EraMemory } from './era-memory.js';
import type { Launch } from './launch.js';
import { Leaving } from './leaving.js';
import { facts, type Life, leave, resting, runOf } from './life.js';
import { Noise } from './noise.js';
import { Recovery } from './recovery.js';
import { Run } from './run.js';
import { whileCurrent } from './run-events.js';
import { Start } from './start.js';
import { type BackendStatus, readStatus } from './status.js';

export interface BackendOptions {
  readonly settings: BackendSettings;
  readonly events: BackendEvents;
  readonly introduction: Introduction;
  /** Shared by all backends that run the same configured command. */
  readonly eras: EraMemory;
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
  readonly #recovery: Recovery;
  readonly #leaving = new Leaving();
  #life: Life;
  #resolveFirstOutcome: () => void = () => undefined;
  #newest: Run | undefined;
  /** Starts, each of which may take two processes while the era is not known. */
  #begins = 0;
  #spawns = 0;
  #listing: Listing | undefined;
  #stopped: Promise<void> = Promise.resolve();

  constructor(options: BackendOptions) {
    const { settings, log, clock, random } = options;
    this.key = settings.key;
    this.settings = settings;
    this.#options = options;
    this.#log = log.child({ backend: settings.key });
    this.#recovery = new Recovery(settings.restart, clock, random);
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

  get advice(): string | undefined {
    return this.#noise.advice;
  }

  write(message: ToBackend): void {
    runOf(this.#life)?.write(message);
  }

  request(
    method: string,
    params: JsonObject | undefined,
    timeoutMs = this.settings.requestTimeoutMs,
  ): Promise<ResponseMessage> {
    return this.#whenReady(method, (run) => run.request(method, params, timeoutMs));
  }

  subscribe(uri: string): Promise<ResponseMessage> {
    return this.#whenReady('subscription', (run) => run.feed.subscribe(uri));
  }

  unsubscribe(uri: string): Promise<ResponseMessage> {
    return this.#whenReady('subscription', (run) => run.feed.unsubscribe(uri));
  }

  /** Starts it, unless it is off or under way already. */
  start(): void {
    if (this.#life.kind === 'stopped') this.#begin();
  }

  wake(): void {
    const life = this.#life;
    if (life.kind !== 'backing-off' && life.kind !== 'failed') return;
    const dueMs = life.kind === 'failed' ? life.retryAtMs : life.untilMs;
    const wakeMs = this.#recovery.earliestWakeMs(life.kind);
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
    this.#leaving.kill();
  }

  status(): BackendStatus {
    return readStatus({
      settings: this.settings,
      life: this.#life,
      nowMs: this.#options.clock.now(),
      starts: this.#spawns,
      restarts: Math.max(0, this.#begins - 1),
      lastExit: this.#recovery.lastExit,
      newest: this.#newest,
      noise: this.#noise,
      listing: this.#listing,
    });
  }

  #whenReady(what: string, ask: (run: Run) => Promise<ResponseMessage>): Promise<ResponseMessage> {
    if (this.#life.kind === 'ready') return ask(this.#life.run);
    const words = `${what}: backend "${this.key}" is ${this.#life.kind}, not ready`;
    return Promise.reject(new BackendError(this.key, 'not-ready', words));
  }

  #begin(): void {
    const { clock, eras } = this.#options;
    const timeoutMs = this.#recovery.startTimeoutMs(this.settings.startTimeoutMs);
    const start = new Start({
      spawn: () => this.#spawn(),
      leaving: this.#leaving,
      eras,
      clock,
      log: this.#log,
      timeoutMs,
      served: (run, peer, listing) => this.#served(run, peer, listing),
      failed: (run, { message, problem }) => this.#giveUp(run, message, problem === 'refused'),
      timedOut: (run) => this.#startTimedOut(run, timeoutMs),
    });
    this.#begins += 1;
    this.#move({ kind: 'starting', sinceMs: clock.now(), start });
    start.begin();
  }

  #spawn(): Run {
    const { events, env, introduction, launch, clock, nextId, eras } = this.#options;
    const run: Run = new Run({
      settings: this.settings,
      eras: erasToTry(this.settings.era, eras.found),
      probeTimeoutMs: this.settings.probeTimeoutMs * eras.patience,
      env,
      introduction,
      launch,
      clock,
      log: this.#log,
      nextId,
      noise: this.#noise,
      events: whileCurrent(() => runOf(this.#life) === run, {
        message: (message) => events.message(this, message),
        undeliverable: (id, problem) => events.undeliverable(this, id, problem),
        listing: (listing) => this.#offer(listing),
        lost: (reason) => this.#giveUp(run, reason, false),
        ended: (exit) => this.#ended(exit),
      }),
    });
    this.#spawns += 1;
    this.#newest = run;
    return run;
  }

  #served(run: Run, peer: BackendPeer, listing: Listing): void {
    this.#recovery.ready();
    this.#offer(listing);
    this.#move({ kind: 'ready', peer, run, sinceMs: this.#options.clock.now() });
  }

  #offer(listing: Listing): void {
    for (const warning of listing.warnings) this.#log.warn({ warning }, 'backend listing');
    this.#listing = listing;
    this.#options.events.listing(this, listing);
  }

  #startTimedOut(run: Run | undefined, timeoutMs: number): void {
    const hopeless = this.#recovery.startTimedOut();
    const output = run?.lastOutput === undefined ? '' : `; last output: "${run.lastOutput}"`;
    this.#giveUp(run, `no handshake within ${timeoutMs / 1000} s (startTimeout)${output}`, hopeless);
  }

  /** Ends a run that lives but is of no use. For everybody else it is gone from now on. */
  #giveUp(run: Run | undefined, reason: string, hopeless: boolean): void {
    const end = { code: null, signal: null, reason };
    if (run !== undefined) this.#leaving.add(run);
    this.#fell(run?.describeEnd(end) ?? { ...end, stderrTail: '' }, hopeless);
  }

  #ended(exit: Exit): void {
    if (this.#life.kind === 'stopping') this.#recovery.stopped(exit);
    else this.#fell(exit, false);
  }

  /** The process is gone or given up: says so, and does what the policy decides. */
  #fell(exit: Exit, hopeless: boolean): void {
    const nowMs = this.#options.clock.now();
    const healthyForMs = this.#life.kind === 'ready' ? nowMs - this.#life.sinceMs : 0;
    if (this.#life.kind === 'starting') this.#options.eras.doubt();
    const verdict = this.#recovery.fell(exit, healthyForMs, hopeless);
    this.#options.events.exit(this, exit);
    this.#move(resting(verdict, nowMs, exit, this.#retryAfter(verdict.delayMs)));
  }

  #retryAfter(delayMs: number) {
    return this.#options.clock.after(delayMs, () => this.#begin());
  }

  async #stop(): Promise<void> {
    const run = runOf(this.#life);
    this.#move({ kind: 'stopping', run });
    await Promise.all([run?.stop(), this.#leaving.free()]);
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
