import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findViolations, type SourceFiles } from './helpers/layering.js';

const root = fileURLToPath(new URL('..', import.meta.url));

function sourceFiles(): SourceFiles {
  const paths = ['src', 'backends'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => `${folder}/${path.split(sep).join('/')}`),
  );
  return new Map(paths.sort().map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

describe('the architecture of src/ and backends/', () => {
  it('keeps the import directions, has no circles and no barrels, and does I/O only at the edges', () => {
    const violations = findViolations(sourceFiles());
    expect(violations, `\n${violations.join('\n')}\n`).toEqual([]);
  });

  it('is looked at whole: every room that exists has files in the sample', () => {
    const rooms = new Set([...sourceFiles().keys()].map((path) => path.split('/').slice(0, 2).join('/')));
    for (const room of [
      'shared',
      'protocol',
      'eras',
      'catalog',
      'router',
      'sessions',
      'supervisor',
      'config',
    ]) {
      expect(rooms).toContain(`src/${room}`);
    }
  });
});

describe('the checker itself', () => {
  const check = (files: Record<string, string>) => findViolations(new Map(Object.entries(files)));

  it('names file, line and rule when a room imports another that it may not know', () => {
    expect(
      check({
        'src/protocol/a.ts': "\nimport { b } from '../router/b.js';\n",
        'src/router/b.ts': '',
      }),
    ).toEqual([
      'src/protocol/a.ts:2: imports ../router/b.js; protocol may import shared, and this is router',
    ]);
  });

  it.each([
    ['a type import', "import type { B } from '../router/b.js';"],
    ['a multi-line import', "import {\n  type B,\n  b,\n} from '../router/b.js';"],
    ['an import for its effect', "import '../router/b.js';"],
    ['an export from', "export { b } from '../router/b.js';"],
    ['an export of everything', "export * from '../router/b.js';"],
    ['a dynamic import', "const b = await import('../router/b.js');"],
    ['a type query', "type B = import('../router/b.js').B;"],
    ['double quotes', 'import { b } from "../router/b.js";'],
    [
      'an import behind a regular expression with a quote',
      "const r = /['\"]/;\nimport { b } from '../router/b.js';",
    ],
    ['an import inside a template', `const t = \`\${await import('../router/b.js')}\`;`],
  ])('sees %s', (_form, source) => {
    expect(check({ 'src/sessions/a.ts': source, 'src/router/b.ts': '' })).toHaveLength(1);
  });

  it.each([
    ['comments', "// import { b } from '../router/b.js';\n/* import '../router/b.js'; */"],
    ['texts', 'const text = "import { b } from \'../router/b.js\'";'],
    ['templates', `const text = \`import { b } from '../router/b.js' \${1}\`;`],
  ])('does not take %s for imports', (_form, source) => {
    expect(check({ 'src/sessions/a.ts': source, 'src/router/b.ts': '' })).toEqual([]);
  });

  it('lets both sides import the ports of the router, and nothing else of it', () => {
    const source = "import type { P } from '../router/ports.js';\nimport { r } from '../router/route.js';";
    expect(
      check({
        'src/supervisor/a.ts': source,
        'src/router/ports.ts': "import type { S } from '../shared/s.js';",
        'src/router/route.ts': "import type { P } from './ports.js';",
        'src/shared/s.ts': '',
      }),
    ).toEqual([
      'src/supervisor/a.ts:2: imports ../router/route.js; supervisor may import router/ports, eras, protocol, shared, and this is router',
    ]);
  });

  it('lets a backend import its kit and the protocol, no other backend, no package and no other room', () => {
    expect(
      check({
        'backends/grammar/main.ts': [
          "import { serve } from '../kit/serve.js';",
          "import { codes } from '../../src/protocol/errors.js';",
          "import { stats } from '../text-stats/stats.js';",
          "import { Server } from '@modelcontextprotocol/sdk';",
          "import { log } from '../../src/shared/log.js';",
        ].join('\n'),
        'backends/kit/serve.ts': "import os from 'node:os';",
        'backends/text-stats/stats.ts': '',
        'src/protocol/errors.ts': '',
        'src/shared/log.ts': '',
      }).map((violation) => violation.split(':', 2)[1]),
    ).toEqual(['3', '4', '5']);
  });

  it('finds a circle of files once, wherever it is entered', () => {
    expect(
      check({
        'src/router/c.ts': "import { a } from './a.js';",
        'src/router/a.ts': "import { b } from './b.js';",
        'src/router/b.ts': "import type { C } from './c.js';",
      }),
    ).toEqual(['import circle: src/router/a.ts → src/router/b.ts → src/router/c.ts → src/router/a.ts']);
  });

  it('refuses sockets, processes, files and timers in the pure rooms only', () => {
    const source = [
      "import { connect } from 'node:net';",
      "import { WebSocket } from 'ws';",
      'setTimeout(() => {}, 1);',
      'globalThis.setImmediate(() => {});',
      'socket.setTimeout(5);',
      '// setInterval(() => {}, 1)',
    ].join('\n');
    expect(check({ 'src/router/a.ts': source })).toEqual([
      'src/router/a.ts:1: imports node:net; router does no input or output',
      'src/router/a.ts:2: imports ws; router does no input or output',
      'src/router/a.ts:3: uses setTimeout; router takes its time from a Clock',
      'src/router/a.ts:4: uses setImmediate; router takes its time from a Clock',
    ]);
    expect(check({ 'src/sessions/a.ts': source })).toEqual([]);
    expect(check({ 'src/shared/clock.ts': 'setTimeout(run, 1);' })).toEqual([]);
    expect(check({ 'src/shared/other.ts': 'setTimeout(run, 1);' })).toHaveLength(1);
  });

  it('refuses barrels, files of no room and imports of what is not there', () => {
    expect(
      check({
        'src/router/index.ts': '',
        'src/new-room/a.ts': '',
        'src/router/a.ts': "import { b } from './b.js';",
      }),
    ).toEqual([
      'src/router/index.ts: is a barrel; import the files themselves',
      'src/new-room/a.ts: belongs to no room that the architecture knows',
      'src/router/a.ts:1: imports ./b.js, which is no source file of this project',
    ]);
  });
});
