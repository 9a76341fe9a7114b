import type { JsonObject } from '../protocol/json.js';
import { type Entry, type ListKind, lists } from '../protocol/listing.js';
import { readPage } from '../protocol/listing-page.js';
import type { ResponseMessage } from '../protocol/message.js';
import type { Clock } from '../shared/clock.js';
import { describeError, errorCode } from './answer.js';
import { BackendError } from './backend-error.js';

/** A backend that pages for ever must come to an end, and none that is meant seriously has so many. */
const maxPages = 1_000;

/** What a catalog can still carry: some 10 MiB of ordinary tools. */
const maxEntries = 10_000;

/**
 * Half as much again as those entries. A page is read whole, so that a walk costs at most this and one line of the
 * backend's.
 */
const maxWalkMiB = 16;

/** Slow servers fetch their lists from elsewhere; one that takes longer is served with what it said so far. */
const maxWalkMs = 60_000;

/** Warnings of one walk that are told one by one; every page of a thousand can have its own. */
const maxWarnings = 100;

const methodNotFound = -32601;

/** Sends one request and waits at most so long for its answer. */
export type Ask = (
  method: string,
  params: JsonObject | undefined,
  timeoutMs: number,
) => Promise<ResponseMessage>;

/** One list of a backend, read to its end or as far as it went. */
export interface ListWalk {
  readonly entries: readonly Entry[];
  readonly warnings: readonly string[];
  /** The backend does not know the method, so that there is no use in asking this process again. */
  readonly unknownMethod: boolean;
}

/**
 * Reads all pages of one list. Any error on its first page means that there is nothing of this kind; later
 * trouble keeps what was read. The empty string is a cursor like any other.
 * [MCP 2025-11-25 pagination]
 * @throws {BackendError} `ended` when the process ends meanwhile: then nothing is known
 */
export async function walkList(
  kind: ListKind,
  ask: Ask,
  clock: Clock,
  advertised: boolean,
): Promise<ListWalk> {
  const { method } = lists[kind];
  const entries: Entry[] = [];
  const warnings: string[] = [];
  const cursors = new Set<string>();
  const endMs = clock.now() + maxWalkMs;
  const ended = (warning: string): ListWalk => ({
    entries,
    warnings: [...shortened(warnings, method), `${method}: ${warning}`],
    unknownMethod: false,
  });

  let cursor: string | undefined;
  let bytes = 0;
  for (let page = 1; ; page += 1) {
    const leftMs = endMs - clock.now();
    if (leftMs <= 0) return ended(`stopped after ${maxWalkMs / 1000} s, on page ${page}`);
    const params: JsonObject | undefined = cursor === undefined ? undefined : { cursor };
    const answer = await answerOrProblem(ask(method, params, leftMs));
    if (answer instanceof BackendError) return ended(`stopped on page ${page} (${answer.message})`);
    if (answer.outcome !== 'result') {
      const unknownMethod = answer.outcome === 'error' && errorCode(answer) === methodNotFound && page === 1;
      if (unknownMethod && !advertised) return { entries, warnings, unknownMethod };
      return { ...ended(describeError(answer)), unknownMethod };
    }
    const { entries: read, nextCursor, warnings: skipped } = readPage(kind, answer);
    warnings.push(...skipped);
    const room = maxEntries - entries.length;
    entries.push(...read.slice(0, room));
    bytes += answer.bytes.length;
    if (read.length > room) return ended(`stopped after ${maxEntries} entries`);
    if (nextCursor === undefined) {
      return { entries, warnings: shortened(warnings, method), unknownMethod: false };
    }
    if (cursors.has(nextCursor)) return ended(`stopped on page ${page}: its cursor came before`);
    if (entries.length >= maxEntries) return ended(`stopped after ${maxEntries} entries`);
    if (bytes >= maxWalkMiB * 1024 * 1024) return ended(`stopped after ${maxWalkMiB} MiB, on page ${page}`);
    if (page === maxPages) return ended(`stopped after ${maxPages} pages`);
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
}

function shortened(warnings: readonly string[], method: string): readonly string[] {
  if (warnings.length <= maxWarnings) return warnings;
  return [...warnings.slice(0, maxWarnings), `${method}: ${warnings.length - maxWarnings} further warnings`];
}

async function answerOrProblem(asked: Promise<ResponseMessage>): Promise<ResponseMessage | BackendError> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof BackendError && error.problem !== 'ended') return error;
    throw error;
  }
}
