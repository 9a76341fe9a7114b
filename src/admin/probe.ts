/** What a probe found. It is the body of the answer, and `ok` decides between 200 and 503. */
export interface Probe {
  readonly ok: boolean;
  /** Why it does not hold, as phrases for the person who looks; empty when it does. */
  readonly reasons: readonly string[];
}
