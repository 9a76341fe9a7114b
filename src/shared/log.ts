import type { Logger } from 'pino';

/** The log that every part gets as a child bound to its identity (`session`, `backend`). */
export type Log = Logger;
