import { fold } from './fold.js';

/** Most lines shown of one note: enough to see what it says, few enough for twenty notes to be read. */
export const maxLinesPerNote = 20;

/** Longest piece shown of one line, in UTF-16 units: a paragraph without line ends must not fill the answer. */
const maxLineLength = 300;

export interface MatchingLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

/** The words of a query as they are compared; none when it is blank. */
export function wordsOf(query: string): readonly string[] {
  return [...new Set(fold(query).split(/\s+/))].filter((word) => word !== '');
}

/**
 * The first lines of a note in which any of the words occurs, or `undefined` when one of them occurs neither
 * in its name nor in its text. There are none when the words are all in the name alone.
 */
export function matchingLines(
  name: string,
  text: string,
  words: readonly string[],
): readonly MatchingLine[] | undefined {
  const missing = new Set(words);
  const tick = (folded: string) => {
    const found = words.filter((word) => folded.includes(word));
    for (const word of found) missing.delete(word);
    return found.length > 0;
  };
  tick(fold(name));
  const lines = text
    .split(/\r\n|\r|\n/)
    .map((line, index) => ({ number: index + 1, text: line }))
    .filter((line) => tick(fold(line.text)));
  if (missing.size > 0) return undefined;
  return lines.slice(0, maxLinesPerNote).map((line) => ({ ...line, text: shorten(line.text.trim()) }));
}

function shorten(line: string): string {
  if (line.length <= maxLineLength) return line;
  // The cut may have left half of a character at the end.
  return `${line.slice(0, maxLineLength).replace(/\p{Surrogate}$/u, '')}…`;
}
