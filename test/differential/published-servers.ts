import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { BackendEntry } from '../helpers/fixture-backend.js';
import { members, texts } from './normalise.js';
import { everythingOpening, everythingScenes } from './scenes/everything.js';
import { filesystemOpening, filesystemScenes } from './scenes/filesystem.js';
import { memoryScenes } from './scenes/memory.js';
import type { ServerUnderTest } from './server-under-test.js';

const require = createRequire(import.meta.url);

/** A program of an installed package, given by the path of its file inside the package. */
function node(packageFile: string, file: string, args: readonly string[] = [], env = {}): BackendEntry {
  return { command: process.execPath, args: [join(dirname(packageFile), file), ...args], env };
}

const everything = require.resolve('@modelcontextprotocol/server-everything/package.json');
const filesystem = require.resolve('@modelcontextprotocol/server-filesystem/package.json');
const memory = require.resolve('@modelcontextprotocol/server-memory/package.json');
const sequentialThinking = require.resolve('@modelcontextprotocol/server-sequential-thinking/package.json');
const helloWorld = require.resolve('mcp-hello-world/package.json');
const commands = require.resolve('mcp-server-commands/package.json');

const entities = [
  { name: 'Ada', entityType: 'person', observations: ['wrote the first program', 'años'] },
  { name: 'Engine', entityType: 'machine', observations: [] },
];

function filesystemCalls(folder: string) {
  const at = (path: string) => join(folder, 'files', path);
  return {
    read_file: [{ path: at('a.txt') }],
    read_text_file: [{ path: at('a.txt'), head: 1 }, { path: at('a.txt'), tail: 1 }, { path: at('missing') }],
    read_media_file: [{ path: at('inner/picture.png') }, { path: at('a.txt') }],
    read_multiple_files: [{ paths: [at('a.txt'), at('missing')] }],
    write_file: [
      { path: at('b.txt'), content: 'ñandú 🦤\n' },
      { path: '/not/allowed', content: '' },
    ],
    edit_file: [{ path: at('a.txt'), edits: [{ oldText: 'two', newText: '2' }] }],
    create_directory: [{ path: at('new/deep') }],
    list_directory: [{ path: at('') }],
    list_directory_with_sizes: [{ path: at(''), sortBy: 'size' }],
    directory_tree: [{ path: at('') }],
    move_file: [{ source: at('b.txt'), destination: at('new/b.txt') }],
    search_files: [{ path: at(''), pattern: '**/*.txt' }],
    get_file_info: [{ path: at('a.txt') }],
  };
}

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Our own backends, for good measure: every folder that is a program. */
export const ownServers: readonly ServerUnderTest[] = readdirSync(join(root, 'backends'))
  .filter((name) => existsSync(join(root, 'backends', name, 'main.ts')))
  .map((name) => ({
    name,
    start: () => node(join(root, 'package.json'), `dist/backends/${name}/main.js`),
  }));

