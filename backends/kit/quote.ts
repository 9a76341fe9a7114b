/** Longest quotation in an error, in characters: enough to recognise a value, short whatever was sent. */
const maxQuotedLength = 80;

/** A received value as it may stand in an error message: as JSON where it is short, else described. */
export function quote(value: unknown): string {
  if (typeof value === 'string') {
    return value.length <= maxQuotedLength
      ? JSON.stringify(value)
      : `${JSON.stringify(value.slice(0, maxQuotedLength))} and ${value.length - maxQuotedLength} more characters`;
  }
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (value === undefined) return 'nothing';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
