import type { Socket } from 'node:net';
import { type RawData, WebSocket } from 'ws';
import type { ClientPort, Conversation, OpenConversation } from '../router/ports.js';
import { assertNever } from '../shared/assert-never.js';
import type { Clock } from '../shared/clock.js';
import type { SessionKey, ToClient } from '../shared/ids.js';
import type { Log } from '../shared/log.js';
import type { HeartbeatSettings, SlowReaderSettings } from '../shared/settings.js';
import { closeCodes } from './close-codes.js';
import { fitCloseReason } from './close-reason.js';
import { Heartbeat } from './heartbeat.js';
import { MalformedLimit } from './malformed-limit.js';
import { Outbox } from './outbox.js';
import type { Pressure } from './slow-reader.js';

export interface SessionOptions {
  readonly key: SessionKey;
  readonly webSocket: WebSocket;
  /** The socket beneath `webSocket`. */
  readonly socket: Socket;
  readonly heartbeat: HeartbeatSettings;
  /** Share (0 to 1) of the heartbeat interval before the first ping. */
  readonly heartbeatPhase: number;
  readonly slowReader: SlowReaderSettings;
  readonly clock: Clock;
  readonly log: Log;
  readonly open: OpenConversation;
  /** The socket is gone, and the conversation knows. */
  readonly closed: () => void;
}

/** Who ended a session, and why. */
interface Ending {
  readonly by: 'client' | 'gateway' | 'network';
  readonly why: string;
}

// Routers and NATs forget silent connections; this long between probes keeps most of them from it.
const tcpKeepAliveMs = 60_000;

/**
 * One client's socket from upgrade to close. It knows frames, time and pressure, and never looks into a
 * message.
 *
 *   open ── close() ──▶ closing (what waits is sent, then a close frame; `ws` gives the peer 5 s) ──▶ closed
 *    │                                                                                                 ▲
 *    └── terminate(): silent, too slow ────────────────────────────────────────────────────────────────┘
 *
 * While closing nothing more is taken from the client. On `closed` the conversation ends, exactly once.
 */
export class Session implements ClientPort {
  readonly key: SessionKey;
  readonly #webSocket: WebSocket;
  readonly #socket: Socket;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #outbox: Outbox;
  readonly #heartbeat: Heartbeat;
  readonly #malformed = new MalformedLimit();
  readonly #conversation: Conversation;
  readonly #openedAtMs: number;
  #ending: Ending | undefined;
  #messagesIn = 0;
  #messagesOut = 0;

  constructor(options: SessionOptions) {
    // What the listeners below use is taken out here: they would keep all options as long as the session.
    const { webSocket, socket, clock, slowReader, heartbeat, closed } = options;
    this.key = options.key;
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.#clock = clock;
    this.#log = options.log;
    this.#openedAtMs = clock.now();
    this.#outbox = new Outbox(socket, slowReader, {
      isOpen: () => this.#isOpen,
      pressure: (pressure) => this.#underPressure(pressure),
      stalled: () => this.#stalled(slowReader.stallMs),
    });
    this.#heartbeat = new Heartbeat(heartbeat, clock, options.heartbeatPhase, {
      ping: () => webSocket.ping(),
      receivedBytes: () => socket.bytesRead,
      silent: () => this.terminate(`nothing received for ${heartbeat.graceMs} ms after a ping`),
    });
    this.#conversation = options.open(this);

    webSocket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    webSocket.on('error', (error) => this.#failed(error));
    webSocket.on('close', (code) => this.#closed(code, closed));
    socket.setKeepAlive(true, tcpKeepAliveMs);
  }

  send(message: ToClient): void {
    this.#messagesOut += 1;
    this.#outbox.send(message);
  }

  sendProgress(message: ToClient, token: string): void {
    this.#messagesOut += 1;
    this.#outbox.sendProgress(message, token);
  }

  close(code: number, reason: string): void {
    if (!this.#isOpen) return;
    this.#ending ??= { by: 'gateway', why: reason };
    this.#outbox.release();
    this.#webSocket.close(code, fitCloseReason(reason));
    // The peer's close frame has to be read.
    this.#webSocket.resume();
  }

  /** Ends the socket without a closing handshake, for peers that would not take part in one. */
  terminate(why: string): void {
    this.#ending ??= { by: 'gateway', why };
    this.#webSocket.terminate();
  }

  get #isOpen(): boolean {
    return this.#webSocket.readyState === WebSocket.OPEN;
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (!this.#isOpen) return;
    this.#messagesIn += 1;
    if (isBinary || !Buffer.isBuffer(data)) {
      this.close(closeCodes.unsupportedData, 'binary messages are not accepted; send JSON-RPC as text');
      return;
    }
    try {
      if (this.#conversation.receive(data) === 'accepted') return;
    } catch (error) {
      this.#log.error({ session: this.key, err: error }, 'message handling failed');
      this.close(closeCodes.internalError, 'internal error of the gateway');
      return;
    }
    if (this.#malformed.exceededAt(this.#clock.now())) {
      this.close(closeCodes.policyViolation, 'too many messages that are not JSON');
    }
  }

  #underPressure(pressure: Pressure): void {
    switch (pressure) {
      case 'flowing':
        this.#webSocket.resume();
        this.#heartbeat.resume();
        return;
      case 'pressed':
        this.#webSocket.pause();
        this.#heartbeat.suspend();
        return;
      case 'overflowing':
        this.terminate(`reads too slowly: ${this.#outbox.unsentBytes} bytes unsent`);
        return;
      default:
        assertNever(pressure);
    }
  }

  #stalled(stallMs: number): void {
    const { unsentBytes } = this.#outbox;
    if (unsentBytes === 0) return;
    this.terminate(`stopped reading: none of ${unsentBytes} unsent bytes taken for ${stallMs} ms`);
  }

  /** `ws` closes the socket after its errors itself, with the code that the RFC asks for. */
  #failed(error: Error): void {
    const code = 'code' in error && typeof error.code === 'string' ? error.code : error.message;
    this.#ending ??= { by: code.startsWith('WS_ERR_') ? 'gateway' : 'network', why: code };
  }

  #closed(code: number, done: () => void): void {
    this.#heartbeat.stop();
    this.#outbox.clear();
    this.#conversation.ended();
    const ending: Ending = this.#ending ?? {
      by: code === closeCodes.abnormal ? 'network' : 'client',
      why: code === closeCodes.abnormal ? 'connection lost' : 'closed by the client',
    };
    this.#log.info(
      {
        session: this.key,
        code,
        ...ending,
        durationMs: Math.round(this.#clock.now() - this.#openedAtMs),
        messagesIn: this.#messagesIn,
        messagesOut: this.#messagesOut,
        bytesIn: this.#socket.bytesRead,
        bytesOut: this.#socket.bytesWritten,
      },
      'session closed',
    );
    done();
  }
}
