import { errorToClient } from '../../protocol/compose.js';
import { stringAt } from '../../protocol/envelope.js';
import { type ErrorName, gatewayError } from '../../protocol/errors.js';
import { metaKeys } from '../../protocol/fields.js';
import { isJsonObject, type JsonObject } from '../../protocol/json.js';
import { isLogLevel, type LogLevel } from '../../protocol/log-level.js';
import type { NotificationMessage, RequestMessage, Span } from '../../protocol/message.js';
import { modernClientRule, tasksExtension } from '../../protocol/methods.js';
import { isModernRevision, modernRevisions } from '../../protocol/revisions.js';
import { readClientInfo } from '../client-info.js';
import type { CallContext, GatewayIntroduction, Step } from '../form.js';
import { modernDialect, uncached } from './dialect.js';

/**
 * Clients of the revision 2026-07-28: there is no handshake and nothing to remember, every request says which
 * revision it is of, who sends it, and what that client can answer. [MCP 2026-07-28 basic § _meta]
 */
export class ModernClientSide {
  readonly #introduce: () => GatewayIntroduction;

  constructor(introduce: () => GatewayIntroduction) {
    this.#introduce = introduce;
  }

  request(message: RequestMessage, idText: string): Step {
    const context = this.#readContext(message);
    if ('kind' in context) return refuse(idText, context);
    const rule = modernClientRule(message.method, 'request');
    if (rule === undefined) {
      return refuse(idText, {
        kind: 'methodNotFound',
        reason: `method "${message.method}" does not exist in revision ${context.revision}`,
        data: {},
      });
    }
    const { extension } = rule;
    if (extension !== undefined && !declares(context.capabilities, extension)) {
      return refuse(idText, {
        kind: 'missingCapability',
        reason: `"${message.method}" needs the extension "${extension}" in the capabilities of the request`,
        data: { requiredCapabilities: { extensions: { [extension]: {} } } },
      });
    }
    if (rule.route.to === 'era') return { kind: 'reply', message: this.#discover(context, idText) };
    return { kind: 'request', rule, message, context };
  }

  notification(message: NotificationMessage): Step {
    const rule = modernClientRule(message.method, 'notification');
    return rule === undefined
      ? { kind: 'drop', reason: 'unknown notification' }
      : { kind: 'notification', rule, message };
  }

  /** [MCP 2026-07-28 server/discover] */
  #discover({ dialect }: CallContext, idText: string) {
    const { capabilities, instructions } = this.#introduce();
    const { tasks, ...shown } = capabilities;
    return dialect.result(idText, {
      supportedVersions: [...modernRevisions],
      capabilities: shown,
      instructions,
      ...uncached,
    });
  }

  #readContext({ bytes, fields }: RequestMessage): CallContext | Refusal {
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
    const level = fields.metaLogLevel && parse(bytes, fields.metaLogLevel);
    if (level !== undefined && !isLogLevel(level))
      return missing(metaKeys.logLevel, 'a log level, or left out');
    const { serverInfo } = this.#introduce();
    return {
      era: 'modern',
      dialect: modernDialect(serverInfo),
      serverInfo,
      revision,
      capabilities,
      clientInfo: readClientInfo(clientInfo, serverInfo),
      logLevel: level as LogLevel | undefined,
      mayGetTasks: declares(capabilities, tasksExtension),
    };
  }
}

/** Whether a client declared an extension. */
function declares({ extensions }: JsonObject, extension: string): boolean {
  return isJsonObject(extensions) && isJsonObject(extensions[extension]);
}

interface Refusal {
  readonly kind: ErrorName;
  readonly reason: string;
  readonly data: JsonObject;
}

function missing(key: string, what: string): Refusal {
  return { kind: 'invalidParams', reason: `params._meta needs "${key}" as ${what}`, data: {} };
}

function refuse(idText: string, { kind, reason, data }: Refusal): Step {
  return { kind: 'reply', message: errorToClient(idText, gatewayError(kind, reason, data)) };
}

function parse(bytes: Buffer, { start, end }: Span): unknown {
  return JSON.parse(bytes.toString('utf8', start, end));
}
