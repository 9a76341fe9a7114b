import { isatty } from 'node:tty';
import { type DestinationStream, destination, pino } from 'pino';
import type { Log } from '../shared/log.js';

const stdout = 1;

/**
 * The program's log: JSON lines on stdout, readable lines when stdout is a terminal. Lines are written at
 * once, so that the last ones before an end are there; a stdout that nobody reads any more is ignored.
 */
export async function createLog(level: string): Promise<Log> {
  return pino(
    { level, base: null, timestamp: pinoTime, formatters: { level: (label) => ({ level: label }) } },
    isatty(stdout) ? await pretty() : destination({ fd: stdout, sync: true }),
  );
}

const pinoTime = () => `,"time":"${new Date().toISOString()}"`;

/** Loaded only where a person looks on: it would cost every start some milliseconds. */
async function pretty(): Promise<DestinationStream> {
  const { build } = await import('pino-pretty');
  return build({ sync: true, destination: stdout, ignore: 'pid,hostname' });
}
