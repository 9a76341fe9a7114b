/** Malformed messages a client may send within `windowMs`. More are no accident but a broken or hostile client. */
const allowed = 10;
/** The period that is looked at, in milliseconds. */
const windowMs = 60_000;

/** Counts a client's malformed messages. */
export class MalformedLimit {
  readonly #times: number[] = [];

  /**
   * Notes one at `nowMs`.
   * @returns whether it is one too many.
   */
  exceededAt(nowMs: number): boolean {
    this.#times.push(nowMs);
    while (this.#times[0] !== undefined && this.#times[0] <= nowMs - windowMs) this.#times.shift();
    return this.#times.length > allowed;
  }
}
