import type { Settings } from '../shared/settings.js';
import { exitCodes } from './exit-codes.js';
import { print } from './print.js';

/** Says that the configuration is good, and which of its backends would not be started all the same. */
export async function check(settings: Settings): Promise<number> {
  await print(['ok']);
  tellWhatIsOff(settings);
  return exitCodes.clean;
}

/** One line on stderr for each backend that is not started. */
export function tellWhatIsOff({ backends }: Settings): void {
  for (const { key, off } of backends) {
    if (off !== undefined) console.error(`backend "${key}" is off: ${off}`);
  }
}
