/** Marks a `switch` as complete: reaching it is a compile error, or at run time a bug. */
export function assertNever(value: never): never {
  throw new Error(`unexpected case: ${JSON.stringify(value)}`);
}
