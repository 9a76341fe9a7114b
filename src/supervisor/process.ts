import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { assertNever } from '../shared/assert-never.js';
import type { Clock, Timer } from '../shared/clock.js';
import { InputWriter } from './input-writer.js';
import type { Command, Launch, ProcessEvents, ProcessExit, RunningProcess, StopRung } from './launch.js';
import { signalGroup } from './process-group.js';
import { describeSpawnFailure } from './spawn-failure.js';

/**
 * How long the pipes may stay open after the process went, and the process after its pipes: both end within
 * the same moment, unless a grandchild holds the pipe or the process closed it and lives on. Leaves half of
 * the 100 ms in which callers hear of a crash.
 */
const settleMs = 50;

/** A killed process is gone at once, unless the kernel holds it; then nothing more can be done about it. */
const abandonMs = 1_000;

type Stage =
  | { readonly kind: 'running' }
  /** A pipe broke; the exit should follow. */
  | { readonly kind: 'settling'; readonly timer: Timer }
  | { readonly kind: 'stopping'; readonly rung: StopRung; readonly timer: Timer }
  /** The process went; what it left in the pipes is still read. */
  | { readonly kind: 'emptying'; readonly exit: ProcessExit; readonly timer: Timer }
  | { readonly kind: 'gone' };

/** Starts a command as a child process of the gateway, in a process group of its own. */
export const launchProcess: Launch = (command, events, clock) => new SpawnedProcess(command, events, clock);

class SpawnedProcess implements RunningProcess {
  readonly #command: Command;
  readonly #events: ProcessEvents;
  readonly #clock: Clock;
  readonly #child: ChildProcess | undefined;
  readonly #input: InputWriter | undefined;
  readonly #gone: Promise<void>;
  #resolveGone: () => void = () => undefined;
  #stage: Stage = { kind: 'running' };

  constructor(command: Command, events: ProcessEvents, clock: Clock) {
    this.#command = command;
    this.#events = events;
    this.#clock = clock;
    this.#gone = new Promise((resolve) => {
      this.#resolveGone = resolve;
    });
    this.#child = this.#spawn();
    if (this.#child?.stdin) this.#input = new InputWriter(this.#child.stdin);
    if (this.#child !== undefined) this.#listen(this.#child);
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get unwrittenBytes(): number {
    return this.#input?.unwrittenBytes ?? 0;
  }

  write(pieces: readonly Buffer[]): void {
    this.#input?.write(pieces);
  }

  /*
   * The ladder. [MCP 2026-07-28 stdio § Shutdown]
   *
   *   running ──stop()──▶ stdin closed ──endOfInputMs──▶ SIGTERM ──terminateMs──▶ SIGKILL ──abandonMs──▶ gone
   *                            │                            │                        │
   *                            └──────── exit ──────────────┴───────── exit ─────────┴─▶ SIGKILL ─▶ gone
   *
   * All signals go to the group. The last SIGKILL is for those that the leader left behind; it is sent after
   * every exit, asked for or not.
   */
  stop(): Promise<void> {
    const { kind } = this.#stage;
    if (kind === 'running' || kind === 'settling') this.#climb('end-of-input');
    return this.#gone;
  }

  kill(): void {
    const { kind } = this.#stage;
    if (kind === 'running' || kind === 'settling' || kind === 'stopping') this.#climb('kill');
  }

  #climb(rung: StopRung): void {
    const { endOfInputMs, terminateMs } = this.#command.stop;
    switch (rung) {
      case 'end-of-input':
        this.#enter({
          kind: 'stopping',
          rung,
          timer: this.#after(endOfInputMs, () => this.#climb('terminate')),
        });
        this.#input?.end();
        break;
      case 'terminate':
        this.#enter({ kind: 'stopping', rung, timer: this.#after(terminateMs, () => this.#climb('kill')) });
        this.#signal('SIGTERM');
        break;
      case 'kill':
        this.#enter({ kind: 'stopping', rung, timer: this.#after(abandonMs, () => this.#abandon()) });
        this.#signal('SIGKILL');
        break;
      default:
        assertNever(rung);
    }
  }

  #spawn(): ChildProcess | undefined {
    const { command, args, cwd, env } = this.#command;
    try {
      return spawn(command, args, {
        cwd,
        env,
        stdio: ['pipe', 'pipe', 'pipe'],
        shell: false,
        // A group of its own, to be signalled as one. On Windows it would open a console window instead.
        detached: process.platform !== 'win32',
        windowsHide: true,
      });
    } catch (error) {
      setImmediate(() => this.#failedToStart(error));
      return undefined;
    }
  }

  #listen(child: ChildProcess): void {
    child.on('error', (error) => {
      if (child.pid === undefined) this.#failedToStart(error);
    });
    child.on('exit', (code, signal) => this.#exited(code, signal));
    child.on('close', () => {
      if (this.#stage.kind === 'emptying') this.#finish(this.#stage.exit);
    });
    child.stdin?.on('error', () => this.#pipeBroke('stopped reading its stdin'));
    if (child.stdout) {
      listenTo(child.stdout, (chunk) => this.#events.stdout(chunk));
      child.stdout.on('close', () => this.#pipeBroke('closed its stdout'));
    }
    if (child.stderr) listenTo(child.stderr, (chunk) => this.#events.stderr(chunk));
  }

  #pipeBroke(reason: string): void {
    if (this.#stage.kind !== 'running' || this.pid === undefined) return;
    const lost = () => this.#events.lost(`${reason} without exiting`);
    this.#enter({ kind: 'settling', timer: this.#after(settleMs, lost) });
  }

  #exited(code: number | null, signal: NodeJS.Signals | null): void {
    if (this.#stage.kind === 'gone' || this.#stage.kind === 'emptying') return;
    const rung = this.#stage.kind === 'stopping' ? this.#stage.rung : undefined;
    this.#signal('SIGKILL');
    const exit = { code, signal, reason: code === null ? `signal ${signal}` : `exit code ${code}`, rung };
    this.#enter({ kind: 'emptying', exit, timer: this.#after(settleMs, () => this.#finish(exit)) });
  }

  #failedToStart(error: unknown): void {
    const { reason, hint } = describeSpawnFailure(this.#command, error);
    this.#finish({ code: null, signal: null, reason, hint, rung: undefined });
  }

  #abandon(): void {
    this.#finish({ code: null, signal: null, reason: 'still there after SIGKILL', rung: 'kill' });
  }

  #finish(exit: ProcessExit): void {
    if (this.#stage.kind === 'gone') return;
    this.#enter({ kind: 'gone' });
    this.#child?.stdin?.destroy();
    this.#child?.stdout?.destroy();
    this.#child?.stderr?.destroy();
    this.#events.exit(exit);
    this.#resolveGone();
  }

  #signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    if (this.pid !== undefined) signalGroup(this.pid, signal);
  }

  #enter(stage: Stage): void {
    if ('timer' in this.#stage) this.#stage.timer.cancel();
    this.#stage = stage;
  }

  /** Runs after `ms` and one more look at the pipes, so that a busy event loop does not outrun what was written. */
  #after(ms: number, run: () => void): Timer {
    let cancelled = false;
    const timer = this.#clock.after(ms, () => setImmediate(() => cancelled || run()));
    return {
      cancel: () => {
        cancelled = true;
        timer.cancel();
      },
    };
  }
}

/** An error of a pipe is followed by its close, which is where it is handled. */
function listenTo(stream: Readable, take: (chunk: Buffer) => void): void {
  stream.on('data', take);
  stream.on('error', () => stream.destroy());
}
