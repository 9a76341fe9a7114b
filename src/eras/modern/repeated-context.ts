import type { RequestMessage, Span } from '../../protocol/message.js';
import type { CallContext } from '../form.js';

/** The members of `_meta` that a context is made of. */
const members = ['metaRevision', 'metaClientCapabilities', 'metaClientInfo', 'metaLogLevel'] as const;

/**
 * Longest members, taken together and in bytes, that are remembered. Clients say a few hundred; one that adds
 * pictures of itself is read anew each time, so that thousands of idle sessions do not hold them.
 */
const maxRememberedBytes = 2_048;

/**
 * The context of the latest request, for those that say the same again: a client does so in every request, and
 * to compare a few bytes costs less than to parse them. Nothing but time depends on it.
 */
export class RepeatedContext {
  #latest: { readonly texts: readonly (Buffer | undefined)[]; readonly context: CallContext } | undefined;

  /** The remembered context, if the message's members have the very same bytes. */
  recall({ bytes, fields }: RequestMessage): CallContext | undefined {
    if (this.#latest === undefined) return undefined;
    const { texts, context } = this.#latest;
    return members.every((name, index) => isSame(bytes, fields[name], texts[index])) ? context : undefined;
  }

  /** Remembers what was read from the message, in place of what was remembered before. */
  keep({ bytes, fields }: RequestMessage, context: CallContext): void {
    const spans = members.map((name) => fields[name]);
    const length = spans.reduce((sum, span) => sum + (span === undefined ? 0 : span.end - span.start), 0);
    if (length > maxRememberedBytes) return;
    // Copies: a part of the message would hold all of it.
    const texts = spans.map((span) => span && Buffer.from(bytes.subarray(span.start, span.end)));
    this.#latest = { texts, context };
  }
}

/** Byte by byte: for so few of them the way into `Buffer.compare` and back takes longer. */
function isSame(bytes: Buffer, span: Span | undefined, text: Buffer | undefined): boolean {
  if (span === undefined || text === undefined) return span === text;
  const { start, end } = span;
  if (text.length !== end - start) return false;
  for (let at = 0; at < text.length; at += 1) {
    if (bytes[start + at] !== text[at]) return false;
  }
  return true;
}
