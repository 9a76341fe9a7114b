import type { BackendSide } from '../eras/backend-side.js';
import { assertNever } from '../shared/assert-never.js';
import type { Clock } from '../shared/clock.js';
import type { Log } from '../shared/log.js';
import type { BackendSettings } from '../shared/settings.js';
import type { ChangeFeed } from './change-feed.js';
import type { OwnRequests } from './own-requests.js';
import { RequestFeed } from './request-feed.js';
import { StreamFeed } from './stream-feed.js';

export interface FeedSurroundings {
  readonly settings: BackendSettings;
  readonly requests: OwnRequests;
  readonly clock: Clock;
  readonly log: Log;
  /** Changes of any list, and of these resources, may have gone unheard for a while. */
  readonly missed: (uris: readonly string[]) => void;
}

/** The feed for a process that tells of changes as `changes` says. */
export function createFeed(changes: BackendSide['changes'], around: FeedSurroundings): ChangeFeed {
  const { settings, requests, clock, log, missed } = around;
  switch (changes.on) {
    case 'request':
      return new RequestFeed(changes, requests, settings.requestTimeoutMs);
    case 'stream':
      return new StreamFeed({
        backend: settings.key,
        changes,
        requests,
        clock,
        log,
        patienceMs: settings.probeTimeoutMs,
        missed,
      });
    default:
      return assertNever(changes);
  }
}
