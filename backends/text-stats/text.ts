/** How long a text is, in three units. */
export interface TextCounts {
  /** Unicode code points: an emoji outside the basic plane counts once. */
  readonly characters: number;
  /** Runs of characters that are not white space. */
  readonly words: number;
  /** Separated by LF, CR LF or CR. A line break at the very end opens no further line; no text has no line. */
  readonly lines: number;
}

export function countText(text: string): TextCounts {
  return {
    characters: countMatches(text, /./gsu),
    words: countMatches(text, /\S+/gu),
    lines: countMatches(text, /[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+/gu),
  };
}

/** Walks the matches one by one: a text of many megabytes makes no list of its words. */
function countMatches(text: string, pattern: RegExp): number {
  let count = 0;
  pattern.lastIndex = 0;
  while (pattern.test(text)) count += 1;
  return count;
}
