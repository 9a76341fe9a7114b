import { describe, expect, it } from 'vitest';
import { noteChanges } from '../../../../backends/notes/note-changes.js';
import type { Notes } from '../../../../backends/notes/note-folder.js';

const notes = (stamps: Readonly<Record<string, string>>): Notes =>
  new Map(Object.entries(stamps).map(([name, stamp]) => [name, { name, path: `/${name}.md`, stamp }]));

describe('the changes between two looks', () => {
  it.each([
    ['nothing', { a: '1' }, { a: '1' }, [], { updated: [], listChanged: false }],
    ['a note written', { a: '1', b: '1' }, { a: '2', b: '1' }, [], { updated: ['a'], listChanged: false }],
    ['one that came', { a: '1' }, { a: '1', b: '1' }, [], { updated: ['b'], listChanged: true }],
    ['one that went', { a: '1', b: '1' }, { a: '1' }, ['b'], { updated: ['b'], listChanged: true }],
    ['one renamed', { a: '1' }, { b: '1' }, ['a', 'b'], { updated: ['a', 'b'], listChanged: true }],
    ['one touched, of the same stamp', { a: '1' }, { a: '1' }, ['a'], { updated: ['a'], listChanged: false }],
    ['a passing file', { a: '1' }, { a: '1' }, ['temporary'], { updated: [], listChanged: false }],
  ])('are told: %s', (_what, before, after, touched, changes) => {
    expect(noteChanges(notes(before), notes(after), new Set(touched))).toEqual(changes);
  });
});