/** The servers of the differential test. A further one is one further line: its name and how it is started. */
export const publishedServers: readonly ServerUnderTest[] = [
  // First, since it takes longest.
  {
    name: 'everything',
    start: () => node(everything, 'dist/index.js', [], { DIFFERENTIAL: 'yes' }),
    calls: () => ({
      'get-annotated-message': [
        { messageType: 'error', includeImage: true },
        { messageType: 'success' },
        { messageType: 'debug' },
      ],
      'get-resource-links': [{ count: 4 }],
      'get-resource-reference': [
        { resourceType: 'Text', resourceId: 3 },
        { resourceType: 'Blob', resourceId: 4 },
        { resourceType: 'Blob', resourceId: -1 },
      ],
      'get-sum': [{ a: 9_007_199_254_740_991, b: 0.5 }],
      'trigger-long-running-operation': [{ duration: 0.02, steps: 2 }],
      'trigger-url-elicitation': [
        { url: 'https://example.com/sign-in', elicitationId: 'e-1' },
        { url: 'https://example.com/sign-in', errorPath: true },
      ],
      // What these do, they also do afterwards; the scenes wait for it.
      'gzip-file-as-resource': [],
      'toggle-simulated-logging': [],
      'toggle-subscriber-updates': [],
    }),
    prompts: {
      'resource-prompt': { resourceType: 'Blob', resourceId: '2' },
      'completable-prompt': { department: 'Engineering', name: 'Alice' },
    },
    opening: everythingOpening,
    scenes: everythingScenes,
    volatile: [
      texts(
        'the time of day is part of dynamic resources',
        /created at \d+:\d\d:\d\d\s[AP]M/g,
        'created at <time>',
      ),
      members('the same inside base64', /^blob$/, (blob) => {
        const text = Buffer.from(blob, 'base64').toString();
        return /^Resource \d+: /.test(text) ? text.replace(/created at .*/, 'created at <time>') : blob;
      }),
      members('tasks carry when they were made', /^(createdAt|lastUpdatedAt)$/, () => '<time>'),
      texts(
        'a process inherits what its parent chooses to hand on; what was configured must be there',
        /^\{\n(?: {2}"\w+": ".*",?\n)*? {2}("DIFFERENTIAL": "yes"),?\n(?: {2}"\w+": ".*",?\n)*\}$/,
        '{ … $1 … }',
      ),
      {
        why: 'simulated log lines are chosen at random',
        level: (event) =>
          'notice' in event &&
          /^\w+[- ]level[- ]message$/.test(String((event.params as { data?: unknown }).data))
            ? { notice: event.notice, params: '<a random line>' }
            : event,
      },
    ],
    sharedCapabilities: { sampling: {}, elicitation: { form: {}, url: {} } },
  },
  ...ownServers,
  {
    name: 'sequential-thinking',
    start: () => node(sequentialThinking, 'dist/index.js'),
    calls: () => ({
      sequentialthinking: [
        { thought: 'one', nextThoughtNeeded: true, thoughtNumber: 1, totalThoughts: 2 },
        {
          thought: 'or',
          nextThoughtNeeded: false,
          thoughtNumber: 2,
          totalThoughts: 2,
          branchFromThought: 1,
          branchId: 'b',
        },
      ],
    }),
  },
  { name: 'hello-world', start: () => node(helloWorld, 'build/stdio.js') },
  {
    name: 'commands',
    start: () => node(commands, 'build/index.js'),
    calls: () => ({
      run_command: [{ command: 'echo hello' }, { command: 'cat', stdin: 'ñ' }, { command: 'exit 3' }],
    }),
    prompts: { run_command: { command: 'echo hello' } },
  },
  {
    name: 'memory',
    start: (folder) => node(memory, 'dist/index.js', [], { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') }),
    calls: () => ({
      create_entities: [{ entities }],
      create_relations: [{ relations: [{ from: 'Ada', to: 'Engine', relationType: 'knows' }] }],
      add_observations: [
        { observations: [{ entityName: 'Engine', contents: ['has a mill'] }] },
        { observations: [{ entityName: 'nobody', contents: [] }] },
      ],
      delete_entities: [{ entityNames: ['nobody'] }],
      delete_observations: [{ deletions: [{ entityName: 'Ada', observations: ['años'] }] }],
      delete_relations: [{ relations: [{ from: 'Engine', to: 'Ada', relationType: 'knows' }] }],
      search_nodes: [{ query: 'program' }, { query: 'nothing of the kind' }],
      open_nodes: [{ names: ['Ada'] }],
    }),
    scenes: memoryScenes,
  },
  {
    name: 'filesystem',
    start: (folder) => {
      mkdirSync(join(folder, 'files/inner'), { recursive: true });
      mkdirSync(join(folder, 'other'));
      writeFileSync(join(folder, 'files/a.txt'), 'one\ntwo\nthree\n');
      writeFileSync(join(folder, 'files/inner/picture.png'), Buffer.from([1, 2, 3]));
      return node(filesystem, 'dist/index.js', [join(folder, 'files'), join(folder, 'other')]);
    },
    roots: (folder) => [{ uri: pathToFileURL(join(folder, 'files')).href, name: 'Files' }],
    calls: filesystemCalls,
    opening: filesystemOpening,
    scenes: filesystemScenes,
    volatile: [
      texts(
        'two files are not made and read at the same moment',
        /^(created|modified|accessed): .*$/gm,
        '$1: <time>',
      ),
    ],
  },
];
