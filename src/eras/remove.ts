import type { Span } from '../protocol/message.js';
import type { Edit } from '../protocol/splice.js';
import { entrySpans } from '../protocol/walk.js';

/** Takes the members with these keys out of an object, each with the comma that is left over without it. */
export function removeMembers(bytes: Buffer, object: Span, keys: ReadonlySet<string>): readonly Edit[] {
  const edits: Edit[] = [];
  const entries = entrySpans(bytes, object);
  let keptEnd: number | undefined;
  entries.forEach(({ key, start, value }, index) => {
    if (!keys.has(key)) {
      keptEnd = value.end;
      return;
    }
    const previous = entries[index - 1];
    // Behind a member that stays, the comma in front of this one goes; before all that stay, the one behind it.
    const from = keptEnd === undefined ? start : (previous?.value.end ?? start);
    const to = keptEnd === undefined ? (entries[index + 1]?.start ?? value.end) : value.end;
    edits.push({ start: from, end: to, text: '' });
  });
  return edits;
}
