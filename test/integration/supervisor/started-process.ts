import { fileURLToPath } from 'node:url';
import { systemClock } from '../../../src/shared/clock.js';
import type { StopSettings } from '../../../src/shared/settings.js';
import type { Command, ProcessExit, RunningProcess } from '../../../src/supervisor/launch.js';
import { launchProcess } from '../../../src/supervisor/process.js';
import { eventually } from '../../helpers/eventually.js';

/** Rungs short enough for a test, long enough for a process that does end by itself. */
export const quickStop: StopSettings = { endOfInputMs: 300, terminateMs: 300 };

/** Long enough that the test fails by its own timeout when a process is not ended by the rung it should be. */
export const patientStop: StopSettings = { endOfInputMs: 60_000, terminateMs: 60_000 };

/** The path of a program in `test/fixtures/processes/`. */
export function programPath(name: string): string {
  return fileURLToPath(new URL(`../../fixtures/processes/${name}.mjs`, import.meta.url));
}

/** Runs a program of `test/fixtures/processes/` with node. */
export function nodeProgram(name: string, stop: StopSettings = quickStop): Command {
  const env = { PATH: process.env.PATH ?? '' };
  return { command: process.execPath, args: [programPath(name)], cwd: process.cwd(), env, stop };
}

/** One process under test with all that it told. Killed when the test is over. */
export class StartedProcess implements AsyncDisposable {
  readonly running: RunningProcess;
  readonly exits: ProcessExit[] = [];
  readonly losses: string[] = [];
  stdout = '';
  stderrBytes = 0;

  constructor(command: Command) {
    this.running = launchProcess(
      command,
      {
        stdout: (chunk) => {
          this.stdout += chunk.toString();
        },
        stderr: (chunk) => {
          this.stderrBytes += chunk.length;
        },
        lost: (reason) => this.losses.push(reason),
        exit: (exit) => this.exits.push(exit),
      },
      systemClock,
    );
  }

  /** The first line it prints, which in most fixtures is the pid of interest. */
  firstLine(): Promise<string> {
    return eventually('a first line', () => /^(.*)\n/.exec(this.stdout)?.[1]);
  }

  exit(): Promise<ProcessExit> {
    return eventually('the exit', () => this.exits[0]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.running.kill();
    await this.running.stop();
  }
}

/** Whether a process with this pid lives. */
export function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

export function gone(pid: number): Promise<true> {
  return eventually(`process ${pid} being gone`, () => !lives(pid) || undefined);
}
