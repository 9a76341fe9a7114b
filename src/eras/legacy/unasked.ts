import type { NotificationMessage } from '../../protocol/message.js';
import type { Edit } from '../../protocol/splice.js';

/** What makes a backend's notice one that a legacy client hears unasked: no stream that it would be of. */
export function untag({ fields: { metaSubscriptionId, meta } }: NotificationMessage): readonly Edit[] {
  return metaSubscriptionId === undefined || meta === undefined
    ? []
    : [{ start: meta.start, end: meta.end, text: '{}' }];
}
