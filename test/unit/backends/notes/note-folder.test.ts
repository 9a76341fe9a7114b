import { once } from 'node:events';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { maxNoteBytes, maxNotes, type Note, NoteFolder } from '../../../../backends/notes/note-folder.js';
import { temporaryFolder } from './temporary-folder.js';

const names = async (path: string) => [...(await (await NoteFolder.open(path)).notes()).keys()];

async function noteOf(folder: NoteFolder, name: string): Promise<Note> {
  const note = (await folder.notes()).get(name);
  if (note === undefined) throw new Error(`there is no note ${name}`);
  return note;
}

describe('the notes of a folder', () => {
  it('are its Markdown files by name, in the order of their files', async () => {
    await using dir = await temporaryFolder({
      'b.md': '',
      'a c.md': '',
      'ñ.md': '',
      '100%.md': '',
      'x.md.md': '',
    });
    expect(await names(dir.path)).toEqual(['100%', 'a c', 'b', 'x.md', 'ñ']);
  });

  it('are no other files, no hidden ones, no folders and no pipes', async () => {
    await using dir = await temporaryFolder({
      'a.txt': '',
      '.md': '',
      '.hidden.md': '',
      'a.MD': '',
      'b.md~': '',
    });
    await mkdir(join(dir.path, 'folder.md'));
    dir.pipe('pipe.md');
    expect(await names(dir.path)).toEqual([]);
  });

  it('have composed names, whatever the file system made of them, and one note for each', async () => {
    await using dir = await temporaryFolder({ 'reunio\u0301n.md': 'first', 'reuni\u00f3n.md': 'second' });
    const folder = await NoteFolder.open(dir.path);
    expect([...(await folder.notes()).keys()]).toEqual(['reuni\u00f3n']);
    expect(await folder.read(await noteOf(folder, 'reuni\u00f3n'))).toBe('first');
  });

  it('may be links to files inside of the folder, also through others', async () => {
    await using dir = await temporaryFolder();
    await mkdir(join(dir.path, '..data'));
    await writeFile(join(dir.path, '..data', 'real'), 'inside');
    await dir.link('a.md', '..data/real');
    await dir.link('b.md', 'a.md');
    const folder = await NoteFolder.open(dir.path);
    expect([...(await folder.notes()).keys()]).toEqual(['a', 'b']);
    expect(await folder.read(await noteOf(folder, 'b'))).toBe('inside');
  });

  it('are no links that lead out of the folder, to nothing or in a circle', async () => {
    await using dir = await temporaryFolder();
    await writeFile(join(dir.outside, 'secret.md'), 'secret');
    await mkdir(join(dir.outside, 'notes-beside'));
    await writeFile(join(dir.outside, 'notes-beside', 'secret.md'), 'secret');
    await symlink(dir.outside, join(dir.path, 'up'));
    await dir.link('a.md', '../secret.md');
    await dir.link('b.md', join(dir.outside, 'secret.md'));
    await dir.link('c.md', 'up/secret.md');
    await dir.link('d.md', '../notes-beside/secret.md');
    await dir.link('e.md', 'missing.md');
    await dir.link('f.md', 'f.md');
    await dir.link('g.md', '.');
    expect(await names(dir.path)).toEqual([]);
  });

  it('are found behind a link to the folder itself', async () => {
    await using dir = await temporaryFolder({ 'a.md': '' });
    await symlink(dir.path, join(dir.outside, 'link'));
    expect(await names(join(dir.outside, 'link'))).toEqual(['a']);
  });

  it(`are at most ${maxNotes}, of at most ${maxNoteBytes} bytes each`, async () => {
    await using dir = await temporaryFolder({
      'a.md': Buffer.alloc(maxNoteBytes, 'x'),
      'b.md': Buffer.alloc(maxNoteBytes + 1, 'x'),
    });
    expect(await names(dir.path)).toEqual(['a']);
    await Promise.all(Array.from({ length: maxNotes }, (_, index) => dir.write(`c${index}.md`, '')));
    expect((await names(dir.path)).length).toBe(maxNotes - 1);
  });

  it('are none when the folder has gone', async () => {
    await using dir = await temporaryFolder({ 'a.md': '' });
    const folder = await NoteFolder.open(dir.path);
    await rm(dir.path, { recursive: true });
    expect((await folder.notes()).size).toBe(0);
  });

  it('cannot be opened where there is no folder', async () => {
    await using dir = await temporaryFolder({ 'a.md': '' });
    await expect(NoteFolder.open(join(dir.path, 'missing'))).rejects.toThrow('ENOENT');
    await expect(NoteFolder.open(join(dir.path, 'a.md'))).rejects.toThrow('ENOTDIR');
  });
});

describe('reading a note', () => {
  it.each([
    ['an empty one', Buffer.from(''), ''],
    ['accents and line ends', Buffer.from('á\r\nb\n'), 'á\r\nb\n'],
    ['a byte order mark, which is left out', Buffer.from('\ufeffa'), 'a'],
    ['what is no UTF-8, replaced', Buffer.from([0x61, 0xff]), 'a\ufffd'],
  ])('gives its text: %s', async (_what, content, text) => {
    await using dir = await temporaryFolder({ 'a.md': content });
    const folder = await NoteFolder.open(dir.path);
    expect(await folder.read(await noteOf(folder, 'a'))).toBe(text);
  });

  it.each<[string, (dir: Awaited<ReturnType<typeof temporaryFolder>>) => unknown]>([
    ['nothing', () => undefined],
    ['a link to elsewhere', (dir) => dir.link('a.md', '../secret.md')],
    ['a pipe', (dir) => dir.pipe('a.md')],
    ['a folder', (dir) => mkdir(join(dir.path, 'a.md'))],
    ['too long a file', (dir) => dir.write('a.md', Buffer.alloc(maxNoteBytes + 1))],
  ])('gives nothing when it has been replaced by %s since it was found', async (_what, replace) => {
    await using dir = await temporaryFolder({ 'a.md': 'harmless' });
    await writeFile(join(dir.outside, 'secret.md'), 'secret');
    const folder = await NoteFolder.open(dir.path);
    const note = await noteOf(folder, 'a');
    await rm(note.path);
    await replace(dir);
    expect(await folder.read(note)).toBeUndefined();
  });

  it('gives nothing when it has been replaced by a socket since it was found', async () => {
    await using dir = await temporaryFolder({ 'a.md': 'harmless' });
    const folder = await NoteFolder.open(dir.path);
    const note = await noteOf(folder, 'a');
    await rm(note.path);
    const socket = createServer().listen(note.path);
    await once(socket, 'listening');
    expect(await folder.read(note)).toBeUndefined();
    socket.close();
  });
});
