/** One thing that is wrong with the configuration. */
export interface Problem {
  /** Where it stands: `mcpServers.grammar.restart.maxExits`; empty when it concerns the file as a whole. */
  readonly path: string;
  /** The whole sentence, with file, path, what was expected and what was found. Never a secret's value. */
  readonly message: string;
}

/** The configuration cannot be used (exit code 78). Holds every problem found, not only the first. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: readonly Problem[]) {
    super(problems.map((problem) => problem.message).join('\n'));
  }
}
