import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Address, Settings } from '../shared/settings.js';
import { backendOptions } from './backend-options.js';
import { readBackends } from './backends.js';
import { checkSettings } from './check-settings.js';
import { ConfigError, type Problem } from './config-error.js';
import type { Sources } from './expand.js';
import type { LogLevel } from './log-levels.js';
import { options } from './options.js';
import { parseJson } from './parse-json.js';
import { Place } from './place.js';
import { type ConfigValue, isConfigObject } from './value.js';

/** What the command line says instead of the file. */
export interface Overrides {
  readonly listen?: Address | undefined;
  /** `false` leaves the admin listener out. */
  readonly admin?: Address | false | undefined;
  readonly logLevel?: LogLevel | undefined;
}

interface LoadOptions {
  /** Where `${NAME}` is looked up. */
  readonly env: NodeJS.ProcessEnv;
  readonly overrides?: Overrides;
}

/**
 * Reads the configuration file and gives the complete settings.
 *
 * Precedence: command line, file, default. Relative paths in the file start from its folder.
 * @param file as errors shall name it; relative to the working directory
 * @throws {ConfigError} with every problem, if the file cannot be read or anything in it is wrong
 */
export function loadSettings(file: string, { env, overrides = {} }: LoadOptions): Settings {
  const problems: Problem[] = [];
  const settings = readSettings(file, env, overrides, Place.root(file, problems));
  if (settings === undefined || problems.length > 0) throw new ConfigError(problems);
  return settings;
}

function readSettings(
  file: string,
  env: NodeJS.ProcessEnv,
  overrides: Overrides,
  root: Place,
): Settings | undefined {
  const text = readConfigFile(file, root);
  const value = text === undefined ? undefined : parseJson(text, root);
  if (value === undefined) return undefined;

  const {
    $schema,
    mcpServers,
    listen,
    admin,
    log,
    naming,
    catalog,
    limits,
    heartbeat,
    slowReader,
    drain,
    ...defaults
  } = options.read(value, root, options.fallback);
  if (isConfigObject(value)) checkNotEmpty(value.get('mcpServers'), root.at('mcpServers'));
  const folder = dirname(resolve(file));
  const settings: Settings = {
    listen: { ...listen, ...overrides.listen },
    admin: overrides.admin === undefined ? admin : overrides.admin || undefined,
    naming,
    catalog,
    limits,
    heartbeat,
    slowReader,
    drain,
    log: { level: overrides.logLevel ?? log.level },
    backends: readBackends(mcpServers, root.at('mcpServers'), {
      defaults: { ...backendOptions.fallback, ...defaults },
      sources: sourcesIn(folder, env),
      folder,
    }),
  };
  checkSettings(settings, overrides.listen !== undefined, root);
  return settings;
}

function checkNotEmpty(block: ConfigValue | undefined, place: Place): void {
  if (block !== undefined && !(isConfigObject(block) && block.size === 0)) return;
  place.report(
    'expected at least one backend, got none; add one such as "files": { "command": "node", "args": ["server.js"] }',
  );
}

function readConfigFile(file: string, root: Place): string | undefined {
  const read = readText(file);
  if ('text' in read) return read.text;
  root.report(`cannot be read (${read.failure}); name a configuration file with --config`);
  return undefined;
}

function sourcesIn(folder: string, env: NodeJS.ProcessEnv): Sources {
  return {
    variable: (name) => env[name],
    file: (path) => readText(resolve(folder, path)),
  };
}

/** A file's text, or why it cannot be read in words that do not repeat its path. */
function readText(file: string): { readonly text: string } | { readonly failure: string } {
  try {
    return { text: readFileSync(file, 'utf8') };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return { failure: REASONS.get(code) ?? code };
  }
}

const REASONS = new Map([
  ['ENOENT', 'it does not exist'],
  ['EACCES', 'permission denied'],
  ['EISDIR', 'it is a folder'],
]);
