import type { Clock, Timer } from '../shared/clock.js';
import type { HeartbeatSettings } from '../shared/settings.js';

/** What a heartbeat does to its socket. */
export interface HeartbeatTarget {
  ping(): void;
  /** Bytes received so far, of whatever kind: a slow upload is life as much as a pong is. */
  receivedBytes(): number;
  /** Nothing was heard in time. */
  silent(): void;
}

/**
 * Pings a peer every `intervalMs` and reports it silent when nothing was received within `graceMs` of a ping:
 * a peer that is gone without a FIN is noticed in interval + grace. While the gateway itself does not read
 * from the peer, pongs cannot be seen and silence means nothing: that time is left out by `suspend`.
 */
export class Heartbeat {
  readonly #settings: HeartbeatSettings;
  readonly #clock: Clock;
  readonly #target: HeartbeatTarget;
  /** The first ping's delay, then every ping; owned here, ended by `stop`. */
  #beat: Timer;
  /** Running since the last ping that nothing was received after. */
  #deadline: Timer | undefined;
  #receivedAtPing = 0;
  #suspended = false;

  /** @param phase a random share (0 to 1) of the first interval, so that not all sessions ping together. */
  constructor(settings: HeartbeatSettings, clock: Clock, phase: number, target: HeartbeatTarget) {
    this.#settings = settings;
    this.#clock = clock;
    this.#target = target;
    this.#beat = clock.after(phase * settings.intervalMs, () => {
      this.#beat = clock.every(settings.intervalMs, () => this.#ping());
      this.#ping();
    });
  }

  suspend(): void {
    this.#suspended = true;
    this.#deadline?.cancel();
    this.#deadline = undefined;
  }

  resume(): void {
    this.#suspended = false;
  }

  stop(): void {
    this.#beat.cancel();
    this.suspend();
  }

  #ping(): void {
    if (this.#suspended) return;
    const received = this.#target.receivedBytes();
    if (this.#deadline === undefined || received !== this.#receivedAtPing) {
      this.#deadline?.cancel();
      this.#receivedAtPing = received;
      this.#deadline = this.#clock.after(this.#settings.graceMs, () => this.#judge());
    }
    this.#target.ping();
  }

  #judge(): void {
    this.#deadline = undefined;
    if (this.#target.receivedBytes() === this.#receivedAtPing) this.#target.silent();
  }
}
