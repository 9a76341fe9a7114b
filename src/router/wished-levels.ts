import { type LogLevel, mostVerbose } from '../protocol/log-level.js';

/** What a session hears that never set a level, once another one has made a shared backend talkative. */
export const defaultLevel: LogLevel = 'info';

/** The log levels that all sessions wish, counted: thousands of them cost a change no more than one does. */
export class WishedLevels {
  /** Sessions by what they wish; `undefined` for those that never set a level. */
  readonly #sessions = new Map<LogLevel | undefined, number>();

  /** @returns whether it is the first of its kind */
  add(level: LogLevel | undefined): boolean {
    const others = this.#sessions.get(level) ?? 0;
    this.#sessions.set(level, others + 1);
    return others === 0;
  }

  /** @returns whether it was the last of its kind */
  remove(level: LogLevel | undefined): boolean {
    const others = (this.#sessions.get(level) ?? 0) - 1;
    if (others > 0) this.#sessions.set(level, others);
    else this.#sessions.delete(level);
    return others <= 0;
  }

  /**
   * The level that satisfies all sessions and `byCalls`; `undefined` while nobody has set one: then a backend keeps
   * its own.
   */
  together(byCalls: LogLevel | undefined): LogLevel | undefined {
    const wished = [byCalls, ...this.#sessions.keys()];
    if (wished.every((level) => level === undefined)) return undefined;
    const silent = this.#sessions.has(undefined) ? defaultLevel : undefined;
    return mostVerbose([silent, ...wished].filter((level) => level !== undefined));
  }
}
