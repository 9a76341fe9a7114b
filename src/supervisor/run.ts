import type { Era } from '../eras/backend-side.js';
import { createBackendSide } from '../eras/detect.js';
import type { JsonObject } from '../protocol/json.js';
import { type Listing, type ListKind, listKinds } from '../protocol/listing.js';
import type { BatchMessage, Message, ResponseMessage } from '../protocol/message.js';
import type { Exit, Introduction } from '../router/ports.js';
import { assertNever } from '../shared/assert-never.js';
import type { Clock } from '../shared/clock.js';
import type { GatewayId, ToBackend } from '../shared/ids.js';
import type { Log } from '../shared/log.js';
import type { BackendSettings } from '../shared/settings.js';
import { BackendError } from './backend-error.js';
import type { ChangeFeed } from './change-feed.js';
import { createFeed } from './create-feed.js';
import { Handshake, type Opened } from './handshake.js';
import { LastOutput } from './last-output.js';
import type { Launch, ProcessExit, RunningProcess } from './launch.js';
import { kindsAnnouncedBy, ListingReader } from './listing-reader.js';
import { ListingRefresh } from './listing-refresh.js';
import { MessageReader } from './message-reader.js';
import { missedUpdate } from './missed-update.js';
import type { Noise } from './noise.js';
import { OwnRequests } from './own-requests.js';
import type { RunEvents } from './run-events.js';
import { StderrLog } from './stderr-log.js';
import { StderrRing } from './stderr-ring.js';

/** The part of stderr that goes along with an exit: the last lines of a stack trace. */
const exitTailBytes = 2 * 1024;

export interface RunOptions {
  readonly settings: BackendSettings;
  /** The eras to try with the process, in this order, at least one. */
  readonly eras: readonly Era[];
  /** How long an era that is not the last may take, in milliseconds. */
  readonly probeTimeoutMs: number;
  readonly env: Readonly<Record<string, string>>;
  readonly introduction: Introduction;
  readonly launch: Launch;
  readonly clock: Clock;
  readonly log: Log;
  readonly nextId: () => GatewayId;
  /** Counts over all runs of the backend. */
  readonly noise: Noise;
  readonly events: RunEvents;
}

/** One process of a backend and the conversation with it, from spawn to exit. */
export class Run {
  readonly #options: RunOptions;
  readonly #process: RunningProcess;
  readonly #messages: MessageReader;
  readonly #requests: OwnRequests;
  readonly #handshake: Handshake;
  readonly #stderrRing = new StderrRing();
  readonly #stderrLog: StderrLog;
  readonly #lastOutput = new LastOutput();
  readonly #refresh: ListingRefresh;
  #reader: ListingReader | undefined;
  #feed: ChangeFeed | undefined;

