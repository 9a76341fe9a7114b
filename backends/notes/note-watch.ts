import { watch } from 'node:fs';
import { type NoteChanges, noteChanges } from './note-changes.js';
import { isNoteFile, type NoteFolder, type Notes, noteName } from './note-folder.js';

/**
 * How long changes are collected before they are told, in milliseconds: an editor that saves by writing a new
 * file and renaming it is done by then, and a person does not notice the delay.
 */
const settleMs = 100;

type Listener = (changes: NoteChanges) => void;

/** Watches a folder of notes and tells one listener what changed. */
export class NoteWatch {
  readonly #folder: NoteFolder;
  readonly #log: (text: string) => void;
  readonly #touched = new Set<string>();
  #known: Notes = new Map();
  #listener: Listener = () => undefined;
  /** Set while changes are being collected; ended by itself. */
  #timer: NodeJS.Timeout | undefined;
  /** Looks at the folder follow one another, so that none is compared with a later one. */
  #lookedAt: Promise<void>;

  private constructor(folder: NoteFolder, log: (text: string) => void) {
    this.#folder = folder;
    this.#log = log;
    const watcher = watch(folder.path, { persistent: false }, (_event, file) => this.#collect(file));
    watcher.on('error', (error) => log(`no longer watching ${folder.path}: ${error.message}`));
    this.#lookedAt = folder.notes().then((notes) => {
      this.#known = notes;
    });
  }

  /**
   * Resolves once every further change will be told. Lasts as long as the process, which it does not keep
   * alive. Throws when the folder cannot be watched.
   */
  static async start(folder: NoteFolder, log: (text: string) => void): Promise<NoteWatch> {
    const noteWatch = new NoteWatch(folder, log);
    await noteWatch.#lookedAt;
    return noteWatch;
  }

  /** Replaces the listener. Changes that nobody listens to are forgotten. */
  listen(listener: Listener): void {
    this.#listener = listener;
  }

  #collect(file: string | null): void {
    if (file !== null && isNoteFile(file)) this.#touched.add(noteName(file));
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#lookedAt = this.#lookedAt.then(() => this.#look());
    }, settleMs);
  }

  async #look(): Promise<void> {
    const touched = new Set(this.#touched);
    this.#touched.clear();
    try {
      const before = this.#known;
      this.#known = await this.#folder.notes();
      const changes = noteChanges(before, this.#known, touched);
      if (changes.updated.length > 0) this.#listener(changes);
    } catch (error) {
      this.#log(`cannot look for changes in ${this.#folder.path}: ${String(error)}`);
    }
  }
}
