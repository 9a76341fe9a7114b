import { metaKeys } from '../../protocol/fields.js';
import type { NotificationMessage } from '../../protocol/message.js';
import type { Edit } from '../../protocol/splice.js';
import { removeMembers } from '../remove.js';

const tag = new Set<string>([metaKeys.subscriptionId]);

/** What makes a backend's notice one that a legacy client hears unasked: no stream that it would be of. */
export function untag({ bytes, fields: { meta } }: NotificationMessage): readonly Edit[] {
  return meta === undefined ? [] : removeMembers(bytes, meta, tag);
}
