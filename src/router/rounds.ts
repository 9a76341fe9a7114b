import { insertBytes } from '../eras/insert.js';
import { readMessage, stringAt } from '../protocol/envelope.js';
import { gatewayError, type WireError } from '../protocol/errors.js';
import type { RequestMessage, ResponseMessage, Span } from '../protocol/message.js';
import { backendRule } from '../protocol/methods.js';
import type { Edit } from '../protocol/splice.js';
import { entrySpans, memberSpans } from '../protocol/walk.js';
import type { Clock } from '../shared/clock.js';
import type { Asker } from './asker.js';
import type { Calls } from './calls.js';
import { canAnswer } from './can-answer.js';
import type { Call } from './lane.js';
import type { Questions } from './questions.js';
import { oneLine } from './rewrite.js';

/** Rounds of one call with questions: a backend that asks for ever must come to an end. */
const maxRounds = 20;
/**
 * How long a call waits whose backend asked for nothing but to be called again: longer each time, as it works on
 * something that takes a while. The deadline of the call limits how often.
 */
const pauseMs = { first: 250, longest: 5_000 } as const;

/** One result that asks for input, while the client is being asked. */
interface Round {
  readonly call: Call;
  readonly keys: readonly string[];
  readonly answers: Map<string, Buffer>;
  /** The state to be brought back, as JSON text. */
  readonly state: Buffer | undefined;
}

/** What has become of a call so far. */
interface History {
  /** The names that it goes by at its backend. */
  readonly edits: readonly Edit[];
  rounds: number;
  pauseMs: number;
}

export interface RoundsOptions {
  readonly calls: () => Calls;
  readonly questions: () => Questions;
  readonly clock: Clock;
}

/**
 * Calls at backends that ask for input in place of a result, by clients that are asked by requests: the client is
 * asked, and the call is sent again with the answers and the exact state, as often as the backend asks.
 * [MCP 2026-07-28 basic/patterns § input_required]
 */
export class Rounds {
  readonly #options: RoundsOptions;
  readonly #histories = new WeakMap<Call, History>();

  constructor(options: RoundsOptions) {
    this.#options = options;
  }

  /** @returns whether the answer is none that the client can be given: it asks for input, or is of another kind */
  take(call: Call, { bytes, outcome, value }: ResponseMessage): boolean {
    const { rule, lane, context } = call;
    if (outcome !== 'result' || value === undefined) return false;
    if (lane.translationFor(context).questions !== 'in-requests') return false;
    const found = memberSpans(bytes, value, ['resultType', 'inputRequests', 'requestState']);
    const kind = found.resultType === undefined ? 'complete' : stringAt(bytes, found.resultType);
    if (kind === 'complete') return false;
    if (kind !== 'input_required' || rule.mayAsk !== true) {
      this.#options.calls().fail(call, unusable(call, kind));
      return true;
    }
    lane.setAside(call);
    const entries = found.inputRequests === undefined ? [] : entrySpans(bytes, found.inputRequests);
    // Of a key that occurs more than once the last value counts, as with `JSON.parse`.
    const requests = new Map(entries.map(({ key, value: request }) => [key, request]));
    const { requestState } = found;
    const round: Round = {
      call,
      keys: [...requests.keys()],
      answers: new Map(),
      state: requestState && bytes.subarray(requestState.start, requestState.end),
    };
    if (requests.size === 0) this.#pause(round);
    else if (this.#begins(round))
      for (const [key, request] of requests) this.#ask(round, key, bytes, request);
    return true;
  }

  /** Without a state, the call sent again would be another one: it might take effect twice. */
  #pause(round: Round): void {
    const { call, state } = round;
    if (state === undefined) {
      this.#options.calls().fail(call, asksForNothing(call));
      return;
    }
    const history = this.#historyOf(call);
    this.#options.clock.after(history.pauseMs, () => this.#resume(round));
    history.pauseMs = Math.min(history.pauseMs * 2, pauseMs.longest);
  }

