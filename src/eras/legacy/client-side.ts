import { errorToClient, resultToClient } from '../../protocol/compose.js';
import { gatewayError } from '../../protocol/errors.js';
import { metaKeys } from '../../protocol/fields.js';
import { isJsonObject, type Json, type JsonObject } from '../../protocol/json.js';
import type { NotificationMessage, RequestMessage } from '../../protocol/message.js';
import { legacyClientRule, tasksExtension } from '../../protocol/methods.js';
import {
  atLeast,
  isLegacyRevision,
  type LegacyRevision,
  newestLegacyRevision,
} from '../../protocol/revisions.js';
import { readClientInfo } from '../client-info.js';
import type { CallContext, ClientSide, GatewayIntroduction, Step } from '../form.js';
import { legacyDialect } from './dialect.js';

/** A client of the revisions 2024-11-05 to 2025-11-25: `initialize` first, its terms hold for the socket. */
export class LegacyClientSide implements ClientSide {
  context: CallContext | undefined;
  readonly #introduce: () => GatewayIntroduction;

  /** @param introduce what the gateway offers at the moment of the handshake */
  constructor(introduce: () => GatewayIntroduction) {
    this.#introduce = introduce;
  }

  /** The member may be left out since 2025-11-25; no revision has `null`, which older clients know from JSON-RPC. */
  get noId(): 'null' | undefined {
    return this.context !== undefined && atLeast(this.context.revision, '2025-11-25') ? undefined : 'null';
  }

  request(message: RequestMessage, idText: string): Step {
    const { method } = message;
    // ping is answered in any state [MCP 2025-11-25 lifecycle § Initialization]
    if (method === 'ping') return { kind: 'reply', message: resultToClient(idText, '{}') };
    if (method === 'initialize') return this.#initialize(message, idText);
    if (this.context === undefined) {
      return refuse(
        idText,
        'invalidRequest',
        `"${method}" came before any opening; send "initialize" with a protocolVersion first, or put "${metaKeys.revision}" into the _meta of every request`,
      );
    }
    const { revision } = this.context;
    const rule = legacyClientRule(method, 'request', revision);
    if (rule === undefined) {
      return refuse(
        idText,
        'methodNotFound',
        `method "${method}" does not exist in revision ${revision} as this gateway serves it`,
      );
    }
    return { kind: 'request', rule, message, context: this.context };
  }

  notification(message: NotificationMessage): Step {
    if (this.context === undefined) return { kind: 'drop', reason: 'notification before the handshake' };
    const rule = legacyClientRule(message.method, 'notification', this.context.revision);
    if (rule === undefined) {
      return { kind: 'drop', reason: 'unknown notification' };
    }
    return { kind: 'notification', rule, message };
  }

  /** [MCP 2025-11-25 lifecycle § Version Negotiation] */
  #initialize(message: RequestMessage, idText: string): Step {
    if (this.context !== undefined) {
      return refuse(
        idText,
        'invalidRequest',
        'this session is initialized already; open a new socket instead',
      );
    }
    const params: unknown =
      message.params === undefined
        ? undefined
        : JSON.parse(message.bytes.toString('utf8', message.params.start, message.params.end));
    const asked = isJsonObject(params) ? params.protocolVersion : undefined;
    if (!isJsonObject(params) || typeof asked !== 'string') {
      return refuse(
        idText,
        'invalidParams',
        `initialize needs params.protocolVersion as a string, for instance "${newestLegacyRevision}"`,
      );
    }
    const revision = isLegacyRevision(asked) ? asked : newestLegacyRevision;
    const { capabilities, serverInfo, instructions } = this.#introduce();
    this.context = {
      era: 'legacy',
      dialect: legacyDialect,
      revision,
      capabilities: isJsonObject(params.capabilities) ? params.capabilities : {},
      clientInfo: readClientInfo(params.clientInfo, serverInfo),
      serverInfo,
      mayGetTasks: false,
      logLevel: undefined,
    };

    const result = {
      protocolVersion: revision,
      capabilities: knownTo(revision, capabilities),
      serverInfo,
      instructions,
    };
    return { kind: 'reply', message: resultToClient(idText, JSON.stringify(result)) };
  }
}

/** Capabilities that came with a later revision, and mean nothing to an earlier one. */
const newer: Readonly<Record<string, LegacyRevision>> = { completions: '2025-03-26', tasks: '2025-11-25' };

function knownTo(revision: LegacyRevision, capabilities: JsonObject): JsonObject {
  const known = Object.entries(capabilities).filter(([name]) => atLeast(revision, newer[name] ?? revision));
  return Object.fromEntries(
    known.map(([name, value]) => [name, name === 'extensions' ? withoutTasks(value) : value]),
  );
}

/** Tasks are another thing in the other era, and pass within their own alone. */
function withoutTasks(extensions: Json | undefined): JsonObject {
  const { [tasksExtension]: _, ...others } = isJsonObject(extensions) ? extensions : {};
  return others;
}

function refuse(idText: string, name: Parameters<typeof gatewayError>[0], message: string): Step {
  return { kind: 'reply', message: errorToClient(idText, gatewayError(name, message)) };
}
