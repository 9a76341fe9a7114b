import { resolve, sep } from 'node:path';
import type { BackendKey } from '../shared/ids.js';
import type { BackendSettings } from '../shared/settings.js';
import { backendOptions } from './backend-options.js';
import type { Sources } from './expand.js';
import { expandFields } from './expand-fields.js';
import { cleanNamespace, foldKey } from './namespace.js';
import type { Place } from './place.js';
import { type ConfigObject, type ConfigValue, isConfigObject } from './value.js';

type Entry = typeof backendOptions.fallback;

/** What one entry is read against. */
interface Context {
  /** Default of every option, where the file's top level may have had its say. */
  readonly defaults: Entry;
  readonly sources: Sources;
  /** Absolute folder of the configuration file, which relative paths start from. */
  readonly folder: string;
}

/** Reads the `mcpServers` block, in its order. Everything wrong with it is reported at `place`. */
export function readBackends(
  block: ConfigObject,
  place: Place,
  context: Context,
): readonly BackendSettings[] {
  const keysByFold = new Map<string, string>();
  return [...block].map(([key, value]) => {
    checkKey(key, place.at(key), keysByFold);
    return readBackend(key, value, place.at(key), context);
  });
}

function checkKey(key: string, place: Place, keysByFold: Map<string, string>): void {
  if (key.trim() === '') {
    place.report('expected a key that names the backend, got an empty one');
    return;
  }
  const fold = foldKey(key);
  if (fold === '') return;
  const other = keysByFold.get(fold);
  if (other === undefined) {
    keysByFold.set(fold, key);
    return;
  }
  place.report(
    `the key is too much like ${JSON.stringify(other)}: both read as "${fold}"; rename one of the two`,
  );
}

function readBackend(key: string, value: ConfigValue, place: Place, context: Context): BackendSettings {
  const entry = backendOptions.read(value, place, context.defaults);
  const {
    command,
    type,
    transport,
    transportType,
    url,
    serverUrl,
    httpUrl,
    disabled,
    namespace,
    env,
    ...same
  } = entry;
  const remote = (url ?? serverUrl ?? httpUrl) !== undefined;
  if (isConfigObject(value)) checkStart(value, type ?? transport ?? transportType ?? 'stdio', remote, place);
  if (disabled && entry.required) {
    place.report('"required" and "disabled" contradict each other; remove one of the two');
  }

  const expanded = expandFields(
    { command: command ?? '', args: entry.args, env, cwd: entry.cwd },
    place,
    context.sources,
  );
  return {
    ...same,
    key: key as BackendKey,
    namespace: namespace ?? defaultNamespace(key, place),
    command: resolveCommand(expanded.command, context.folder),
    args: expanded.args,
    env: Object.fromEntries(expanded.env),
    cwd: resolve(context.folder, expanded.cwd),
    off: reasonForOff(disabled, remote, expanded.missing),
  };
}

/** Checks that an entry says one way, and one only, to reach the backend. */
function checkStart(written: ConfigObject, transport: string, remote: boolean, place: Place): void {
  const command = written.has('command');
  if (remote && command) place.report('has both "command" and a URL; remove one of the two');
  if (!remote && !command) {
    place.at('command').report('missing; expected the program to start, such as "node"');
  }
  if (!remote && command && transport !== 'stdio') {
    place.report(`type ${JSON.stringify(transport)} contradicts "command"; only "stdio" goes with it`);
  }
}

function reasonForOff(disabled: boolean, remote: boolean, missing: readonly string[]): string | undefined {
  if (disabled) return '"disabled" is set in the configuration';
  if (remote) return 'it has a URL instead of a "command", and only stdio backends are supported';
  return missing.length === 0 ? undefined : missing.join('; ');
}

function defaultNamespace(key: string, place: Place): string {
  const namespace = cleanNamespace(key);
  if (namespace === '' && key.trim() !== '') {
    place.report('the key has none of A–Z a–z 0–9 to make a namespace of; rename it or set "namespace"');
  }
  return namespace;
}

/** A command with a slash is a path from the file's folder; a bare word is left for the search in PATH. */
function resolveCommand(command: string, folder: string): string {
  return command.includes('/') || command.includes(sep) ? resolve(folder, command) : command;
}
