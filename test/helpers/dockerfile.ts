/** One instruction of a Dockerfile, with continued lines joined. */
export interface Instruction {
  readonly name: string;
  /** Options such as `--from=build`, by name without the dashes. */
  readonly flags: ReadonlyMap<string, string>;
  /** What follows the options, as written. */
  readonly text: string;
}

/** What stands between one `FROM` and the next. */
export interface Stage {
  /** The name behind `AS`; empty for a stage without one. */
  readonly name: string;
  readonly image: string;
  readonly instructions: readonly Instruction[];
}

/** Reads the instructions of a Dockerfile: comments, continued lines and options, but no ARG, heredoc or escape. */
export function parseDockerfile(text: string): Stage[] {
  const stages: (Stage & { instructions: Instruction[] })[] = [];
  const joined = text.replace(/^\s*#.*\n/gm, '').replace(/\\\n/g, ' ');
  for (const line of joined.split('\n').filter((each) => each.trim() !== '')) {
    const instruction = parseInstruction(line.trim());
    if (instruction.name === 'FROM') {
      const [image = '', , name = ''] = instruction.text.split(/\s+/);
      stages.push({ name, image, instructions: [] });
      continue;
    }
    const stage = stages.at(-1);
    if (stage === undefined) throw new Error(`${instruction.name} stands before the first FROM`);
    stage.instructions.push(instruction);
  }
  return stages;
}

function parseInstruction(line: string): Instruction {
  const [, name = '', options = '', text = ''] = /^(\w+)((?:\s+--[\w-]+=\S+)*)\s+(.*)$/.exec(line) ?? [];
  if (name === '') throw new Error(`not understood: ${line}`);
  const flags = [...options.matchAll(/--([\w-]+)=(\S+)/g)].map(
    ([, flag = '', value = '']): [string, string] => [flag, value],
  );
  return { name: name.toUpperCase(), flags: new Map(flags), text };
}

/** The last instruction of this name, which is the one that holds. */
export function instructionOf(stage: Stage, name: string): Instruction {
  const found = stage.instructions.findLast((instruction) => instruction.name === name);
  if (found === undefined) throw new Error(`the stage has no ${name}`);
  return found;
}

/** A command in its JSON form, which runs without a shell. */
export function execForm(text: string): string[] {
  const words: unknown = JSON.parse(text);
  if (!Array.isArray(words) || !words.every((word) => typeof word === 'string')) {
    throw new Error(`not a list of texts: ${text}`);
  }
  return words;
}

/** The variables that a stage sets for its processes. */
export function environmentOf(stage: Stage): Record<string, string> {
  const settings = stage.instructions
    .filter(({ name }) => name === 'ENV')
    .flatMap(({ text }) => text.split(/\s+/).map((setting) => setting.split('=', 2)));
  return Object.fromEntries(settings.map(([name = '', value = '']) => [name, value]));
}

/**
 * Whether a `.dockerignore` leaves a path out. Its patterns start at the root of the context, and one that names
 * a folder leaves out what is in it. Negated patterns are not understood.
 */
export function ignoredBy(dockerignore: string): (path: string) => boolean {
  const patterns = dockerignore.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const matchers = patterns.map((pattern) => {
    if (pattern.startsWith('!')) throw new Error(`negated pattern: ${pattern}`);
    const source = pattern
      .replace(/[.+^$()|{}\\]/g, '\\$&')
      .replace(/\*\*\/|\*|\?/g, (glob) => ({ '**/': '(?:.*/)?', '*': '[^/]*' })[glob] ?? '[^/]');
    return new RegExp(`^${source}(?:/|$)`);
  });
  return (path) => matchers.some((matcher) => matcher.test(path));
}
