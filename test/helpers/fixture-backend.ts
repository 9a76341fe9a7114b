import { fileURLToPath } from 'node:url';

/** One entry of a configuration's `mcpServers` block, as it stands in the file. */
export interface BackendEntry {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly [setting: string]: unknown;
}

/** What `scripted.mjs` is told at its start; its head says what each option means. */
export interface ScriptedOptions {
  readonly tools?: string | readonly object[];
  readonly pages?: readonly (readonly object[])[];
  readonly toolsFile?: string;
  readonly startDelayMs?: number;
  readonly startFile?: string;
  readonly revision?: string;
  readonly capabilities?: object;
  readonly listError?: object;
  readonly listResult?: object;
  readonly serial?: boolean;
  readonly stderr?: string;
}

/** The path of a program in `test/fixtures/backends/`. */
export function fixturePath(name: string): string {
  return fileURLToPath(new URL(`../fixtures/backends/${name}.mjs`, import.meta.url));
}

/** A fixture that always behaves as its name says. */
export function fixture(name: string, args: readonly string[] = [], settings: object = {}): BackendEntry {
  return { command: process.execPath, args: [fixturePath(name), ...args], ...settings };
}

/** The all-round fixture, driven by the arguments of each call. */
export function scripted(options: ScriptedOptions = {}, settings: object = {}): BackendEntry {
  return fixture('scripted', [JSON.stringify(options)], settings);
}

/** A `mcpServers` block that starts nothing; an empty one is refused. */
export const noBackends = { none: { command: 'none', disabled: true } };

/** A tool entry with nothing but its name and an open schema. */
export function tool(name: string): { name: string; inputSchema: { type: 'object' } } {
  return { name, inputSchema: { type: 'object' } };
}
