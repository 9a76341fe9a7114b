import { errorToClient } from '../../protocol/compose.js';
import { gatewayError } from '../../protocol/errors.js';
import type { NotificationMessage, RequestMessage } from '../../protocol/message.js';
import { modernClientRule } from '../../protocol/methods.js';
import { modernRevisions } from '../../protocol/revisions.js';
import type { CallContext, GatewayIntroduction, Step } from '../form.js';
import { uncached } from './dialect.js';
import { declares, type Refusal, RequestContexts } from './request-context.js';

/**
 * Clients of the revision 2026-07-28: there is no handshake and nothing to keep, every request says which
 * revision it is of, who sends it, and what that client can answer. [MCP 2026-07-28 basic § _meta]
 */
export class ModernClientSide {
  readonly #introduce: () => GatewayIntroduction;
  readonly #contexts: RequestContexts;

  constructor(introduce: () => GatewayIntroduction) {
    this.#introduce = introduce;
    this.#contexts = new RequestContexts(() => introduce().serverInfo);
  }

  request(message: RequestMessage, idText: string): Step {
    const context = this.#contexts.read(message);
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
}

function refuse(idText: string, { kind, reason, data }: Refusal): Step {
  return { kind: 'reply', message: errorToClient(idText, gatewayError(kind, reason, data)) };
}
