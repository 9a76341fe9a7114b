import type { IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { OpenConversation } from '../router/ports.js';
import type { Clock } from '../shared/clock.js';
import { authority } from '../shared/host.js';
import type { SessionKey } from '../shared/ids.js';
import type { Log } from '../shared/log.js';
import type { Settings } from '../shared/settings.js';
import { readHandshake } from './handshake.js';
import {
  type Handshake,
  type HandshakeRules,
  judgeHandshake,
  judgePlainRequest,
} from './handshake-checks.js';
import { bind, createHttpServer } from './http-server.js';
import { listenRules } from './listen-rules.js';
import { refuse } from './refusal.js';
import { SessionRegistry } from './registry.js';
import { Session } from './session.js';
import { createWebSocketServer } from './websocket-server.js';

export interface ListenerOptions {
  readonly settings: Pick<Settings, 'listen' | 'limits' | 'heartbeat' | 'slowReader'>;
  /** Called for every client once its socket is open. */
  readonly open: OpenConversation;
  readonly log: Log;
  readonly clock: Clock;
  /** Gives every session its number. Default: 1, 2, 3 … */
  readonly nextSessionKey?: () => SessionKey;
}

/** The WebSocket listener and its sessions. */
export interface Listener {
  /** Where clients connect, with the port that is really bound: `ws://127.0.0.1:8808/mcp`. */
  readonly url: string;
  /** Open sessions. */
  readonly sessions: number;
  /** From now on upgrades are refused with 503; open sessions go on. */
  stopAccepting(): void;
  /**
   * Stops accepting and closes every session with a close code. Peers that do not take part within a second
   * are cut off.
   * @returns when all of them are gone.
   */
  closeAll(code: number, reason: string): Promise<void>;
  /** Ends every session at once, without a close code. */
  terminateAll(): void;
  /** Gives up the port and ends what is still open. Resolves when nothing is left. */
  close(): Promise<void>;
}

/**
 * Sockets accepted beyond the limit of sessions: they are told with 503 that there is no room. Any more are
 * dropped without an answer.
 */
const refusalRoom = 100;
const closeHandshakeMs = 1_000;
/** Longest text of a client's choosing in a log line. */
const maxLoggedLength = 256;

/**
 * Opens the listener.
 * @throws {ListenError} when the address cannot be had (69) or the settings are not safe to serve (78).
 */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const { settings, log, clock } = options;
  const rules = listenRules(settings.listen);
  const nextKey = options.nextSessionKey ?? countFromOne();
  const sessions = new SessionRegistry<Session>();
  const webSockets = createWebSocketServer(settings.limits.maxMessageBytes);
  let draining = false;

  const server = createHttpServer(settings.limits.connections + refusalRoom, {
    upgrade: (request, socket, head) => {
      const handshake = readHandshake(request);
      const verdict = judgeHandshake(handshake, rulesFor(handshake));
      if (verdict.kind === 'refused') {
        const { status, sentence } = verdict.refusal;
        const path = handshake.path.slice(0, maxLoggedLength);
        log.info({ status, reason: sentence, path, client: describe(handshake) }, 'upgrade refused');
        refuse(socket, verdict.refusal);
        return;
      }
      offerOnly(request, verdict.subprotocol);
      webSockets.handleUpgrade(request, socket, head, (webSocket) =>
        openSession(webSocket, socket, handshake),
      );
    },
    plain: (request) => {
      const handshake = readHandshake(request);
      return judgePlainRequest(handshake, rulesFor(handshake));
    },
  });

  function rulesFor({ address }: Handshake): HandshakeRules {
    const load = { draining, total: sessions.size, ofAddress: sessions.countOf(address) };
    return { ...rules, limits: settings.limits, load };
  }

  function openSession(webSocket: WebSocket, socket: Socket, handshake: Handshake): void {
    const key = nextKey();
    const session: Session = new Session({
      key,
      webSocket,
      socket,
      heartbeat: settings.heartbeat,
      heartbeatPhase: Math.random(),
      slowReader: settings.slowReader,
      clock,
      log,
      open: options.open,
      closed: () => sessions.remove(session),
    });
    sessions.add(session, handshake.address);
    log.info({ session: key, path: handshake.path, client: describe(handshake) }, 'session opened');
  }

  function terminateAll(): void {
    for (const session of sessions.snapshot()) session.terminate('the gateway ends all sessions');
  }

  await bind(server, settings.listen);
  server.on('error', (error) => log.error({ err: error }, 'listener failed'));
  // Bound to an IP address, never to a pipe.
  const { port } = server.address() as AddressInfo;

  return {
    url: `ws://${authority(settings.listen.host, port)}${settings.listen.paths[0] ?? '/'}`,
    get sessions() {
      return sessions.size;
    },
    stopAccepting() {
      draining = true;
    },
    async closeAll(code, reason) {
      draining = true;
      for (const session of sessions.snapshot()) session.close(code, reason);
      const patience = clock.after(closeHandshakeMs, terminateAll);
      await sessions.whenEmpty();
      patience.cancel();
    },
    terminateAll,
    async close() {
      draining = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      terminateAll();
      await closed;
    },
  };
}

/** Leaves of the offered subprotocols only the chosen one, so that nothing behind sees a credential. */
function offerOnly({ headers }: IncomingMessage, subprotocol: string | undefined): void {
  if (subprotocol === undefined) delete headers['sec-websocket-protocol'];
  else headers['sec-websocket-protocol'] = subprotocol;
}

/** What a log line says of a peer: nothing that may hold a secret. */
function describe({ address, origin }: Handshake): { address: string; origin: string | undefined } {
  return { address, origin: origin?.slice(0, maxLoggedLength) };
}

function countFromOne(): () => SessionKey {
  let last = 0;
  return () => {
    last += 1;
    return last as SessionKey;
  };
}
