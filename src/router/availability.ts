import { gatewayError, type WireError } from '../protocol/errors.js';
import { assertNever } from '../shared/assert-never.js';
import type { BackendKey } from '../shared/ids.js';
import type { BackendState, Exit } from './ports.js';

/** Whether a call can go to a backend now, should wait for it, or is refused with a reason. */
export type Availability =
  | { readonly kind: 'go' }
  | { readonly kind: 'wait' }
  | { readonly kind: 'refuse'; readonly error: WireError };

/**
 * The longest announced restart that a call waits for instead of being refused: long enough for the first
 * restarts after a crash to go unnoticed, short enough that callers of a crash loop hear of it at once.
 */
const patienceMs = 2_000;

/** Decides by the backend's state; `nowMs` is on the clock's scale. */
export function availability(key: BackendKey, state: BackendState, nowMs: number): Availability {
  switch (state.kind) {
    case 'ready':
      return { kind: 'go' };
    case 'starting':
      return { kind: 'wait' };
    case 'backing-off': {
      const waitMs = state.untilMs - nowMs;
      if (waitMs <= patienceMs) return { kind: 'wait' };
      return { kind: 'refuse', error: restarting(key, state.lastExit, waitMs) };
    }
    case 'failed': {
      const retryAfterMs = Math.max(0, Math.ceil(state.retryAtMs - nowMs));
      return {
        kind: 'refuse',
        error: gatewayError(
          'backendStartFailed',
          `backend "${key}" failed: ${state.reason}; the next attempt is due in about ${seconds(retryAfterMs)}`,
          { backend: key, state: 'failed', retryAfterMs, ...exitData(state.lastExit) },
        ),
      };
    }
    case 'off':
      return {
        kind: 'refuse',
        error: gatewayError('backendUnavailable', `backend "${key}" is off: ${state.reason}`, {
          backend: key,
          state: 'off',
          retryable: false,
        }),
      };
    case 'stopped':
    case 'stopping':
      return { kind: 'refuse', error: shuttingDown() };
    default:
      return assertNever(state);
  }
}

/** The error for calls that waited for a start which did not come about. */
export function restarting(key: BackendKey, lastExit: Exit, waitMs: number): WireError {
  const retryAfterMs = Math.max(0, Math.ceil(waitMs));
  return gatewayError(
    'backendUnavailable',
    `backend "${key}" is restarting (${lastExit.reason}); retry in about ${seconds(retryAfterMs)}`,
    { backend: key, state: 'backing-off', retryAfterMs, ...exitData(lastExit) },
  );
}

/** The error for a call whose process ended under it. */
export function exitedUnder(key: BackendKey, exit: Exit): WireError {
  return gatewayError(
    'backendExited',
    `backend "${key}" ended (${exit.reason}) before it answered; whether the call took effect is unknown`,
    { backend: key, ...exitData(exit) },
  );
}

/** The error for calls that the gateway cannot take or finish because it is being stopped. */
export function shuttingDown(): WireError {
  return gatewayError('shuttingDown', 'the gateway is shutting down; connect again in a moment', {
    state: 'draining',
  });
}

function exitData(exit: Exit) {
  return { exitCode: exit.code, signal: exit.signal, stderr: exit.stderrTail };
}

function seconds(ms: number): string {
  return `${Math.max(1, Math.round(ms / 1000))} s`;
}
