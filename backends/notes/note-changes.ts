import type { Notes } from './note-folder.js';

/** What happened to a folder's notes between two looks at it. */
export interface NoteChanges {
  /** Names of notes that were written, came or went. */
  readonly updated: readonly string[];
  /** Whether any came or went. */
  readonly listChanged: boolean;
}

/**
 * Compares two looks. A name in `touched` counts as written although its stamp is the same: two writes can
 * follow one another faster than the file system's clock ticks.
 */
export function noteChanges(before: Notes, after: Notes, touched: ReadonlySet<string>): NoteChanges {
  const names = new Set([...before.keys(), ...after.keys()]);
  const updated = [...names].filter(
    (name) => touched.has(name) || before.get(name)?.stamp !== after.get(name)?.stamp,
  );
  return { updated, listChanged: updated.some((name) => before.has(name) !== after.has(name)) };
}
