import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '../../../src/protocol/json.js';

/** The file that the build made of `backends/<name>/main.ts`. */
export function builtBackend(name: string): string {
  return fileURLToPath(new URL(`../../../dist/backends/${name}/main.js`, import.meta.url));
}

/** A small server that is only there to be tested. */
export function fixture(file: string): string {
  return fileURLToPath(new URL(`../../fixtures/${file}`, import.meta.url));
}

export interface StartOptions {
  readonly args?: readonly string[];
}

/** A server as a process of its own, spoken to in raw lines. Killed when the scope is left. */
export function startProcess(file: string, { args = [] }: StartOptions = {}) {
  const child = spawn(process.execPath, [file, ...args], { stdio: 'pipe' });
  const closed = once(child, 'close');
  const exited = closed.then(([code, signal]) => ({ code, signal }));
  const messages = new MessageQueue();
  let stdout = '';
  let stderr = '';
  child.stdin.on('error', () => messages.end('its stdin is closed'));
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (stdout + text).split('\n');
    stdout = lines.pop() ?? '';
    for (const line of lines) messages.push(JSON.parse(line));
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.on('close', () => messages.end(`the process has ended; its stderr was: ${stderr}`));

  return {
    /** Resolves with exit code and signal once all of its output has been read. */
    exited,
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    /** What it has written to stderr so far. */
    logged: () => stderr,
    writeLine: (line: string | Buffer) => {
      child.stdin.write(line);
      child.stdin.write('\n');
    },
    send: (message: JsonObject) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    /** The next message that it sends, from the first one on. */
    next: () => messages.next(),
    /** All messages that have not been taken with `next`, once it has ended. */
    rest: async () => {
      await closed;
      return messages.rest();
    },
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}

class MessageQueue {
  readonly #arrived: JsonObject[] = [];
  readonly #waiting: { resolve: (message: JsonObject) => void; reject: (error: Error) => void }[] = [];
  #ended: string | undefined;

  push(message: JsonObject): void {
    const waiter = this.#waiting.shift();
    if (waiter === undefined) this.#arrived.push(message);
    else waiter.resolve(message);
  }

  next(): Promise<JsonObject> {
    const message = this.#arrived.shift();
    if (message !== undefined) return Promise.resolve(message);
    if (this.#ended !== undefined) return Promise.reject(new Error(this.#ended));
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  rest(): readonly JsonObject[] {
    return this.#arrived.splice(0);
  }

  end(reason: string): void {
    this.#ended ??= reason;
    for (const { reject } of this.#waiting.splice(0)) reject(new Error(reason));
  }
}
