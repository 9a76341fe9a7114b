import type { Problem } from './config-error.js';
import { type ConfigValue, describeValue } from './value.js';

const PLAIN_KEY = /^[A-Za-z0-9_$-]+$/;

/** A place in the configuration file, and where the problems found there are gathered. */
export class Place {
  private constructor(
    private readonly file: string,
    private readonly problems: Problem[],
    /** `mcpServers.grammar.args[0]`; empty for the file as a whole. */
    readonly path: string,
  ) {}

  /** The file as a whole. `file` is shown as given; problems are appended to `problems`. */
  static root(file: string, problems: Problem[]): Place {
    return new Place(file, problems, '');
  }

  at(key: string | number): Place {
    return new Place(this.file, this.problems, this.path + (this.path === '' ? firstStep(key) : step(key)));
  }

  report(message: string): void {
    const where = this.path === '' ? this.file : `${this.file}: ${this.path}`;
    this.problems.push({ path: this.path, message: `${where}: ${message}` });
  }

  /** Reports a problem with the line (and column) of the text it comes from. */
  reportAt(position: string, message: string): void {
    const where = this.path === '' ? '' : `${this.path}: `;
    this.problems.push({ path: this.path, message: `${this.file}:${position}: ${where}${message}` });
  }

  /** Reports a value that is not what it should be. Pass `describeKind` where values may be secrets. */
  expected(what: string, got: ConfigValue, describe = describeValue): void {
    this.report(`expected ${what}, got ${describe(got)}`);
  }
}

function firstStep(key: string | number): string {
  return typeof key === 'string' && PLAIN_KEY.test(key) ? key : step(key);
}

function step(key: string | number): string {
  if (typeof key === 'number') return `[${key}]`;
  return PLAIN_KEY.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
