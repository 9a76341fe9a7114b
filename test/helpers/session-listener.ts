import { Writable } from 'node:stream';
import { pino } from 'pino';
import type { ClientPort, Conversation } from '../../src/router/ports.js';
import { type Listener, startListener } from '../../src/sessions/listener.js';
import { type Clock, systemClock } from '../../src/shared/clock.js';
import type { ToClient } from '../../src/shared/ids.js';
import type {
  HeartbeatSettings,
  LimitSettings,
  ListenSettings,
  SlowReaderSettings,
} from '../../src/shared/settings.js';
import { settings } from './settings.js';

/** One session as the router would see it. */
interface SeenSession {
  readonly port: ClientPort;
  /** How often its conversation was told of its end. */
  endings: number;
}

export interface TestListener extends AsyncDisposable {
  readonly listener: Listener;
  readonly url: string;
  readonly port: number;
  /** Every session since the start, in order. */
  readonly seen: readonly SeenSession[];
  /** Everything that was logged, as JSON lines. */
  readonly logText: () => string;
}

export interface TestListenerOptions {
  readonly listen?: Partial<ListenSettings>;
  readonly limits?: Partial<LimitSettings>;
  readonly heartbeat?: Partial<HeartbeatSettings>;
  readonly slowReader?: Partial<SlowReaderSettings>;
  /** Default: the operating system's. */
  readonly clock?: Clock;
  /** What a conversation does with a message. Default: sends it back, or calls it malformed when it is no JSON. */
  readonly receive?: (port: ClientPort, bytes: Buffer) => 'accepted' | 'malformed';
}

export function toClient(...pieces: readonly (string | Buffer)[]): ToClient {
  return pieces.map((piece) => Buffer.from(piece)) as readonly Buffer[] as ToClient;
}

/** A listener on a free port whose conversations echo, ended with the test. */
export async function startTestListener(options: TestListenerOptions = {}): Promise<TestListener> {
  const seen: SeenSession[] = [];
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const receive = options.receive ?? echo;
  const usual = settings();
  const listener = await startListener({
    settings: {
      listen: { ...usual.listen, ...options.listen },
      limits: { ...usual.limits, ...options.limits },
      heartbeat: { ...usual.heartbeat, ...options.heartbeat },
      slowReader: { ...usual.slowReader, ...options.slowReader },
    },
    open(port): Conversation {
      const session: SeenSession = { port, endings: 0 };
      seen.push(session);
      return {
        receive: (bytes) => receive(port, bytes),
        ended() {
          session.endings += 1;
        },
      };
    },
    log: pino({ level: 'trace' }, sink),
    clock: options.clock ?? systemClock,
  });
  return {
    listener,
    url: listener.url,
    port: Number(new URL(listener.url).port),
    seen,
    logText: () => lines.join(''),
    [Symbol.asyncDispose]: () => listener.close(),
  };
}

function echo(port: ClientPort, bytes: Buffer): 'accepted' | 'malformed' {
  try {
    JSON.parse(bytes.toString());
  } catch {
    port.send(toClient('malformed'));
    return 'malformed';
  }
  port.send(toClient(bytes));
  return 'accepted';
}
