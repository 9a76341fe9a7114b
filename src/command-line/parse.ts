import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Overrides } from '../config/load.js';
import { LOG_LEVELS, type LogLevel } from '../config/log-levels.js';
import { suggest } from '../config/suggest.js';
import { parseAddress } from './address.js';
import { UsageError } from './usage-error.js';

/** What the person who started the program wants. */
export type Command =
  | { readonly kind: 'serve'; readonly config: string; readonly overrides: Overrides }
  | { readonly kind: 'check'; readonly config: string }
  | { readonly kind: 'tools'; readonly config: string }
  | { readonly kind: 'help' }
  | { readonly kind: 'version' };

const KINDS = ['serve', 'check', 'tools'] as const;

const OPTIONS = {
  config: { type: 'string', short: 'c' },
  listen: { type: 'string' },
  admin: { type: 'string' },
  'log-level': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const satisfies ParseArgsConfig['options'];

type OptionName = keyof typeof OPTIONS;

/** Options that change what a configuration file says; only `serve` takes them. */
const SERVE_ONLY = ['listen', 'admin', 'log-level'] as const satisfies readonly OptionName[];

/**
 * Reads the arguments behind the program's name. Without a command it is `serve`; `--help` and `--version`
 * win over everything else that is well-formed.
 * @throws {UsageError} if they cannot be understood
 */
export function parseCommandLine(argv: readonly string[]): Command {
  const { words, values } = readTokens(argv);
  if (values.has('help')) return { kind: 'help' };
  if (values.has('version')) return { kind: 'version' };

  const kind = commandKind(words);
  const given = SERVE_ONLY.find((name) => values.has(name));
  if (kind !== 'serve' && given !== undefined) {
    throw new UsageError(`--${given} belongs to "serve" and means nothing to "${kind}"; leave it out`);
  }
  const config = values.get('config');
  if (config === undefined) {
    throw new UsageError('--config FILE is required; for example: --config config/gateway.json');
  }
  return kind === 'serve' ? { kind, config, overrides: overridesIn(values) } : { kind, config };
}

interface Tokens {
  readonly words: readonly string[];
  readonly values: ReadonlyMap<OptionName, string>;
}

function readTokens(argv: readonly string[]): Tokens {
  const { tokens } = parseArgs({
    args: [...argv],
    options: OPTIONS,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const words: string[] = [];
  const values = new Map<OptionName, string>();
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    if (!isOptionName(name)) throw new UsageError(`unknown option ${rawName}${suggestOption(name)}`);
    if (values.has(name)) throw new UsageError(`--${name} is given twice; keep one of the two`);
    values.set(name, checkedValue(name, value));
  }
  return { words, values };
}

function checkedValue(name: OptionName, value: string | undefined): string {
  if (OPTIONS[name].type === 'boolean') {
    if (value !== undefined) throw new UsageError(`--${name} takes no value`);
    return '';
  }
  if (value === undefined || value === '' || value.startsWith('--')) {
    throw new UsageError(`--${name} needs a value behind it`);
  }
  return value;
}

function isOptionName(name: string): name is OptionName {
  return Object.hasOwn(OPTIONS, name);
}

function suggestOption(name: string): string {
  const nearest = suggest(name, Object.keys(OPTIONS));
  return nearest === undefined ? '; --help lists them all' : `; did you mean --${nearest}?`;
}

function commandKind([word = 'serve', ...rest]: readonly string[]): (typeof KINDS)[number] {
  const kind = KINDS.find((candidate) => candidate === word);
  if (kind === undefined) {
    const nearest = suggest(word, KINDS);
    const advice =
      nearest === undefined ? 'the commands are serve, check and tools' : `did you mean "${nearest}"?`;
    throw new UsageError(`unknown command ${JSON.stringify(word)}; ${advice}`);
  }
  if (rest.length > 0) {
    throw new UsageError(
      `unexpected ${JSON.stringify(rest[0])} behind "${kind}"; a file is named with --config FILE`,
    );
  }
  return kind;
}

function overridesIn(values: ReadonlyMap<OptionName, string>): Overrides {
  const listen = values.get('listen');
  const admin = values.get('admin');
  const level = values.get('log-level');
  return {
    listen: listen === undefined ? undefined : parseAddress('--listen', listen),
    admin: admin === undefined ? undefined : adminAddress(admin),
    logLevel: level === undefined ? undefined : logLevel(level),
  };
}

function adminAddress(text: string): Overrides['admin'] {
  return text === 'off' ? false : parseAddress('--admin', text);
}

function logLevel(text: string): LogLevel {
  const level = LOG_LEVELS.find((candidate) => candidate === text);
  if (level === undefined) {
    throw new UsageError(
      `--log-level: expected one of ${LOG_LEVELS.join(', ')}, got ${JSON.stringify(text)}`,
    );
  }
  return level;
}