  constructor(options: RunOptions) {
    const { settings, eras, probeTimeoutMs, env, introduction, launch, clock, log, nextId, noise, events } =
      options;
    this.#options = options;
    this.#stderrLog = new StderrLog(log, clock);
    this.#refresh = new ListingRefresh(clock, (kinds) => this.#readAgain(kinds));
    const sides = eras.map((era) => createBackendSide(era, introduction));
    const [first] = sides;
    if (first === undefined) throw new Error('a run needs an era to try');
    this.#requests = new OwnRequests({
      backend: settings.key,
      side: first,
      nextId,
      clock,
      write: (message) => this.write(message),
    });
    this.#handshake = new Handshake({
      backend: settings.key,
      sides,
      requests: this.#requests,
      probeTimeoutMs,
      log,
    });
    this.#messages = new MessageReader({
      maxLineBytes: settings.maxLineBytes,
      noise,
      log,
      onMessage: (message) => this.#receive(message),
      onUnreadable: (id, problem) => {
        if (!this.#requests.takeUnreadable(id, problem)) events.undeliverable(id as GatewayId, problem);
      },
    });
    const { command, args, cwd, stop } = settings;
    this.#process = launch(
      { command, args, cwd, env, stop },
      {
        stdout: (chunk) => {
          if (this.#reader === undefined) this.#lastOutput.push(chunk);
          this.#messages.push(chunk);
        },
        stderr: (chunk) => {
          if (this.#reader === undefined) this.#lastOutput.push(chunk);
          this.#stderrRing.push(chunk);
          this.#stderrLog.push(chunk);
        },
        lost: (reason) => this.#lost(reason),
        exit: (exit) => this.#exited(exit),
      },
      clock,
    );
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  get unwrittenBytes(): number {
    return this.#process.unwrittenBytes;
  }

  /** What it printed last before its handshake was done. */
  get lastOutput(): string | undefined {
    return this.#lastOutput.line;
  }

  stderrTail(maxBytes: number): string {
    return this.#stderrRing.tail(maxBytes);
  }

  write(message: ToBackend): void {
    this.#process.write(message);
  }

  /** Asks the process something; throws as `OwnRequests.send` does. */
  request(method: string, params: JsonObject | undefined, timeoutMs: number): Promise<ResponseMessage> {
    return this.#requests.send(method, params, timeoutMs);
  }

  /** The handshake. Throws as `Handshake.open` does. */
  async open(timeoutMs: number): Promise<Opened> {
    const { settings, clock, log } = this.#options;
    const requests = this.#requests;
    const opened = await this.#handshake.open(timeoutMs);
    if (opened.kind === 'open') {
      const { capabilities } = opened.peer;
      this.#reader = new ListingReader(requests.send.bind(requests), clock, capabilities);
      const missed = (uris: readonly string[]) => {
        this.#refresh.announce(listKinds);
        for (const uri of uris) this.#options.events.message(missedUpdate(uri));
      };
      this.#feed = createFeed(opened.side.changes, { settings, requests, clock, log, missed });
      this.#feed.begin(capabilities);
    }
    return opened;
  }

  /** How the process is asked to tell of changes of single resources; comes after `open`. */
  get feed(): ChangeFeed {
    if (this.#feed === undefined) throw new Error('the feed comes after open()');
    return this.#feed;
  }

  /** The first listing, after the handshake. From then on changes are told by `listing`. */
  async list(): Promise<Listing> {
    if (this.#reader === undefined) throw new Error('list() comes after open()');
    await this.#reader.read();
    this.#refresh.begin();
    return this.#reader.listing;
  }

  /** Climbs the stop ladder; resolves once the process is gone. */
  stop(): Promise<void> {
    this.#refresh.end();
    this.#feed?.end('stopped');
    return this.#process.stop();
  }

  kill(): void {
    this.#process.kill();
  }

  /** How an end of this run is told: what happened, and the last lines of stderr. */
  describeEnd(end: Omit<Exit, 'stderrTail'>): Exit {
    const { code, signal, reason, hint } = end;
    return { code, signal, reason, hint, stderrTail: this.#stderrRing.tail(exitTailBytes) };
  }

  #receive(message: Exclude<Message, BatchMessage>): void {
    const { events } = this.#options;
    switch (message.kind) {
      case 'response':
        if (!this.#requests.take(message)) events.message(message);
        break;
      case 'notification': {
        if (this.#feed?.take(message)) break;
        const kinds = kindsAnnouncedBy(message.method);
        if (kinds === undefined) events.message(message);
        else this.#refresh.announce(kinds);
        break;
      }
      case 'request':
        events.message(message);
        break;
      default:
        assertNever(message);
    }
  }

  async #readAgain(kinds: ReadonlySet<ListKind>): Promise<boolean> {
    const reader = this.#reader;
    if (reader === undefined) return false;
    try {
      const changed = await reader.read(kinds);
      if (changed) this.#options.events.listing(reader.listing);
      return changed;
    } catch (error) {
      // The process ended, which is told by its exit.
      if (error instanceof BackendError) return false;
      throw error;
    }
  }

  #lost(reason: string): void {
    if (this.#handshake.onTrial) this.#requests.end(reason);
    else this.#options.events.lost(reason);
  }

  #exited(exit: ProcessExit): void {
    this.#messages.end();
    this.#stderrLog.end();
    this.#refresh.end();
    this.#feed?.end(exit.reason);
    this.#options.log.debug({ reason: exit.reason, stoppedBy: exit.rung }, 'backend process gone');
    // One that never came to be says nothing about its era.
    const onTrial = this.#handshake.onTrial && this.pid !== undefined;
    if (!onTrial) this.#options.events.ended(this.describeEnd(exit));
    this.#requests.end(exit.reason);
  }
}
