import { posix } from 'node:path';
import { type ModuleText, readModuleText } from './module-text.js';

/** Source files by their path from the project's root, with forward slashes. */
export type SourceFiles = ReadonlyMap<string, string>;

/**
 * Which rooms each room may import besides itself. A room is a folder of `src/`, or `top` for the files that
 * join the rooms and for the command line. `router/ports` is the one file of the router that both sides know.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  shared: [],
  protocol: ['shared'],
  config: ['protocol', 'shared'],
  admin: ['protocol', 'shared'],
  eras: ['protocol', 'shared'],
  catalog: ['protocol', 'shared'],
  'router/ports': ['protocol', 'shared'],
  router: ['catalog', 'eras', 'protocol', 'shared'],
  sessions: ['router/ports', 'eras', 'protocol', 'shared'],
  supervisor: ['router/ports', 'eras', 'protocol', 'shared'],
  top: [
    'admin',
    'catalog',
    'config',
    'eras',
    'protocol',
    'router',
    'router/ports',
    'sessions',
    'shared',
    'supervisor',
  ],
  'backends/kit': ['protocol'],
};

/** Rooms that may reach sockets, processes, files and timers. */
const roomsWithIo = new Set(['admin', 'config', 'sessions', 'supervisor', 'top']);

/** The one file outside of those rooms that may use timers: everybody else gets its clock. */
const systemClockFile = 'src/shared/clock.ts';

const ioModules = new Set([
  'child_process',
  'cluster',
  'dgram',
  'fs',
  'fs/promises',
  'http',
  'http2',
  'https',
  'net',
  'timers',
  'timers/promises',
  'tls',
  'worker_threads',
  'ws',
]);

/** Every rule of the architecture that `files` break, as sentences with file and line. */
export function findViolations(files: SourceFiles): string[] {
  const modules = new Map([...files].map(([path, source]) => [path, readModuleText(source)]));
  return [
    ...[...modules].flatMap(([path, module]) => [
      ...barrels(path),
      ...forbiddenImports(path, module, files),
      ...forbiddenIo(path, module),
    ]),
    ...circles(modules),
  ];
}

function barrels(path: string): string[] {
  return posix.basename(path) === 'index.ts' ? [`${path}: is a barrel; import the files themselves`] : [];
}

function forbiddenImports(path: string, { uses }: ModuleText, files: SourceFiles): string[] {
  const from = roomOf(path);
  if (from === undefined) return [`${path}: belongs to no room that the architecture knows`];
  return uses.flatMap(({ specifier, line }) => {
    const where = `${path}:${line}: imports ${specifier}`;
    if (!specifier.startsWith('.'))
      return isForeignToBackends(from, specifier) ? [`${where}; backends use nothing but Node`] : [];
    const target = resolve(path, specifier);
    if (!files.has(target)) return [`${where}, which is no source file of this project`];
    const to = roomOf(target) as string;
    if (to === from || sameRoom(from, to) || allowedFor(from).includes(to)) return [];
    return [`${where}; ${from} may import ${allowedFor(from).join(', ') || 'nothing'}, and this is ${to}`];
  });
}

function isForeignToBackends(room: string, specifier: string): boolean {
  return room.startsWith('backends/') && !specifier.startsWith('node:');
}

function sameRoom(from: string, to: string): boolean {
  return from === 'router' && to === 'router/ports';
}

function allowedFor(room: string): readonly string[] {
  return mayImport[room] ?? (room.startsWith('backends/') ? ['backends/kit', 'protocol'] : []);
}

function forbiddenIo(path: string, { uses, timers }: ModuleText): string[] {
  const room = roomOf(path);
  if (room === undefined || roomsWithIo.has(room) || room.startsWith('backends/')) return [];
  const modules = uses.filter(({ specifier }) => ioModules.has(specifier.replace(/^node:/, '')));
  const clocks = path === systemClockFile ? [] : timers;
  return [
    ...modules.map(
      ({ specifier, line }) => `${path}:${line}: imports ${specifier}; ${room} does no input or output`,
    ),
    ...clocks.map(({ name, line }) => `${path}:${line}: uses ${name}; ${room} takes its time from a Clock`),
  ];
}

function circles(modules: ReadonlyMap<string, ModuleText>): string[] {
  const found = new Set<string>();
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]) => {
    const start = trail.indexOf(path);
    if (start >= 0) {
      found.add(`import circle: ${canonicalCircle(trail.slice(start)).join(' → ')}`);
      return;
    }
    if (done.has(path)) return;
    for (const { specifier } of modules.get(path)?.uses ?? []) {
      const target = specifier.startsWith('.') ? resolve(path, specifier) : undefined;
      if (target !== undefined && modules.has(target)) visit(target, [...trail, path]);
    }
    done.add(path);
  };
  for (const path of modules.keys()) visit(path, []);
  return [...found];
}

/** The same circle reads the same wherever it was entered. */
function canonicalCircle(circle: readonly string[]): string[] {
  const first = circle.indexOf([...circle].sort()[0] as string);
  return [...circle.slice(first), ...circle.slice(0, first), circle[first] as string];
}

function resolve(from: string, specifier: string): string {
  return posix.join(posix.dirname(from), specifier).replace(/\.js$/, '.ts');
}

function roomOf(path: string): string | undefined {
  const [root, folder, ...rest] = path.split('/');
  if (folder === undefined) return undefined;
  if (root === 'backends' && rest.length > 0) return `backends/${folder}`;
  if (root !== 'src') return undefined;
  if (rest.length === 0 || folder === 'command-line') return 'top';
  if (path === 'src/router/ports.ts') return 'router/ports';
  return Object.hasOwn(mayImport, folder) && folder !== 'top' ? folder : undefined;
}
