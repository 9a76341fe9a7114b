import { readMessage } from '../protocol/envelope.js';
import { LineSplitter, recogniseAnswerId } from '../protocol/framing.js';
import type { JsonObject } from '../protocol/json.js';
import type { Listing, ListKind } from '../protocol/listing.js';
import type { Malformed, Message, ResponseMessage } from '../protocol/message.js';
import type { BackendPeer, Departure, Exit, Introduction } from '../router/ports.js';
import { assertNever } from '../shared/assert-never.js';
import type { Clock } from '../shared/clock.js';
import type { GatewayId, ToBackend } from '../shared/ids.js';
import type { Log } from '../shared/log.js';
import type { BackendSettings } from '../shared/settings.js';
import { BackendError } from './backend-error.js';
import { openLegacy } from './handshake.js';
import { LastOutput } from './last-output.js';
import type { Launch, ProcessExit, RunningProcess } from './launch.js';
import { kindsAnnouncedBy, ListingReader } from './listing-reader.js';
import { ListingRefresh } from './listing-refresh.js';
import type { Noise } from './noise.js';
import { OwnRequests } from './own-requests.js';
import type { RunEvents } from './run-events.js';
import { StderrLog } from './stderr-log.js';
import { StderrRing } from './stderr-ring.js';

/** The part of stderr that goes along with an exit: the last lines of a stack trace. */
const exitTailBytes = 2 * 1024;

export interface RunOptions {
  readonly settings: BackendSettings;
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
  readonly #lines: LineSplitter;
  readonly #requests: OwnRequests;
  readonly #stderrRing = new StderrRing();
  readonly #stderrLog: StderrLog;
  readonly #lastOutput = new LastOutput();
  readonly #refresh: ListingRefresh;
  #reader: ListingReader | undefined;

  constructor(options: RunOptions) {
    const { settings, env, launch, clock, log, nextId } = options;
    this.#options = options;
    this.#stderrLog = new StderrLog(log, clock);
    this.#refresh = new ListingRefresh(clock, (kinds) => this.#readAgain(kinds));
    this.#requests = new OwnRequests({
      backend: settings.key,
      nextId,
      clock,
      write: (message) => this.write(message),
    });
    this.#lines = new LineSplitter({
      maxLineBytes: settings.maxLineBytes,
      onLine: (line, validUtf8) => this.#line(line, validUtf8),
      onOversize: ({ head, tail, length }) => {
        log.warn(
          { lengthBytes: length, maxLineBytes: settings.maxLineBytes },
          'backend line dropped: too long',
        );
        this.#unreadable(head, tail, 'too-large');
      },
    });
    const { command, args, cwd, stop } = settings;
    this.#process = launch(
      { command, args, cwd, env, stop },
      {
        stdout: (chunk) => {
          if (this.#reader === undefined) this.#lastOutput.push(chunk);
          this.#lines.push(chunk);
        },
        stderr: (chunk) => {
          if (this.#reader === undefined) this.#lastOutput.push(chunk);
          this.#stderrRing.push(chunk);
          this.#stderrLog.push(chunk);
        },
        lost: (reason) => options.events.lost(reason),
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

  write(message: ToBackend, departure?: Departure): void {
    this.#process.write(message, departure);
  }

  /** Asks the process something; throws as `OwnRequests.send` does. */
  request(method: string, params: JsonObject | undefined, timeoutMs: number): Promise<ResponseMessage> {
    return this.#requests.send(method, params, timeoutMs);
  }

  /** The handshake. Throws as `openLegacy` does. */
  async open(timeoutMs: number): Promise<BackendPeer> {
    const { settings, introduction, clock } = this.#options;
    const write = (message: ToBackend) => this.write(message);
    const peer = await openLegacy(settings.key, this.#requests, write, introduction, timeoutMs);
    const ask = this.#requests.send.bind(this.#requests);
    this.#reader = new ListingReader(ask, clock, peer.capabilities);
    return peer;
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
    return this.#process.stop();
  }

  kill(): void {
    this.#process.kill();
  }

  /** How an end of this run is told: what happened, and the last lines of stderr. */
  describeEnd(end: Pick<Exit, 'code' | 'signal' | 'reason'>): Exit {
    const { code, signal, reason } = end;
    return { code, signal, reason, stderrTail: this.#stderrRing.tail(exitTailBytes) };
  }

  #line(line: Buffer, validUtf8: boolean): void {
    if (validUtf8) this.#receive(readMessage(line, { maxDepth: Number.POSITIVE_INFINITY }), line, 'line');
    else this.#unreadable(line, line, 'not-utf8');
  }

  #receive(message: Message | Malformed, bytes: Buffer, within: 'line' | 'batch'): void {
    const { events } = this.#options;
    switch (message.kind) {
      case 'response':
        if (!this.#requests.take(message)) events.message(message);
        break;
      case 'notification': {
        const kinds = kindsAnnouncedBy(message.method);
        if (kinds === undefined) events.message(message);
        else this.#refresh.announce(kinds);
        break;
      }
      case 'request':
        events.message(message);
        break;
      case 'batch':
        if (within === 'batch' || message.elements.length === 0) this.#noise(bytes);
        else for (const { start, end } of message.elements) this.#element(bytes.subarray(start, end));
        break;
      case 'malformed':
        this.#noise(bytes);
        break;
      default:
        assertNever(message);
    }
  }

  /** Servers of revision 2025-03-26 may answer several messages in one line. */
  #element(bytes: Buffer): void {
    this.#receive(readMessage(bytes, { maxDepth: Number.POSITIVE_INFINITY }), bytes, 'batch');
  }

  #unreadable(head: Buffer, tail: Buffer, problem: 'too-large' | 'not-utf8'): void {
    const id = recogniseAnswerId(head, tail);
    if (id === undefined) this.#noise(head);
    else if (!this.#requests.takeUnreadable(id, problem)) {
      this.#options.events.undeliverable(id as GatewayId, problem);
    }
  }

  #noise(line: Buffer): void {
    const { noise, log } = this.#options;
    const first = !noise.multilineJson;
    const shown = noise.add(line);
    log.debug({ line: shown }, 'backend noise: not a message');
    if (first && noise.multilineJson)
      log.warn('backend prints JSON over several lines; a message must be one line');
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

  #exited(exit: ProcessExit): void {
    this.#lines.end();
    this.#stderrLog.end();
    this.#refresh.end();
    this.#options.log.debug({ reason: exit.reason, stoppedBy: exit.rung }, 'backend process gone');
    this.#options.events.ended(this.describeEnd(exit));
    this.#requests.end(exit.reason);
  }
}
