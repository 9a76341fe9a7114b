import { isatty } from 'node:tty';
import { type DestinationStream, destination, pino } from 'pino';
import type { Log } from '../shared/log.js';

const stdout = 1;

/** Log lines that wait for whoever reads stdout; more are dropped, because the log must not fill the memory. */
const maxWaitingBytes = 4 * 1024 * 1024;

/** How often a reader that takes nothing is given another chance at the end: 100 ms each, half a second in all. */
const maxLastAttempts = 5;

/**
 * The program's log: JSON lines on stdout, readable lines when stdout is a terminal. Lines are written beside
 * the event loop, which a slow reader must not hold up, and what waits is written at the end of the program. A
 * stdout that nobody reads any more, or that is a file on a full disk, is ignored.
 */
export async function createLog(level: string): Promise<Log> {
  return pino(
    { level, base: null, timestamp: pinoTime, formatters: { level: (label) => ({ level: label }) } },
    isatty(stdout) ? await pretty() : lines(),
  );
}

const pinoTime = () => `,"time":"${new Date().toISOString()}"`;

function lines(): DestinationStream {
  let attemptsLeft = Number.POSITIVE_INFINITY;
  process.once('exit', () => {
    attemptsLeft = maxLastAttempts;
  });
  const out = destination({
    fd: stdout,
    sync: false,
    maxLength: maxWaitingBytes,
    retryEAGAIN: () => {
      attemptsLeft -= 1;
      return attemptsLeft > 0;
    },
  });
  // A full disk: what waits is tried again with the next line. Unheard, the error would be the end of the program.
  let broken = false;
  out.on('error', () => {
    broken = true;
  });
  out.on('write', () => {
    broken = false;
  });
  const flush = out.flushSync.bind(out);
  // Called by pino when the program ends, where an error would keep the other parts from their last duties.
  out.flushSync = () => {
    // It would try for ever.
    if (broken) return;
    try {
      flush();
    } catch (error) {
      console.error(`the last log lines could not be written: ${error}`);
    }
  };
  return out;
}

/** Loaded only where a person looks on: it would cost every start some milliseconds. */
async function pretty(): Promise<DestinationStream> {
  const { build } = await import('pino-pretty');
  return build({ sync: true, destination: stdout, ignore: 'pid,hostname' });
}