  /** @returns whether the backend may ask once more */
  #begins({ call }: Round): boolean {
    const history = this.#historyOf(call);
    history.rounds += 1;
    history.pauseMs = pauseMs.first;
    if (history.rounds <= maxRounds) return true;
    this.#fail(call, `has asked for input more than ${maxRounds} times`);
    return false;
  }

  #historyOf(call: Call): History {
    const history = this.#histories.get(call) ?? { edits: call.edits, rounds: 0, pauseMs: pauseMs.first };
    this.#histories.set(call, history);
    return history;
  }

  #ask(round: Round, key: string, bytes: Buffer, request: Span): void {
    const { call } = round;
    if (call.phase !== 'asking') return;
    const message = asRequest(bytes, request);
    const rule = message && backendRule(message.method, 'request');
    if (message === undefined || rule?.route.to !== 'asked-client') {
      this.#fail(call, `asks for input in a way that the gateway does not know (${JSON.stringify(key)})`);
    } else if (!canAnswer(call.session.era.context, message, rule, rule.route.question)) {
      this.#fail(call, `asks for "${message.method}", which this client did not declare that it can answer`);
    } else {
      const asker = this.#asker(round, key, message.method);
      this.#options.questions().send(call.lane, call.session, message, asker, [call]);
    }
  }

  #asker(round: Round, key: string, method: string): Asker {
    const { call } = round;
    return {
      key: `input ${call.id} ${key}`,
      answer: (message) => {
        const { bytes, value, outcome, multiline } = message;
        if (outcome !== 'result' || value === undefined) {
          this.#fail(call, `asked for "${method}", and the client answered with an error`);
          return;
        }
        round.answers.set(key, oneLine(bytes.subarray(value.start, value.end), multiline));
        if (round.answers.size === round.keys.length) this.#resume(round);
      },
      refuse: (error: WireError) => {
        if (call.phase === 'asking') this.#options.calls().fail(call, error);
      },
      // A result that asks has no token to report progress under.
      progress: () => undefined,
    };
  }

  #resume({ call, keys, answers, state }: Round): void {
    if (call.phase !== 'asking' || call.message === undefined) return;
    const { bytes, params } = call.message;
    const parts: Buffer[] = [];
    if (keys.length > 0) parts.push(Buffer.from('"inputResponses":{'));
    keys.forEach((key, index) => {
      parts.push(
        Buffer.from(`${index === 0 ? '' : ','}${JSON.stringify(key)}:`),
        answers.get(key) ?? Buffer.from('null'),
      );
    });
    if (keys.length > 0) parts.push(Buffer.from('}'));
    if (state !== undefined) parts.push(Buffer.from(`${keys.length > 0 ? ',' : ''}"requestState":`), state);
    const { edits } = this.#historyOf(call);
    const input = params === undefined ? [] : [insertBytes(bytes, params, Buffer.concat(parts))];
    this.#options.calls().resume(call, [...edits, ...input]);
  }

  #fail(call: Call, what: string): void {
    const { key } = call.lane.port;
    const error = gatewayError('noOwner', `backend "${key}" ${what}`, { backend: key });
    this.#options.calls().fail(call, error);
  }
}

/** A result that a client of handshakes would take for a complete one. */
function unusable({ lane, rule }: Call, kind: string | undefined): WireError {
  const { key } = lane.port;
  const what = kind === undefined ? 'that is no text' : JSON.stringify(kind);
  const reason = `backend "${key}" answered "${rule.method}" with a resultType ${what}, which this client cannot be given`;
  return gatewayError('internalError', reason, { backend: key });
}

function asksForNothing({ lane, rule }: Call): WireError {
  const { key } = lane.port;
  const reason = `backend "${key}" answered "${rule.method}" with a resultType "input_required" that has neither inputRequests nor a requestState`;
  return gatewayError('internalError', reason, { backend: key });
}

/** A request in a result as one that can be sent. */
function asRequest(bytes: Buffer, request: Span): RequestMessage | undefined {
  const { method, params } = memberSpans(bytes, request, ['method', 'params']);
  if (method === undefined) return undefined;
  const text = Buffer.concat([
    Buffer.from('{"jsonrpc":"2.0","id":0,"method":'),
    bytes.subarray(method.start, method.end),
    Buffer.from(',"params":'),
    params === undefined ? Buffer.from('{}') : bytes.subarray(params.start, params.end),
    Buffer.from('}'),
  ]);
  const message = readMessage(text, { maxDepth: Number.POSITIVE_INFINITY });
  return message.kind === 'request' ? message : undefined;
}
