import type { BackendKey } from './ids.js';

/** Why the gateway's own request to a backend has no answer. */
export type BackendProblem =
  /** No process is there to ask. */
  | 'not-ready'
  /** The process ended first. */
  | 'ended'
  | 'timed-out'
  /** The answer came and could not be read: too long a line, or not UTF-8. */
  | 'unreadable'
  /** The handshake was refused; another start would end the same way. */
  | 'refused'
  /** The handshake was answered with an error. */
  | 'handshake';

/** What stays in the house: it never crosses the wire as it is. `message` is a phrase about the backend. */
export class BackendError extends Error {
  override readonly name = 'BackendError';
  readonly backend: BackendKey;
  readonly problem: BackendProblem;

  constructor(backend: BackendKey, problem: BackendProblem, message: string) {
    super(message);
    this.backend = backend;
    this.problem = problem;
  }
}
