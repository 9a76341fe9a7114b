import type { BackendState, Exit } from '../router/ports.js';
import { assertNever } from '../shared/assert-never.js';
import type { Timer } from '../shared/clock.js';
import type { Verdict } from './restart-policy.js';
import type { Run } from './run.js';
import type { Start } from './start.js';

type StateOf<Kind extends BackendState['kind']> = Extract<BackendState, { kind: Kind }>;

/**
 * A backend's state with the handles that belong to it:
 *
 * - `off`, `stopped`: nothing runs. Left by `start()`.
 * - `starting`: `start` brings a run up, once its predecessor is gone. Left to `ready`, or by its end.
 * - `ready`: `run` serves. Left by its end, or by `stop()`.
 * - `backing-off`, `failed`: nothing runs but perhaps a predecessor on its way out; `retry` starts anew.
 * - `stopping`: `run` climbs down the stop ladder. Left to `stopped`.
 */
export type Life =
  | StateOf<'off'>
  | StateOf<'stopped'>
  | (StateOf<'starting'> & { readonly start: Start })
  | (StateOf<'ready'> & { readonly run: Run; readonly sinceMs: number })
  | (StateOf<'backing-off'> & { readonly retry: Timer })
  | (StateOf<'failed'> & { readonly retry: Timer })
  | (StateOf<'stopping'> & { readonly run: Run | undefined });

/** The run that belongs to the state, if one does. */
export function runOf(life: Life): Run | undefined {
  if (life.kind === 'starting') return life.start.run;
  return 'run' in life ? life.run : undefined;
}

/** Cleans up behind a state that is left. */
export function leave(life: Life): void {
  switch (life.kind) {
    case 'starting':
      life.start.end();
      break;
    case 'backing-off':
    case 'failed':
      life.retry.cancel();
      break;
    case 'off':
    case 'stopped':
    case 'ready':
    case 'stopping':
      break;
    default:
      assertNever(life);
  }
}

/** The state after an exit, until `retry` starts anew. */
export function resting(verdict: Verdict, nowMs: number, lastExit: Exit, retry: Timer): Life {
  return verdict.kind === 'retry'
    ? { kind: 'backing-off', untilMs: nowMs + verdict.delayMs, lastExit, retry }
    : { kind: 'failed', retryAtMs: nowMs + verdict.delayMs, reason: verdict.reason, lastExit, retry };
}

/** What the log says of a state besides its name. */
export function facts(life: Life, nowMs: number): Record<string, unknown> {
  switch (life.kind) {
    case 'off':
      return { reason: life.reason };
    case 'starting':
    case 'stopped':
    case 'stopping':
      return {};
    case 'ready':
      return { pid: life.run.pid, era: life.peer.era, revision: life.peer.revision };
    case 'backing-off':
      return { ...exitFacts(life.lastExit), retryInMs: Math.round(life.untilMs - nowMs) };
    case 'failed':
      return {
        ...exitFacts(life.lastExit),
        reason: life.reason,
        retryInMs: Math.round(life.retryAtMs - nowMs),
      };
    default:
      return assertNever(life);
  }
}

function exitFacts({ code, signal, reason, hint }: Exit): Record<string, unknown> {
  return { reason, hint, code, signal };
}
