import { Console } from 'node:console';
import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';
import { LineSplitter } from '../../src/protocol/framing.js';
import { Output } from './output.js';
import { Server } from './server.js';
import type { ServerDefinition } from './server-definition.js';

/**
 * Longest line accepted, in bytes. Above the 4 MiB that the gateway takes from a client by default, and low
 * enough that a line without end cannot exhaust the memory.
 */
const maxLineBytes = 16 * 1024 * 1024;

/**
 * How long running calls may still be answered after the end of input, and how long a reader of the answers may
 * take nothing, in milliseconds each. Together they stay below the 2 s after which the gateway sends SIGTERM.
 */
const finishMs = 800;

/**
 * Runs a server on this process's stdin and stdout until its input ends or it gets SIGTERM or SIGINT, then
 * exits with 0. Throws at once when two tools, prompts or templates
 * have one name. [MCP 2025-11-25 transports § stdio]
 */
export function serve(definition: ServerDefinition): void {
  const { stdin, stdout, stderr } = process;
  const log = (text: string) => stderr.write(`${definition.name}: ${text}\n`);
  // A stray console.log would otherwise break the protocol.
  globalThis.console = new Console(stderr);

  const output = new Output(stdout);
  const server = new Server(definition, { send: (line) => output.send(line), log });
  const lines = new LineSplitter({
    maxLineBytes,
    onLine: (line, validUtf8) => server.receive(line, validUtf8),
    onOversize: ({ length }) => server.refuseOversize(length, maxLineBytes),
  });

  const finish = async (patienceMs: number) => {
    server.endSubscriptions();
    await Promise.race([server.idle(), delay(patienceMs)]);
    server.cancelAll();
    await output.flush(finishMs);
    process.exit(0);
  };
  const stop = () => {
    stdin.pause();
    // Calls are not waited for; the answers of listens are sent before any timer runs.
    void finish(0);
  };

  stdin.on('data', (chunk) => lines.push(chunk));
  stdin.on('end', () => {
    lines.end();
    void finish(finishMs);
  });
  stdin.on('error', stop);
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // Nobody reads the answers any more: EPIPE is how a client's death looks from here.
  stdout.on('error', () => process.exit(0));
  stderr.on('error', ignoreLostLog);
  process.on('uncaughtException', (error) => log(`still serving after an uncaught error: ${inspect(error)}`));
}

/** A server goes on when nobody reads its log. */
function ignoreLostLog(): undefined {
  return undefined;
}
