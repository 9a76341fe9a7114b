import type { JsonObject } from '../../../src/protocol/json.js';
import type {
  Command,
  Launch,
  ProcessEvents,
  ProcessExit,
  RunningProcess,
} from '../../../src/supervisor/launch.js';

/** A parsed line that the gateway wrote to a process. */
export interface Heard {
  readonly id?: number;
  readonly method: string;
  readonly params?: JsonObject;
}

/** What a process answers by itself: a result, an error, or nothing. */
export type Answer = (heard: Heard) => { result: JsonObject } | { error: JsonObject } | undefined;

/** A process without a process: the test says what it prints and when it ends. */
export class FakeProcess implements RunningProcess {
  readonly pid = 4711;
  readonly unwrittenBytes = 0;
  readonly heard: Heard[] = [];
  readonly command: Command;
  ending: 'stop' | 'kill' | undefined;
  readonly #events: ProcessEvents;
  readonly #answer: Answer;
  #gone = false;
  #resolveGone: () => void = () => undefined;
  readonly #whenGone: Promise<void>;

  constructor(command: Command, events: ProcessEvents, answer: Answer) {
    this.command = command;
    this.#events = events;
    this.#answer = answer;
    this.#whenGone = new Promise((resolve) => {
      this.#resolveGone = resolve;
    });
  }

  write(pieces: readonly Buffer[]): void {
    const heard = JSON.parse(Buffer.concat(pieces).toString()) as Heard;
    this.heard.push(heard);
    const answer = this.#answer(heard);
    if (answer !== undefined) this.say({ jsonrpc: '2.0', id: heard.id, ...answer });
  }

  /** Prints one line: a value as JSON, a text as it stands. */
  say(message: object | string): void {
    this.print(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  }

  print(bytes: string | Buffer): void {
    this.#events.stdout(Buffer.from(bytes));
  }

  complain(text: string): void {
    this.#events.stderr(Buffer.from(text));
  }

  closeStdout(): void {
    this.#events.lost('closed its stdout without exiting');
  }

  exit(exit: Partial<ProcessExit> = {}): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#events.exit({ code: 1, signal: null, reason: 'exit code 1', rung: undefined, ...exit });
    this.#resolveGone();
  }

  stop(): Promise<void> {
    this.ending ??= 'stop';
    return this.#whenGone;
  }

  kill(): void {
    this.ending = 'kill';
    this.exit({ code: null, signal: 'SIGKILL', reason: 'signal SIGKILL', rung: 'kill' });
  }
}

export const initializeResult = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: { listChanged: true } },
  serverInfo: { name: 'fake', version: '1' },
};

/** Answers as a server with these tools does. */
export function serverWith(...tools: readonly string[]): Answer {
  return ({ method }) => {
    if (method === 'initialize') return { result: initializeResult };
    if (method === 'tools/list') return { result: { tools: tools.map((name) => ({ name })) } };
    return undefined;
  };
}

/** Starts fake processes; `answer` may be replaced between starts. */
export function createFakeLaunch(answer: Answer) {
  const processes: FakeProcess[] = [];
  const fake = {
    answer,
    processes,
    get newest(): FakeProcess {
      const newest = processes.at(-1);
      if (newest === undefined) throw new Error('nothing was started');
      return newest;
    },
    launch: ((command, events) => {
      const started = new FakeProcess(command, events, (heard) => fake.answer(heard));
      processes.push(started);
      return started;
    }) satisfies Launch as Launch,
  };
  return fake;
}

/** Lets everything run that waits for nothing but promises. */
export function settle(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
