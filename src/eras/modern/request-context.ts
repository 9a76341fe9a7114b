import { stringAt } from '../../protocol/envelope.js';
import type { ErrorName } from '../../protocol/errors.js';
import { metaKeys } from '../../protocol/fields.js';
import { isJsonObject, type JsonObject } from '../../protocol/json.js';
import { isLogLevel } from '../../protocol/log-level.js';
import type { RequestMessage, Span } from '../../protocol/message.js';
import { tasksExtension } from '../../protocol/methods.js';
import { isModernRevision, modernRevisions } from '../../protocol/revisions.js';
import { readClientInfo } from '../client-info.js';
import type { CallContext } from '../form.js';
import { modernDialect } from './dialect.js';
import { RepeatedContext } from './repeated-context.js';

/** Why a request is not served. */
export interface Refusal {
  readonly kind: ErrorName;
  readonly reason: string;
  readonly data: JsonObject;
}

/** Reads what each request of a client says of it. One per session. [MCP 2026-07-28 basic § _meta] */
export class RequestContexts {
  readonly #serverInfo: () => JsonObject;
  readonly #repeated = new RepeatedContext();
  /** How the gateway answers; it is who it is for as long as it runs. */
  #self: Pick<CallContext, 'dialect' | 'serverInfo'> | undefined;

  /** @param serverInfo who the gateway is */
  constructor(serverInfo: () => JsonObject) {
    this.#serverInfo = serverInfo;
  }

  /** What the request says, or what it lacks. Requests that say the same have the same context. */
  read(message: RequestMessage): CallContext | Refusal {
    const known = this.#repeated.recall(message);
    if (known !== undefined) return known;
    const read = this.#parse(message);
    if (!('kind' in read)) this.#repeated.keep(message, read);
    return read;
  }

  #parse({ bytes, fields }: RequestMessage): CallContext | Refusal {
    const revision = fields.metaRevision && stringAt(bytes, fields.metaRevision);
    if (revision === undefined) return missing(metaKeys.revision, 'a string');
    if (!isModernRevision(revision)) {
      return {
        kind: 'unsupportedRevision',
        reason: `revision "${revision}" is not spoken here; ${modernRevisions.join(', ')} is, and older ones after "initialize"`,
        data: { supported: [...modernRevisions], requested: revision },
      };
    }
    const capabilities = fields.metaClientCapabilities && parse(bytes, fields.metaClientCapabilities);
    if (!isJsonObject(capabilities)) return missing(metaKeys.clientCapabilities, 'an object');
    const clientInfo = fields.metaClientInfo && parse(bytes, fields.metaClientInfo);
    const logLevel = fields.metaLogLevel && parse(bytes, fields.metaLogLevel);
    if (logLevel !== undefined && !isLogLevel(logLevel)) {
      return missing(metaKeys.logLevel, 'a log level, or left out');
    }
    this.#self ??= introduced(this.#serverInfo());
    return {
      ...this.#self,
      era: 'modern',
      revision,
      capabilities,
      clientInfo: readClientInfo(clientInfo, this.#self.serverInfo),
      logLevel,
      mayGetTasks: declares(capabilities, tasksExtension),
    };
  }
}

/** Whether a client declared an extension. */
export function declares({ extensions }: JsonObject, extension: string): boolean {
  return isJsonObject(extensions) && isJsonObject(extensions[extension]);
}

function introduced(serverInfo: JsonObject) {
  return { dialect: modernDialect(serverInfo), serverInfo };
}

function missing(key: string, what: string): Refusal {
  return { kind: 'invalidParams', reason: `params._meta needs "${key}" as ${what}`, data: {} };
}

function parse(bytes: Buffer, { start, end }: Span): unknown {
  return JSON.parse(bytes.toString('utf8', start, end));
}
