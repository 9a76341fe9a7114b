import type { Clock } from '../shared/clock.js';
import type { StopSettings } from '../shared/settings.js';

/** What to run and how to stop it. */
export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment; nothing else is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly stop: StopSettings;
}

/** The rungs of the stop ladder, in order. */
export type StopRung = 'end-of-input' | 'terminate' | 'kill';

/** The end of a process. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** What happened, as a phrase. */
  readonly reason: string;
  /** Where to look, for whoever runs the gateway: may hold values of its environment. */
  readonly hint?: string | undefined;
  /** How far the stop ladder had to be climbed; `undefined` when nobody had asked the process to end. */
  readonly rung: StopRung | undefined;
}

/** What a process does, in the order in which it does it. Nothing comes after `exit`. */
export interface ProcessEvents {
  stdout(chunk: Buffer): void;
  stderr(chunk: Buffer): void;
  /** It lives, but can no longer be talked to. To be answered with `stop`. */
  lost(reason: string): void;
  /** It is gone, and all that it wrote was handed on. */
  exit(exit: ProcessExit): void;
}

/** One run of a command. */
export interface RunningProcess {
  /** `undefined` when it could not be started. */
  readonly pid: number | undefined;
  readonly unwrittenBytes: number;
  write(pieces: readonly Buffer[]): void;
  /** Climbs the stop ladder; resolves once the process is gone. */
  stop(): Promise<void>;
  /** Ends the process and its group without any wait for it. */
  kill(): void;
}

/** Starts a command; whatever goes wrong is told through `events`, later. */
export type Launch = (command: Command, events: ProcessEvents, clock: Clock) => RunningProcess;
