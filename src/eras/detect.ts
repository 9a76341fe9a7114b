import { assertNever } from '../shared/assert-never.js';
import type { BackendSide, Caller, Era } from './backend-side.js';
import { legacyBackendSide } from './legacy/backend-side.js';
import { modernBackendSide } from './modern/backend-side.js';

/**
 * The eras to try with a backend, in this order. All but the last are tried with suspicion: whatever is not
 * clearly of that era leads on to the next.
 *
 * @param configured what the configuration says
 * @param found what an earlier process turned out to be
 */
export function erasToTry(configured: Era | 'auto', found: Era | undefined): readonly Era[] {
  if (configured !== 'auto') return [configured];
  // A modern server may well refuse `initialize` for good; few legacy ones mind a request that they do not know.
  return found === undefined ? ['modern', 'legacy'] : [found];
}

/** A backend's side of an era, as `caller` takes part in it. */
export function createBackendSide(era: Era, caller: Caller): BackendSide {
  switch (era) {
    case 'legacy':
      return legacyBackendSide(caller);
    case 'modern':
      return modernBackendSide(caller);
    default:
      return assertNever(era);
  }
}

/** Whether a backend of the era is told the log level by a request of its own; others read it in each call. */
export function hasLevelRequest(era: Era): boolean {
  return era === 'legacy';
}
