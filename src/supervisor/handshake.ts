import type { BackendSide, Era, Opening } from '../eras/backend-side.js';
import type { BackendPeer } from '../router/ports.js';
import type { BackendKey } from '../shared/ids.js';
import type { Log } from '../shared/log.js';
import { answerValue, describeError } from './answer.js';
import { BackendError } from './backend-error.js';
import type { OwnRequests } from './own-requests.js';
import { printable } from './printable.js';

/** A refusal quotes what the backend said of its revision: no more than a line of it. */
const maxRefusalLength = 300;

export interface HandshakeOptions {
  readonly backend: BackendKey;
  /** The eras to try, at least one, the last of which has to be the right one. */
  readonly sides: readonly BackendSide[];
  readonly requests: OwnRequests;
  /** How long an era that is not the last may take, in milliseconds. */
  readonly probeTimeoutMs: number;
  readonly log: Log;
}

export type Opened =
  | { readonly kind: 'open'; readonly side: BackendSide; readonly peer: BackendPeer }
  /** The process did not survive being tried in another era, or says nothing since: `next` is for a new one. */
  | { readonly kind: 'spent'; readonly next: Era; readonly reason: string };

/** What came of the opening request of one era. */
type Reply =
  | { readonly kind: 'accepted'; readonly opened: Opened }
  | {
      readonly kind: 'refused';
      readonly reason: string;
      /** Another process would answer the same. */
      readonly final: boolean;
      /** The backend is of this era all the same. */
      readonly ofThisEra: boolean;
      /** It was answered with a result: what that says may be why the next era fails too. */
      readonly telling?: true;
    };

/** The beginning of the conversation with a fresh process, until it is known in which era it is held. */
export class Handshake {
  readonly #options: HandshakeOptions;
  #onTrial: boolean;

  constructor(options: HandshakeOptions) {
    this.#options = options;
    this.#onTrial = options.sides.length > 1;
  }

  /** An end of the process now says more about the question that it was asked than about the backend. */
  get onTrial(): boolean {
    return this.#onTrial;
  }

  /**
   * Tries the eras one after the other.
   * @throws {BackendError} `refused` when it cannot be spoken to in any revision of ours, `handshake` when it
   *   answers otherwise than with a result, else what `OwnRequests.open` throws
   */
  async open(timeoutMs: number): Promise<Opened> {
    const { sides, backend, probeTimeoutMs } = this.#options;
    const said: string[] = [];
    for (const [index, side] of sides.entries()) {
      const next = sides[index + 1];
      this.#onTrial = next !== undefined;
      // Half of the time at most, so that the next era has its turn within the same start.
      const limitMs = next === undefined ? timeoutMs : Math.min(probeTimeoutMs, timeoutMs / 2);
      const reply = await this.#try(side, next, limitMs);
      this.#onTrial = false;
      if (reply.kind === 'accepted') return reply.opened;
      if (next === undefined || reply.ofThisEra) {
        const reason = [reply.reason, ...said].join('; ');
        throw new BackendError(backend, reply.final ? 'refused' : 'handshake', reason);
      }
      if (reply.telling) said.push(reply.reason);
      this.#options.log.debug({ reason: reply.reason, next: next.era }, 'backend is of another era');
    }
    throw new Error('there is no era to try');
  }

  async #try(side: BackendSide, next: BackendSide | undefined, timeoutMs: number): Promise<Reply> {
    try {
      return await this.#ask(side, timeoutMs);
    } catch (error) {
      if (!(error instanceof BackendError) || next === undefined) throw error;
      const { message, problem } = error;
      if (problem === 'unreadable') return { ...refusal(message), ofThisEra: false };
      return { kind: 'accepted', opened: { kind: 'spent', next: next.era, reason: message } };
    }
  }

  async #ask(side: BackendSide, timeoutMs: number, repeated = false): Promise<Reply> {
    const { requests } = this.#options;
    const { method } = side.opening;
    const answer = await requests.open(side, timeoutMs);
    const value = answerValue(answer);
    if (answer.outcome === 'result') return this.#read(side, side.readOpening(value), repeated);
    const other = answer.outcome === 'error' ? side.afterError(value) : undefined;
    if (other !== undefined && !repeated) return this.#ask(other, timeoutMs, true);
    return { ...refusal(`${method}: ${describeError(answer)}`), ofThisEra: repeated };
  }

  #read(side: BackendSide, opening: Opening, ofThisEra: boolean): Reply {
    if (opening.outcome === 'refused') {
      const { final, reason } = opening;
      return {
        kind: 'refused',
        reason: printable(reason, maxRefusalLength),
        final,
        ofThisEra,
        telling: true,
      };
    }
    if (side.opened !== undefined) this.#options.requests.notify(side.opened.method, side.opened.params);
    const { revision, capabilities, serverInfo, instructions } = opening;
    const peer: BackendPeer = { era: side.era, revision, capabilities, serverInfo, instructions };
    return { kind: 'accepted', opened: { kind: 'open', side, peer } };
  }
}

function refusal(reason: string) {
  return { kind: 'refused', reason, final: false } as const;
}
