import { constants, type Stats } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, sep } from 'node:path';

/** Most notes that are served, the first by file name: a list of them stays some 150 KB long. */
export const maxNotes = 1_000;

/** Longest note in bytes: hundreds of pages, and no burden on a model, a search or a line of the protocol. */
export const maxNoteBytes = 1024 * 1024;

const extension = '.md';

/** A note that exists, as it was found. */
export interface Note {
  /** The file's name without `.md`, composed (NFC) whatever the file system makes of it. */
  readonly name: string;
  /** The file with all links resolved; it lies inside the folder. */
  readonly path: string;
  /** Another one when the file has been written or replaced. */
  readonly stamp: string;
}

/** Notes by name, in the order of their file names. */
export type Notes = ReadonlyMap<string, Note>;

/**
 * The notes in one folder: its files `*.md` that are not hidden, not longer than `maxNoteBytes`, and not links
 * that lead out of it. Names are found in the folder and never made into paths, so that none can lead out either.
 */
export class NoteFolder {
  /** With all links resolved. */
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** Throws when `path` is no folder that can be read. */
  static async open(path: string): Promise<NoteFolder> {
    const folder = new NoteFolder(await realpath(path));
    await readdir(folder.path);
    return folder;
  }

  /** Those that exist now; none when the folder itself has gone. */
  async notes(): Promise<Notes> {
    const files = (await orUndefined(readdir(this.path))) ?? [];
    const candidates = files.filter(isNoteFile).sort().slice(0, maxNotes);
    const found = await Promise.all(candidates.map((file) => this.#note(file)));
    const notes = new Map<string, Note>();
    for (const note of found) if (note !== undefined && !notes.has(note.name)) notes.set(note.name, note);
    return notes;
  }

  /** The text of a note, or `undefined` when it cannot be opened any more or has become something else. */
  async read({ path }: Note): Promise<string | undefined> {
    // What was a file a moment ago may be a link or a pipe by now: follow none, wait for none.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const file = await orUndefined(open(path, flags));
    if (file === undefined) return undefined;
    try {
      const stats = await file.stat();
      if (!isNote(stats)) return undefined;
      const bytes = Buffer.alloc(stats.size);
      const { bytesRead } = await file.read(bytes, 0, stats.size, 0);
      return new TextDecoder().decode(bytes.subarray(0, bytesRead));
    } finally {
      await file.close();
    }
  }

  async #note(file: string): Promise<Note | undefined> {
    const path = await orUndefined(realpath(join(this.path, file)));
    if (path === undefined || !isInside(this.path, path)) return undefined;
    const stats = await orUndefined(stat(path));
    if (stats === undefined || !isNote(stats)) return undefined;
    return { name: noteName(file), path, stamp: `${stats.ino} ${stats.size} ${stats.mtimeMs}` };
  }
}

/** Whether a file's name is one of a note. Names that are no well-formed Unicode have no URI. */
export function isNoteFile(file: string): boolean {
  return file.endsWith(extension) && !file.startsWith('.') && !/\p{Surrogate}/u.test(file);
}

/** The name of the note in a file. */
export function noteName(file: string): string {
  return basename(file, extension).normalize('NFC');
}

function isNote(stats: Stats): boolean {
  return stats.isFile() && stats.size <= maxNoteBytes;
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way.split(sep)[0] !== '..' && !isAbsolute(way);
}

/** Ways in which the file system says that a file is not there for us. */
const absences = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM', 'ENXIO']);

/** `undefined` in place of a file that is not there, was removed meanwhile or may not be read. */
async function orUndefined<Value>(promise: Promise<Value>): Promise<Value | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof Error && 'code' in error && absences.has(String(error.code))) return undefined;
    throw error;
  }
}
