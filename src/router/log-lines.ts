import { hasLevelRequest } from '../eras/detect.js';
import { errorToClient, resultToClient } from '../protocol/compose.js';
import { stringAt } from '../protocol/envelope.js';
import { gatewayError } from '../protocol/errors.js';
import { isHeard, isLogLevel, type LogLevel, logLevelNames, mostVerbose } from '../protocol/log-level.js';
import type { NotificationMessage } from '../protocol/message.js';
import type { Edit } from '../protocol/splice.js';
import type { Calls } from './calls.js';
import { hasCapability } from './capabilities.js';
import type { AcceptedRequest } from './conversation.js';
import type { Call, Lane } from './lane.js';
import type { Reach } from './reach.js';
import { replace, toClient } from './rewrite.js';
import type { SessionRecord } from './session-record.js';
import { defaultLevel, WishedLevels } from './wished-levels.js';

/** Log lines of backends: each goes to the one session that it can belong to, at the level that it asked for. */
export class LogLines {
  readonly #reach: Reach;
  readonly #calls: Calls;
  readonly #sessions: ReadonlySet<SessionRecord>;
  readonly #wished = new WishedLevels();
  /** What each backend was last told. */
  readonly #told = new Map<Lane, LogLevel>();
  /** The most verbose level that a call has asked of a backend by itself. */
  readonly #askedByCalls = new Map<Lane, LogLevel>();
  /** Backends that have not answered to it: they are told of later wishes one at a time. */
  readonly #busy = new Set<Lane>();

  constructor(reach: Reach, sessions: ReadonlySet<SessionRecord>, calls: Calls) {
    this.#calls = calls;
    this.#reach = reach;
    this.#sessions = sessions;
  }

  /** Keeps a session's level; the most verbose one wanted reaches the backends. */
  setLevel({ session, step, idKey, idText }: AcceptedRequest): void {
    const span = step.message.fields.level;
    const level = span && stringAt(step.message.bytes, span);
    if (!isLogLevel(level)) {
      const message = `"logging/setLevel" needs params.level as one of ${logLevelNames}`;
      session.end(idKey, errorToClient(idText, gatewayError('invalidParams', message)));
      return;
    }
    this.#wished.remove(session.logLevel);
    this.#wished.add(level);
    session.logLevel = level;
    this.#tellAll(this.#reach.lanesOf(session));
    session.end(idKey, resultToClient(idText, '{}'));
  }

  /** A call may say for itself what is to be heard of it. */
  callStarted(call: Call): void {
    if (call.context.logLevel === undefined) return;
    this.#note(call);
    this.#tell(call.lane);
  }

  /** A process is ready, and has been told nothing yet; calls may have waited for it. */
  started(lane: Lane): void {
    this.laneEnded(lane);
    for (const call of this.#calls.inFlight.filter((each) => each.lane === lane)) this.#note(call);
    this.#tell(lane);
  }

  /** @param lanes the shared backends, which may be wanted less severe now */
  sessionOpened({ logLevel }: SessionRecord, lanes: Iterable<Lane>): void {
    if (this.#wished.add(logLevel)) this.#tellAll(lanes);
  }

  /** @param lanes the shared backends, which may be wanted more severe now */
  sessionEnded({ logLevel }: SessionRecord, lanes: Iterable<Lane>): void {
    if (this.#wished.remove(logLevel)) this.#tellAll(lanes);
  }

  laneEnded(lane: Lane): void {
    this.#told.delete(lane);
    this.#askedByCalls.delete(lane);
    this.#busy.delete(lane);
  }

  /** [MCP 2025-11-25 logging § Log Message Notifications] */
  take(lane: Lane, message: NotificationMessage): void {
    const edit = nameBackend(lane, message);
    if (edit === undefined) return;
    const span = message.fields.level;
    const level = span && stringAt(message.bytes, span);
    for (const session of this.#readersOf(lane)) {
      const wanted = this.#heardBy(session, lane);
      if (wanted === undefined || (isLogLevel(level) && !isHeard(level, wanted))) continue;
      session.port.send(toClient(message, [edit]));
    }
  }

  #note({ lane, context: { logLevel } }: Call): void {
    const levels = [this.#askedByCalls.get(lane), logLevel].filter((level) => level !== undefined);
    const level = mostVerbose(levels);
    if (level !== undefined) this.#askedByCalls.set(lane, level);
  }

  #tellAll(lanes: Iterable<Lane>): void {
    for (const lane of lanes) this.#tell(lane);
  }

  /** Tells a ready backend what is wanted of it now. */
  #tell(lane: Lane): void {
    const level = this.#wantedOf(lane);
    const { state } = lane.port;
    if (level === undefined || level === this.#told.get(lane) || this.#busy.has(lane)) return;
    if (state.kind !== 'ready' || !hasLevelRequest(state.peer.era) || !hasCapability(state.peer, ['logging']))
      return;
    this.#told.set(lane, level);
    this.#busy.add(lane);
    const settled = () => {
      if (this.#busy.delete(lane)) this.#tell(lane);
    };
    // A backend that refuses keeps its level; the sessions' own are kept here all the same.
    lane.port.request('logging/setLevel', { level }).then(settled, settled);
  }

  #wantedOf(lane: Lane): LogLevel | undefined {
    const byCalls = this.#askedByCalls.get(lane);
    if (lane.session === undefined) return this.#wished.together(byCalls);
    return mostVerbose([byCalls, lane.session.logLevel].filter((level) => level !== undefined));
  }

  /** The least severe level that a session wants to hear of a backend; `undefined` for none at all. */
  #heardBy(session: SessionRecord, lane: Lane): LogLevel | undefined {
    if (speaksForAll(session)) return session.logLevel ?? (this.#told.has(lane) ? defaultLevel : 'debug');
    const open = this.#calls.at(lane, session).filter(({ attached }) => attached);
    const levels = open.map(({ context }) => context.logLevel);
    return mostVerbose(levels.filter((level) => level !== undefined));
  }

  /** A line that could be another user's goes to nobody, unless the configuration says otherwise. */
  #readersOf(lane: Lane): readonly SessionRecord[] {
    if (lane.session !== undefined) return [lane.session];
    if (lane.port.settings.logs === 'broadcast') return [...this.#connected()];
    if (lane.callers.length > 0) return lane.callers.length === 1 ? lane.callers : [];
    const [only, another] = this.#connected();
    return only !== undefined && another === undefined ? [only] : [];
  }

  *#connected(): Generator<SessionRecord> {
    for (const session of this.#sessions) if (speaksForAll(session)) yield session;
  }
}

/** A session with a handshake says once what it wants to hear; others say it with each call. */
function speaksForAll({ era }: SessionRecord): boolean {
  return era.context !== undefined;
}

/** Puts the backend's name in front of the logger's, or in its place; nothing to be named, no line. */
function nameBackend(
  { port: { key } }: Lane,
  { bytes, params, fields }: NotificationMessage,
): Edit | undefined {
  const { logger, level } = fields;
  if (params === undefined || level === undefined) return undefined;
  const name = logger && stringAt(bytes, logger);
  if (logger !== undefined)
    return replace(logger, JSON.stringify(name === undefined ? key : `${key}/${name}`));
  const inside = params.start + 1;
  return { start: inside, end: inside, text: `"logger":${JSON.stringify(key)},` };
}
