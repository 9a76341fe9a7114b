import type { Clock, Timer } from '../shared/clock.js';
import type { AcceptedRequest } from './conversation.js';

interface Waiter {
  readonly proceed: () => void;
  readonly leave: () => void;
}

/** Requests that wait for something to come about at start-up, each for a bounded time. */
export class WaitingRoom {
  readonly #clock: Clock;
  readonly #waiters = new Set<Waiter>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#waiters.size;
  }

  /** Until it is released, cancelled or late, the request counts as open in its session. */
  add(
    { session, idKey, idText }: AcceptedRequest,
    wait: { readonly timeoutMs: number; readonly proceed: () => void; readonly late: () => void },
  ): void {
    const leave = () => {
      timer.cancel();
      this.#waiters.delete(waiter);
    };
    const waiter: Waiter = { proceed: wait.proceed, leave };
    const timer: Timer = this.#clock.after(wait.timeoutMs, () => {
      leave();
      wait.late();
    });
    this.#waiters.add(waiter);
    session.open.set(idKey, {
      idText,
      cancel() {
        leave();
        session.end(idKey, undefined);
      },
    });
  }

  /** Lets everybody proceed, in the order of arrival. */
  release(): void {
    for (const waiter of [...this.#waiters]) {
      waiter.leave();
      waiter.proceed();
    }
  }
}
