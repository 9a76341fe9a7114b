import type { Listing } from '../protocol/listing.js';
import type { Message } from '../protocol/message.js';
import type { Exit } from '../router/ports.js';
import type { GatewayId } from '../shared/ids.js';

/** What happens in one run, in order. Nothing comes after `ended`, which comes once. */
export interface RunEvents {
  /** A message that is neither an answer to the gateway's own request nor a notice of a changed list. */
  message(message: Message): void;
  undeliverable(id: GatewayId, problem: 'too-large' | 'not-utf8'): void;
  /** A list has changed; not told of the first listing. */
  listing(listing: Listing): void;
  /** The process lives and can no longer be talked to; it is to be stopped. */
  lost(reason: string): void;
  ended(exit: Exit): void;
}

/** Passes events on as long as `isCurrent` says so: nobody listens to a run that another one has replaced. */
export function whileCurrent(isCurrent: () => boolean, events: RunEvents): RunEvents {
  return {
    message(message) {
      if (isCurrent()) events.message(message);
    },
    undeliverable(id, problem) {
      if (isCurrent()) events.undeliverable(id, problem);
    },
    listing(listing) {
      if (isCurrent()) events.listing(listing);
    },
    lost(reason) {
      if (isCurrent()) events.lost(reason);
    },
    ended(exit) {
      if (isCurrent()) events.ended(exit);
    },
  };
}
