/** The open sessions, counted in total and by the address they come from. */
export class SessionRegistry<Session> {
  readonly #addresses = new Map<Session, string>();
  readonly #counts = new Map<string, number>();
  #whenEmpty: (() => void)[] = [];

  get size(): number {
    return this.#addresses.size;
  }

  countOf(address: string): number {
    return this.#counts.get(address) ?? 0;
  }

  add(session: Session, address: string): void {
    if (this.#addresses.has(session)) return;
    this.#addresses.set(session, address);
    this.#counts.set(address, this.countOf(address) + 1);
  }

  remove(session: Session): void {
    const address = this.#addresses.get(session);
    if (address === undefined) return;
    this.#addresses.delete(session);
    const left = this.countOf(address) - 1;
    if (left === 0) this.#counts.delete(address);
    else this.#counts.set(address, left);
    if (this.size > 0) return;
    for (const resolve of this.#whenEmpty) resolve();
    this.#whenEmpty = [];
  }

  /** Resolves when no session is left, at once if there is none now. */
  whenEmpty(): Promise<void> {
    if (this.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenEmpty.push(resolve));
  }

  /** The sessions of this moment, safe to walk while they leave. */
  snapshot(): Session[] {
    return [...this.#addresses.keys()];
  }
}
