import { fold } from './fold.js';
import type { NoteFolder } from './note-folder.js';

/** The names of notes that contain what was typed, those that begin with it first. */
export async function proposeNames(folder: NoteFolder, typed: string): Promise<readonly string[]> {
  return sortProposals([...(await folder.notes()).keys()], typed);
}

/** Without case and accents, and in the order of `names` otherwise. */
export function sortProposals(names: readonly string[], typed: string): readonly string[] {
  const wanted = fold(typed);
  const matching = names.filter((name) => fold(name).includes(wanted));
  const begins = (name: string) => fold(name).startsWith(wanted);
  return [...matching.filter(begins), ...matching.filter((name) => !begins(name))];
}
