import type { SlowReaderSettings } from '../shared/settings.js';

/** How far a client is behind with reading. */
export type Pressure =
  /** It keeps up. */
  | 'flowing'
  /** It is behind: nothing is read from it, and of progress only the newest is kept. */
  | 'pressed'
  /** It is so far behind that its memory is needed for others. */
  | 'overflowing';

/**
 * Judges a client by its unsent bytes. Pressure ends only at half of the mark where it begins, so that a client
 * at the mark does not make the socket stop and start with every message.
 */
export function pressureOf(settings: SlowReaderSettings, before: Pressure, unsentBytes: number): Pressure {
  if (unsentBytes > settings.maxBytes) return 'overflowing';
  const mark = before === 'flowing' ? settings.pauseBytes : settings.pauseBytes / 2;
  return unsentBytes > mark ? 'pressed' : 'flowing';
}
