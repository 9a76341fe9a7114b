/** The command line cannot be understood (exit code 64). The message says what is wrong and what to write. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
