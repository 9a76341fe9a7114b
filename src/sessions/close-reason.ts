// A control frame holds at most 125 bytes, and the close code takes two of them. [RFC 6455 § 5.5]
const maxReasonBytes = 123;

/** Shortens a close reason to 123 bytes without cutting a character in two. */
export function fitCloseReason(reason: string): string {
  const bytes = Buffer.from(reason);
  if (bytes.length <= maxReasonBytes) return bytes.toString();
  let end = maxReasonBytes;
  // Bytes 10xxxxxx continue a character. [RFC 3629 § 3]
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}
