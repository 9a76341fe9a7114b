import { gatewayError, type WireError } from '../protocol/errors.js';
import { exitedUnder } from './availability.js';
import type { Call, Lane } from './lane.js';
import type { RequestFailure } from './ports.js';

/** The limit that a call has run into, by its name in the configuration. */
interface Limit {
  readonly name: 'requestTimeout' | 'maxRequestTime';
  readonly ms: number;
}

/** Which limit a call has exceeded whose deadline is over. */
export function exceeded({ deadlineMs, lastMs, lane }: Call): Limit {
  const { maxRequestTimeMs, requestTimeoutMs } = lane.port.settings;
  return deadlineMs >= lastMs
    ? { name: 'maxRequestTime', ms: maxRequestTimeMs }
    : { name: 'requestTimeout', ms: requestTimeoutMs };
}

/** The error for a call whose deadline is over. */
export function expired({ phase, questions, rule, lane }: Call, { name, ms }: Limit): WireError {
  if (phase === 'sent') return silent(lane, rule.method, { name, ms });
  const { key, state } = lane.port;
  const data = { backend: key, limit: name, limitMs: ms };
  if (phase === 'asking' && questions === 0) {
    const message = `backend "${key}" asked for "${rule.method}" again and again, and did not answer it within ${ms} ms (${name})`;
    return gatewayError('timedOut', message, data);
  }
  if (phase === 'asking') {
    const message = `the questions that backend "${key}" asks before it answers "${rule.method}" were not answered within ${ms} ms (${name})`;
    return gatewayError('timedOut', message, data);
  }
  if (state.kind === 'ready') {
    const message = `backend "${key}" was busy and took no further call within ${ms} ms (${name}); the request was not sent`;
    return gatewayError('timedOut', message, data);
  }
  const message = `backend "${key}" is ${state.kind} and took no call within ${ms} ms (${name})`;
  return gatewayError('backendUnavailable', message, { backend: key, state: state.kind });
}

/** The error for a request that the gateway sent in a client's stead, and to which no answer came. */
export function unanswered(lane: Lane, method: string, { message, problem }: RequestFailure): WireError {
  const { key, settings, state } = lane.port;
  if (problem === 'timed-out')
    return silent(lane, method, { name: 'requestTimeout', ms: settings.requestTimeoutMs });
  if (problem === 'ended' && 'lastExit' in state) return exitedUnder(key, state.lastExit);
  if (problem === 'unreadable') return gatewayError('internalError', message, { backend: key });
  return gatewayError('backendUnavailable', message, { backend: key, state: state.kind });
}

function silent({ port: { key, advice } }: Lane, method: string, { name, ms }: Limit): WireError {
  const hint = advice === undefined ? '' : `; the backend ${advice}`;
  return gatewayError(
    'timedOut',
    `backend "${key}" did not answer "${method}" within ${ms} ms (${name}); the request was cancelled there${hint}`,
    { backend: key, limit: name, limitMs: ms },
  );
}

/** The error for a call whose answer came and cannot be handed on. */
export function unreadable({ port: { key, settings } }: Lane, problem: 'too-large' | 'not-utf8'): WireError {
  return problem === 'too-large'
    ? gatewayError(
        'responseTooLarge',
        `the answer of backend "${key}" is longer than ${settings.maxLineBytes} bytes; ask for less, or raise maxLineBytes`,
        { backend: key, limit: settings.maxLineBytes },
      )
    : gatewayError('internalError', `the answer of backend "${key}" is not valid UTF-8`, { backend: key });
}

/** The error for a call that was answered with both or neither of a result and an error, or with no object. */
export function invalidAnswer({ port: { key } }: Lane): WireError {
  const message = `backend "${key}" sent an answer that has not exactly one of "result" and "error", as an object`;
  return gatewayError('internalError', message, { backend: key });
}
