import { execFile } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { environmentOf, type Instruction, ignoredBy, parseDockerfile, type Stage } from './dockerfile.js';

const run = promisify(execFile);

/** An image without a container engine: the file tree of the last stage in a temporary folder. */
export interface Image extends Disposable {
  readonly stage: Stage;
  /** Where the last stage's working directory is. */
  readonly workdir: string;
  /** The `RUN` lines that were left out, because they change the operating system. */
  readonly leftOut: readonly string[];
}

/** The longest that one RUN line may take, in milliseconds; `npm ci` without a warm cache is slow. */
const runLimitMs = 150_000;

/**
 * Does what each stage of the `Dockerfile` says, in folders of its own: copies the files that it copies and no
 * others, and runs its `npm` and `node` lines there. `apt-get` lines are left out, any other RUN is an error.
 */
export async function buildImage(): Promise<Image> {
  const stages = parseDockerfile(await readFile('Dockerfile', 'utf8'));
  const stage = stages.at(-1);
  if (stage === undefined) throw new Error('the Dockerfile has no stage');
  const root = mkdtempSync(join(tmpdir(), 'switchboard-image-'));
  // The image's user is not the one who builds it.
  chmodSync(root, 0o755);
  const dispose = () => rmSync(root, { recursive: true, force: true });
  try {
    const context = join(root, 'context');
    await copyContext(context);
    const leftOut: string[] = [];
    let workdir = root;
    for (const [index, each] of stages.entries()) {
      const fileSystem = join(root, each.name || `stage-${index}`);
      const from = (name: string | undefined) => (name === undefined ? context : join(root, name));
      workdir = await buildStage(each, fileSystem, from, leftOut);
    }
    return { stage, workdir, leftOut, [Symbol.dispose]: dispose };
  } catch (error) {
    dispose();
    throw error;
  }
}

/** The tracked and the new files, as a clone of the next commit would have them, less what is ignored. */
async function copyContext(folder: string): Promise<void> {
  const { stdout } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z']);
  const isIgnored = ignoredBy(await readFile('.dockerignore', 'utf8'));
  for (const path of stdout.split('\0').filter((each) => each !== '' && !isIgnored(each))) {
    if (existsSync(path) && statSync(path).isFile()) copy(path, join(folder, path));
  }
}

async function buildStage(
  stage: Stage,
  fileSystem: string,
  from: (stage: string | undefined) => string,
  leftOut: string[],
): Promise<string> {
  let workdir = fileSystem;
  mkdirSync(workdir, { recursive: true });
  for (const instruction of stage.instructions) {
    const { name, text } = instruction;
    if (name === 'WORKDIR') {
      workdir = join(fileSystem, text);
      mkdirSync(workdir, { recursive: true });
    } else if (name === 'COPY') {
      copyAsDocker(instruction, from(instruction.flags.get('from')), workdir);
    } else if (name === 'RUN' && /^(npm|node) /.test(text)) {
      await runLine(text, workdir, environmentOf(stage));
    } else if (name === 'RUN' && text.startsWith('apt-get ')) {
      leftOut.push(text);
    } else if (name === 'RUN') {
      throw new Error(`this RUN cannot be done here: ${text}`);
    }
  }
  return workdir;
}

/** A folder's content goes into the target, a file into a target with a slash at its end. */
function copyAsDocker({ text }: Instruction, source: string, workdir: string): void {
  const words = text.split(/\s+/);
  const target = words.pop() ?? '';
  for (const word of words) {
    const path = join(source, word);
    const isFolder = statSync(path).isDirectory();
    const intoFolder = target.endsWith('/') || words.length > 1;
    copy(path, !isFolder && intoFolder ? resolve(workdir, target, basename(word)) : resolve(workdir, target));
  }
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}

async function runLine(line: string, cwd: string, variables: Record<string, string>): Promise<void> {
  const env = { ...builderEnvironment(), ...variables, npm_config_prefer_offline: 'true' };
  try {
    await run('/bin/sh', ['-c', line], { cwd, env, timeout: runLimitMs });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`"${line}" failed:\n${(stdout + stderr).slice(-4_000)}`, { cause: error });
  }
}

/**
 * What npm needs to reach its registry or cache. The programs of this project's own `node_modules`, which `npm test`
 * puts into PATH, are kept away: a clean copy has to bring its own.
 */
function builderEnvironment(): Record<string, string> {
  const needed =
    /^(HOME|TMPDIR|NODE_EXTRA_CA_CERTS|(https?|no|all)_proxy|npm_config_(registry|cache|userconfig))$/i;
  const kept = Object.entries(process.env).filter(([name]) => needed.test(name));
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes(`${sep}node_modules`));
  return { ...(Object.fromEntries(kept) as Record<string, string>), PATH: path.join(delimiter) };
}
