/** A variable whose values a server may propose while somebody types. [MCP 2025-11-25 completion] */
export interface Completable {
  /** The values that `typed` may become, likeliest first; as many as there are. Default: no proposals. */
  readonly complete?: (typed: string) => readonly string[] | Promise<readonly string[]>;
}
