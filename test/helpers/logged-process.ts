import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { eventually } from './eventually.js';
import type { Ending } from './program.js';

/** A gateway started in an unusual way, by the log lines on its stdout. Leaving its scope kills it. */
export interface LoggedProcess extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly ending: Promise<Ending>;
  /** The first line with this message, past or future. */
  logLine(message: string): Promise<Readonly<Record<string, unknown>>>;
}

export function startLogged(command: readonly string[], options: SpawnOptions): LoggedProcess {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (stream !== null) createInterface({ input: stream }).on('line', (line) => lines.push(line));
  }
  const ending = once(child, 'close').then(([code, signal]): Ending => ({ code, signal }));

  return {
    child,
    ending,
    async logLine(message) {
      const find = () => lines.find((line) => line.includes(`"msg":"${message}"`));
      const line = await eventually(`log line "${message}"`, find).catch((cause: unknown) => {
        throw new Error(`no log line "${message}" among:\n${lines.join('\n')}`, { cause });
      });
      return JSON.parse(line);
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ending;
    },
  };
}
