import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/command-line/exit-codes.js';
import { backendDefaults, backendOptions } from '../../src/config/backend-options.js';
import { options } from '../../src/config/options.js';
import { isJsonObject, type JsonObject } from '../../src/protocol/json.js';
import { problemsOf } from '../helpers/load-config.js';
import {
  codeBlocks,
  headingAnchors,
  linkTargets,
  marked,
  readDocument,
  tableRows,
} from '../helpers/markdown.js';

const readme = readDocument('README.md');
const documents = [
  'README.md',
  'src/protocol/README.md',
  'backends/kit/README.md',
  'config/clients/README.md',
  'bench/README.md',
];

/** The rows that an object of options should have in the README: name, kind, default, meaning. */
function rowsOf(schema: JsonObject, isWanted: (name: string) => boolean, prefix = ''): string[][] {
  return Object.entries(propertiesOf(schema)).flatMap(([name, option]) => {
    if (prefix === '' && !isWanted(name)) return [];
    if (isJsonObject(option.properties)) return rowsOf(option, isWanted, `${prefix}${name}.`);
    return [[`\`${prefix}${name}\``, kindOf(option), defaultOf(option), String(option.description)]];
  });
}

function propertiesOf(schema: JsonObject): Record<string, JsonObject> {
  const { properties } = schema;
  if (!isJsonObject(properties)) throw new Error('the schema describes no object');
  return properties as Record<string, JsonObject>;
}

function kindOf({ type, enum: words, anyOf }: JsonObject): string {
  if (Array.isArray(words)) return words.map((word) => `\`${word}\``).join(' ');
  if (Array.isArray(anyOf)) return JSON.stringify(anyOf).includes('KiB') ? 'size' : 'duration';
  if (type === 'array') return 'list';
  if (type === 'integer') return 'number';
  return type === 'string' ? 'text' : String(type);
}

function defaultOf({ default: written }: JsonObject): string {
  if (written === undefined) return '';
  return `\`${typeof written === 'string' ? written : JSON.stringify(written)}\``;
}

const isShared = (name: string) => name in backendDefaults;
const isIgnored = (name: string) =>
  String(propertiesOf(backendOptions.schema)[name]?.description).startsWith('Ignored');

describe('the README', () => {
  it.each([
    ['options', rowsOf(options.schema, (name) => !isShared(name))],
    ['backend options', rowsOf(backendOptions.schema, (name) => !isShared(name) && !isIgnored(name))],
    ['shared options', rowsOf(backendOptions.schema, isShared)],
  ])('lists the %s of the code, with kind, default and meaning, and no others', (name, rows) => {
    expect(tableRows(marked(readme, name))).toEqual(rows);
  });

  it('names the keys of desktop clients that are ignored', () => {
    const ignored = Object.keys(propertiesOf(backendOptions.schema)).filter(isIgnored);
    expect(readme).toContain(`(${ignored.map((name) => `\`${name}\``).join(', ')}), which is ignored`);
  });

  it('lists the exit codes of the code and no others', () => {
    const rows = tableRows(marked(readme, 'exit codes')).map(([code, name]) => [name, Number(code)]);
    expect(Object.fromEntries(rows)).toEqual(exitCodes);
  });

  it('lists the scripts of package.json and no others', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object };
    const listed = tableRows(marked(readme, 'scripts')).map(([script = '']) =>
      script.replace(/^`npm (run )?|`$/g, ''),
    );
    expect(listed.sort()).toEqual(Object.keys(scripts).sort());
  });

  it('shows the command lines that --help shows', async () => {
    const { HELP } = await import('../../src/command-line/help.js');
    const usage = HELP.split('\n').filter((line) => line.startsWith('  mcp-switchboard '));
    for (const line of usage) expect(readme).toContain(line.trim());
  });
});

describe.each(documents)('%s', (path) => {
  const text = readDocument(path);

  it('links to nothing that is not there', () => {
    const missing = linkTargets(text).filter((target) => {
      if (/^[a-z]+:/.test(target)) return false;
      const [file = '', anchor] = target.split('#');
      const linked = file === '' ? path : join(dirname(path), file);
      if (!existsSync(linked)) return true;
      return anchor !== undefined && !headingAnchors(readDocument(linked)).includes(anchor);
    });
    expect(missing).toEqual([]);
  });

  it('shows configurations that can be loaded', () => {
    const configurations = [...codeBlocks(text, 'jsonc'), ...codeBlocks(text, 'json')];
    const whole = configurations.map((each) => (each.trimStart().startsWith('{') ? each : `{${each}}`));
    expect(whole.map((each) => problemsOf(each))).toEqual(whole.map(() => []));
  });
});

describe('config/clients/', () => {
  it.each(['backend-directly.json', 'notes-directly.json', 'gateway-over-stdio.json'])(
    '%s can be loaded',
    (name) => {
      expect(problemsOf(readDocument(`config/clients/${name}`))).toEqual([]);
    },
  );
});
