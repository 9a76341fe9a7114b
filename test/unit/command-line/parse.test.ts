import { describe, expect, it } from 'vitest';
import { HELP } from '../../../src/command-line/help.js';
import { parseCommandLine } from '../../../src/command-line/parse.js';
import { UsageError } from '../../../src/command-line/usage-error.js';
import { LOG_LEVELS } from '../../../src/config/log-levels.js';

const none = { listen: undefined, admin: undefined, logLevel: undefined };

function parse(line: string) {
  return parseCommandLine(line === '' ? [] : line.split(' '));
}

describe('parseCommandLine', () => {
  it.each([
    ['--config g.json', { kind: 'serve', config: 'g.json', overrides: none }],
    ['serve --config g.json', { kind: 'serve', config: 'g.json', overrides: none }],
    ['--config g.json serve', { kind: 'serve', config: 'g.json', overrides: none }],
    ['serve -c g.json', { kind: 'serve', config: 'g.json', overrides: none }],
    ['--config=g.json', { kind: 'serve', config: 'g.json', overrides: none }],
    ['check --config g.json', { kind: 'check', config: 'g.json' }],
    ['tools --config g.json', { kind: 'tools', config: 'g.json' }],
    ['--help', { kind: 'help' }],
    ['-h', { kind: 'help' }],
    ['serve --help', { kind: 'help' }],
    ['--version', { kind: 'version' }],
    ['-v', { kind: 'version' }],
  ])('reads "%s"', (line, command) => {
    expect(parse(line)).toEqual(command);
  });

  it.each([
    ['--listen 127.0.0.1:8808', { listen: { host: '127.0.0.1', port: 8808 } }],
    ['--listen localhost:0', { listen: { host: 'localhost', port: 0 } }],
    ['--listen [::1]:8808', { listen: { host: '::1', port: 8808 } }],
    ['--admin [::]:9', { admin: { host: '::', port: 9 } }],
    ['--admin off', { admin: false }],
    ['--log-level debug', { logLevel: 'debug' }],
  ])('reads %s', (option, overrides) => {
    expect(parse(`--config g.json ${option}`)).toEqual({
      kind: 'serve',
      config: 'g.json',
      overrides: { ...none, ...overrides },
    });
  });

  it.each([
    ['', '--config FILE is required; for example: --config config/gateway.json'],
    ['serve', '--config FILE is required'],
    ['check', '--config FILE is required'],
    ['--config', '--config needs a value behind it'],
    ['--config=', '--config needs a value behind it'],
    ['--config --listen a:1', '--config needs a value behind it'],
    ['--confg g.json', 'unknown option --confg; did you mean --config?'],
    ['--config g.json --loglevel debug', 'unknown option --loglevel; did you mean --log-level?'],
    ['--config g.json -x', 'unknown option -x; --help lists them all'],
    ['--config g.json --constructor', 'unknown option --constructor; --help lists them all'],
    ['--config a --config b', '--config is given twice'],
    ['chekc --config g.json', 'unknown command "chekc"; did you mean "check"?'],
    ['g.json', 'unknown command "g.json"; the commands are serve, check and tools'],
    [
      'check g.json --config g.json',
      'unexpected "g.json" behind "check"; a file is named with --config FILE',
    ],
    ['check --config g.json --listen a:1', '--listen belongs to "serve" and means nothing to "check"'],
    ['tools --config g.json --log-level debug', '--log-level belongs to "serve"'],
    ['--help=yes', '--help takes no value'],
    ['--config g.json --log-level loud', `--log-level: expected one of ${LOG_LEVELS.join(', ')}, got "loud"`],
    ['--config g.json --admin no', '--admin: expected HOST:PORT'],
  ])('refuses "%s" and says what to write', (line, message) => {
    expect(() => parse(line)).toThrow(UsageError);
    expect(() => parse(line)).toThrow(message);
  });

  it.each([
    '8808',
    ':8808',
    'localhost',
    'localhost:',
    'localhost:x',
    'localhost:65536',
    '::1:8808',
    '[]:1',
    '[::1]',
    'a:b:1',
  ])('refuses the address %s and shows two that work', (address) => {
    expect(() => parse(`--config g.json --listen ${address}`)).toThrow(
      `--listen: expected HOST:PORT with a port from 0 to 65535, such as 127.0.0.1:8808 or [::1]:8808, got "${address}"`,
    );
  });
});

describe('the help text', () => {
  it.each([
    'serve',
    'check',
    'tools',
    '--config',
    '--listen',
    '--admin',
    '--log-level',
    '--help',
    '--version',
  ])('tells of %s', (word) => {
    expect(HELP).toContain(word);
  });
});
