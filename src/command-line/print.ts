/** What was asked for cannot be written. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
}

/**
 * Writes lines to stdout; a reader that has left before the end has what it wanted.
 * @throws {OutputError} when they cannot be written, on a full disk for example
 */
export function print(lines: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    // It comes to the callback, too.
    process.stdout.once('error', () => undefined);
    process.stdout.write(
      lines.map((line) => `${line}\n`).join(''),
      (error?: NodeJS.ErrnoException | null) => {
        if (error == null || error.code === 'EPIPE') resolve();
        else reject(new OutputError(`stdout cannot be written: ${error.message}`));
      },
    );
  });
}
