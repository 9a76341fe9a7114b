import { ConfigError } from '../../src/config/config-error.js';
import { loadSettings, type Overrides } from '../../src/config/load.js';
import type { BackendSettings, Settings } from '../../src/shared/settings.js';
import { temporaryFolder } from './config-file.js';

interface Surroundings {
  readonly env?: Record<string, string>;
  readonly overrides?: Overrides;
}

/** Loads a configuration given as an object or as text. */
export function load(content: object | string, { env = {}, overrides = {} }: Surroundings = {}): Settings {
  using folder = temporaryFolder();
  return loadSettings(folder.write('gateway.json', content), { env, overrides });
}

/** What is wrong with a configuration, as `path: message` without the file's name; empty if nothing is. */
export function problemsOf(content: object | string, surroundings: Surroundings = {}): readonly string[] {
  using folder = temporaryFolder();
  const file = folder.write('gateway.json', content);
  try {
    loadSettings(file, { env: {}, ...surroundings });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ message }) => message.replace(/^.*?gateway\.json:( |(?=\d))/, ''));
  }
}

/** A configuration with one backend, `x`. */
export function withBackend(entry: object, top: object = {}): object {
  return { ...top, mcpServers: { x: entry } };
}

/** The settings of the one backend `x` with this entry. */
export function loadBackend(entry: object, surroundings: Surroundings = {}): BackendSettings {
  const [backend] = load(withBackend(entry), surroundings).backends;
  if (backend === undefined) throw new Error('the configuration has no backend');
  return backend;
}
