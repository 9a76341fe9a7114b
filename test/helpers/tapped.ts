import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BackendEntry } from './fixture-backend.js';
import type { Frame } from './message-validity.js';

const program = fileURLToPath(new URL('../fixtures/processes/tap.mjs', import.meta.url));

/** A backend of which every line in and out is noted in `file`. */
export function tapped(file: string, { command, args = [], ...entry }: BackendEntry): BackendEntry {
  return { ...entry, command: process.execPath, args: [program, file, command, ...args] };
}

/** What was noted so far; `client` is the one that the program was spoken to by. */
export function tappedFrames(file: string): Frame[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Frame);
}
