import type { Settings } from '../shared/settings.js';
import { exitCodes } from './exit-codes.js';
import { print } from './print.js';

/** Says that the configuration is good, and which of its backends would not be started all the same. */
export async function check({ backends }: Settings): Promise<number> {
  await print(['ok', ...backends.flatMap(({ key, off }) => (off === undefined ? [] : [isOff(key, off)]))]);
  return exitCodes.clean;
}

/** One line about a backend that is not started. */
export function isOff(key: string, reason: string): string {
  return `backend "${key}" is off: ${reason}`;
}
