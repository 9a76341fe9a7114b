import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/** Something that a client received. Ids of this connection are replaced by the method they belong to. */
export type TapeEvent =
  | { readonly answer: string; readonly result: unknown }
  | { readonly answer: string; readonly error: unknown }
  | { readonly notice: string; readonly params: unknown }
  | { readonly question: string; readonly params: unknown };

/** What a client received while it did one thing, in the order of arrival. */
export interface TapeStep {
  readonly title: string;
  readonly events: TapeEvent[];
}

/** How long anything may be awaited, in milliseconds; the slowest tool of the servers takes 4 s. */
export const patienceMs = 15_000;

/** All that one client received, by what it was doing at the time. */
export interface Tape {
  readonly steps: readonly TapeStep[];
  /** From here on, what arrives belongs to this step. */
  step(title: string): void;
  /** Waits until the present step holds an event that fits, or as many as `times`. */
  until(what: string, fits: (event: TapeEvent) => boolean, times?: number): Promise<TapeEvent>;
  /** Forgets what has arrived in the present step, and what arrives while `act` runs. */
  unrecorded(act: () => Promise<void>): Promise<void>;
  /** How many `list_changed` of a kind arrived so far. They are counted, not part of a step. */
  changes(kind: 'tools' | 'prompts' | 'resources'): number;
  /** Waits until more than `count` of them arrived. */
  changed(kind: 'tools' | 'prompts' | 'resources', count: number): Promise<void>;
}

const listChanged = /^notifications\/(\w+)\/list_changed$/;

/** Told of every message that passes. */
export type Watcher = (from: 'client' | 'server', message: JSONRPCMessage) => void;

/**
 * Puts a tape behind an SDK transport. `revision` replaces the one that the SDK's client asks for, which is always
 * its newest.
 */
export function taped(
  inner: Transport,
  revision: string,
  watch: Watcher = () => undefined,
): { transport: Transport; tape: Tape } {
  const steps: TapeStep[] = [{ title: 'the handshake', events: [] }];
  const counts = new Map<string, number>();
  const waiters = new Set<() => void>();
  /** What this client asked, and what it was asked, by id. */
  const asked = new Map<unknown, string>();
  const questions = new Map<unknown, string>();
  const events = () => steps.at(-1)?.events ?? [];

  const transport: Transport = {
    async start() {
      inner.onclose = () => transport.onclose?.();
      inner.onerror = (error) => transport.onerror?.(error);
      inner.onmessage = (message) => {
        watch('server', message);
        note(message);
        for (const look of waiters) look();
        transport.onmessage?.(message);
      };
      await inner.start();
    },
    send(message, options) {
      if ('method' in message && 'id' in message) asked.set(message.id, message.method);
      watch('client', message);
      return inner.send(withRevision(message, revision), options);
    },
    close: () => inner.close(),
  };

  function note(message: JSONRPCMessage): void {
    if (!('method' in message)) {
      const answer = asked.get(message.id) ?? `an unknown id: ${JSON.stringify(message.id)}`;
      events().push(
        'error' in message ? { answer, error: message.error } : { answer, result: message.result },
      );
    } else if ('id' in message) {
      questions.set(message.id, message.method);
      events().push({ question: message.method, params: message.params });
    } else {
      const kind = listChanged.exec(message.method)?.[1];
      if (kind !== undefined) counts.set(kind, (counts.get(kind) ?? 0) + 1);
      else events().push({ notice: message.method, params: withoutIds(message.params) });
    }
  }

  function withoutIds(params: Record<string, unknown> | undefined): unknown {
    if (params === undefined) return undefined;
    const replaced = { ...params };
    if ('progressToken' in params) replaced.progressToken = asked.get(params.progressToken) ?? params;
    if ('requestId' in params) replaced.requestId = questions.get(params.requestId) ?? params;
    return replaced;
  }

  const wait = <T>(what: string, read: () => T | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        clearTimeout(timer);
        waiters.delete(look);
        act();
      };
      const look = () => {
        const found = read();
        if (found !== undefined) settle(() => resolve(found));
      };
      const timer = setTimeout(
        () =>
          settle(() =>
            reject(new Error(`${what}: not within ${patienceMs} ms; ${JSON.stringify(steps.at(-1))}`)),
          ),
        patienceMs,
      );
      waiters.add(look);
      look();
    });

  const changes: Tape['changes'] = (kind) => counts.get(kind) ?? 0;
  return {
    transport,
    tape: {
      steps,
      step: (title) => void steps.push({ title, events: [] }),
      until: (what, fits, times = 1) => wait(what, () => events().filter(fits)[times - 1]),
      async unrecorded(act) {
        await act();
        events().length = 0;
      },
      changes,
      changed: async (kind, count) => {
        await wait(`a change of the ${kind}`, () => (changes(kind) > count ? true : undefined));
      },
    },
  };
}

function withRevision(message: JSONRPCMessage, protocolVersion: string): JSONRPCMessage {
  if (!('method' in message) || message.method !== 'initialize') return message;
  return { ...message, params: { ...message.params, protocolVersion } };
}
