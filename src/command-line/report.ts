import { ConfigError } from '../config/config-error.js';
import { ListenError } from '../shared/listen-error.js';
import { exitCodes } from './exit-codes.js';
import { OutputError } from './print.js';
import { UsageError } from './usage-error.js';

/**
 * Says on stderr what ended the program: a sentence for what a person can mend, the stack for a fault of ours.
 * @returns the exit code that belongs to it
 */
export function report(error: unknown): number {
  if (error instanceof UsageError) return say(`${error.message}\ntry --help`, exitCodes.usage);
  if (error instanceof ConfigError) return say(error.message, exitCodes.configuration);
  if (error instanceof ListenError) return say(error.message, error.exitCode);
  if (error instanceof OutputError) return say(error.message, exitCodes.output);
  return say(error instanceof Error ? (error.stack ?? error.message) : String(error), exitCodes.internal);
}

function say(text: string, code: number): number {
  console.error(text);
  return code;
}
