import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { RequestMessage } from '../protocol/message.js';
import type { GatewayId, SessionKey } from '../shared/ids.js';

/** What a `requestState` of ours stands for: one round of questions of one parked call. */
export interface Ticket {
  readonly call: GatewayId;
  readonly session: SessionKey;
  /** Counts the rounds of the call, so that each state serves once. */
  readonly round: number;
  /** Of the request that the state was given for; a retry has to be the same request. */
  readonly digest: string;
  /** On the clock's scale. */
  readonly expiresMs: number;
}

const prefix = 'switchboard.';

/**
 * Makes and reads `requestState`s. They come back from the client's hands, which may have changed them, so each is
 * signed with a key that lives as long as the process. [MCP 2026-07-28 basic/patterns § input_required]
 */
export class RequestStates {
  readonly #key = randomBytes(32);

  sign(ticket: Ticket): string {
    const body = Buffer.from(JSON.stringify(ticket)).toString('base64url');
    return `${prefix}${body}.${this.#mac(body)}`;
  }

  /** The ticket in a state that this process signed; `undefined` for any other text. */
  read(state: string): Ticket | undefined {
    if (!state.startsWith(prefix)) return undefined;
    const [body = '', mac = '', ...rest] = state.slice(prefix.length).split('.');
    const expected = Buffer.from(this.#mac(body));
    const given = Buffer.from(mac);
    if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected))
      return undefined;
    return JSON.parse(Buffer.from(body, 'base64url').toString()) as Ticket;
  }

  #mac(body: string): string {
    return createHmac('sha256', this.#key).update(body).digest('base64url');
  }
}

/** What makes a retry the same request: its method, what it names, and its arguments, byte for byte. */
export function digestOf({ bytes, method, fields }: RequestMessage): string {
  const hash = createHash('sha256').update(method);
  for (const span of [fields.name, fields.uri, fields.arguments]) {
    hash.update('\0');
    if (span !== undefined) hash.update(bytes.subarray(span.start, span.end));
  }
  return hash.digest('base64url');
}
