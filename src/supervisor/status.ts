import type { Listing } from '../protocol/listing.js';
import type { BackendState, Exit } from '../router/ports.js';
import { assertNever } from '../shared/assert-never.js';
import type { BackendSettings } from '../shared/settings.js';
import { type Life, runOf } from './life.js';
import type { Noise } from './noise.js';
import type { Run } from './run.js';

/** What the status page says of one backend, without what the router counts. */
export interface BackendStatus {
  readonly name: string;
  readonly namespace: string;
  readonly state: BackendState['kind'];
  readonly era: 'legacy' | 'modern' | null;
  readonly revision: string | null;
  readonly pid: number | null;
  /** Processes started so far. */
  readonly starts: number;
  /** Starts after the first; a second process within one start, to try another era, is none. */
  readonly restarts: number;
  readonly lastExit: Exit | null;
  /** Why it does not serve; `null` when it does, or is not meant to. */
  readonly reason: string | null;
  /** Lines on stdout that were no messages. */
  readonly noiseLines: number;
  /** The first of them. */
  readonly lastNoise: readonly string[];
  /** The end of what the newest process wrote to stderr, at most 8 KiB. */
  readonly stderrTail: string;
  /** What of its listing was skipped or cut short, and what a person should mend. */
  readonly warnings: readonly string[];
}

/** The part of stderr that a person needs to see what went wrong. */
const tailBytes = 8 * 1024;

/** Where the status of a backend is read from. */
export interface StatusSources {
  readonly settings: BackendSettings;
  readonly life: Life;
  readonly nowMs: number;
  readonly starts: number;
  readonly restarts: number;
  readonly lastExit: Exit | undefined;
  /** The newest run, living or not: what it wrote to stderr is of interest after its end. */
  readonly newest: Run | undefined;
  readonly noise: Noise;
  readonly listing: Listing | undefined;
}

export function readStatus(sources: StatusSources): BackendStatus {
  const { settings, life, nowMs, starts, restarts, lastExit, newest, noise, listing } = sources;
  const peer = life.kind === 'ready' ? life.peer : undefined;
  const run = runOf(life);
  const warnings = noise.advice === undefined ? [] : [noise.advice];
  return {
    name: settings.key,
    namespace: settings.namespace,
    state: life.kind,
    era: peer?.era ?? null,
    revision: peer?.revision ?? null,
    pid: run?.pid ?? null,
    starts,
    restarts,
    lastExit: lastExit ?? null,
    reason: describeState(life, nowMs, run?.lastOutput) ?? null,
    noiseLines: noise.count,
    lastNoise: noise.first,
    stderrTail: newest?.stderrTail(tailBytes) || (lastExit?.stderrTail ?? ''),
    warnings: [...(listing?.warnings ?? []), ...warnings],
  };
}

/** Why a backend in this state does not serve, in words. */
function describeState(
  state: BackendState,
  nowMs: number,
  lastOutput: string | undefined,
): string | undefined {
  switch (state.kind) {
    case 'off':
      return state.reason;
    case 'starting': {
      const output = lastOutput === undefined ? '' : `; last output: "${lastOutput}"`;
      return `still starting, ${Math.floor((nowMs - state.sinceMs) / 1000)} s${output}`;
    }
    case 'backing-off':
      return `${state.lastExit.reason}${hintOf(state.lastExit)}; starts again in ${seconds(state.untilMs - nowMs)}`;
    case 'failed':
      return `${state.reason}${hintOf(state.lastExit)}; tried again in ${seconds(state.retryAtMs - nowMs)}`;
    case 'stopped':
    case 'ready':
    case 'stopping':
      return undefined;
    default:
      return assertNever(state);
  }
}

function hintOf({ hint }: Exit): string {
  return hint === undefined ? '' : ` (${hint})`;
}

function seconds(ms: number): string {
  return `${Math.max(0, Math.ceil(ms / 1000))} s`;
}
