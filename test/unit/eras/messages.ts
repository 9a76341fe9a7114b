import type { CallContext, GatewayIntroduction } from '../../../src/eras/form.js';
import { legacyDialect } from '../../../src/eras/legacy/dialect.js';
import { modernDialect } from '../../../src/eras/modern/dialect.js';
import { metaKeys } from '../../../src/protocol/fields.js';
import type { JsonObject } from '../../../src/protocol/json.js';
import type { NotificationMessage, RequestMessage, ResponseMessage } from '../../../src/protocol/message.js';
import { type Edit, splice } from '../../../src/protocol/splice.js';
import { wellFormed } from '../../helpers/listing-of.js';

export const serverInfo = { name: 'gateway', version: '0' };
export const clientInfo = { name: 'client', version: '1' };

export const introduction: GatewayIntroduction = {
  serverInfo,
  capabilities: { tools: { listChanged: true }, completions: {}, tasks: { list: {} } },
  instructions: 'Ask.',
};

/** What every modern request says of itself, with other members; those that are `undefined` go. */
export function modernMeta(members: JsonObject = {}): JsonObject {
  return {
    [metaKeys.revision]: '2026-07-28',
    [metaKeys.clientInfo]: clientInfo,
    [metaKeys.clientCapabilities]: {},
    ...members,
  };
}

/** The context of a call, as an era would make it. */
export function contextOf(era: CallContext['era'], changes: Partial<CallContext> = {}): CallContext {
  return {
    era,
    dialect: era === 'legacy' ? legacyDialect : modernDialect(serverInfo),
    revision: era === 'legacy' ? '2025-11-25' : '2026-07-28',
    capabilities: { roots: {} },
    clientInfo,
    serverInfo,
    mayGetTasks: false,
    logLevel: undefined,
    ...changes,
  };
}

function ofKind<K extends 'request' | 'notification' | 'response'>(text: string, kind: K) {
  const message = wellFormed(text);
  if (message.kind !== kind) throw new Error(`no ${kind}: ${text}`);
  return message as Extract<typeof message, { kind: K }>;
}

/** A request with its parameters as JSON text. */
export function request(method: string, params?: string): RequestMessage {
  const rest = params === undefined ? '' : `,"params":${params}`;
  return ofKind(`{"jsonrpc":"2.0","id":1,"method":"${method}"${rest}}`, 'request');
}

/** A notification with its parameters as JSON text. */
export function notification(method: string, params?: string): NotificationMessage {
  const rest = params === undefined ? '' : `,"params":${params}`;
  return ofKind(`{"jsonrpc":"2.0","method":"${method}"${rest}}`, 'notification');
}

/** A response with its outcome as JSON text. */
export function response(outcome: 'result' | 'error', value: string): ResponseMessage {
  return ofKind(`{"jsonrpc":"2.0","id":1,"${outcome}":${value}}`, 'response');
}

/** The text of a message's parameters, result or error after some edits. */
export function edited({ bytes }: { readonly bytes: Buffer }, edits: readonly Edit[]): string {
  const text = Buffer.concat(splice(bytes, edits)).toString();
  JSON.parse(text);
  return /"(?:params|result|error)":(.*)\}$/s.exec(text)?.[1] ?? '';
}

/** A message to a client, parsed. */
export function parsed(message: readonly Buffer[]): JsonObject {
  return JSON.parse(Buffer.concat(message).toString()) as JsonObject;
}
