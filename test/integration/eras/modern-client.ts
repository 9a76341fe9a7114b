import { fileURLToPath } from 'node:url';
import type { BackendEntry } from '../../helpers/fixture-backend.js';
import type { TestClient } from '../../helpers/test-client.js';

const prefix = 'io.modelcontextprotocol/';

/** What every modern request says of itself. */
export const meta = {
  [`${prefix}protocolVersion`]: '2026-07-28',
  [`${prefix}clientInfo`]: { name: 'raw', version: '0' },
  [`${prefix}clientCapabilities`]: {},
};

/** The same with other members; those that are `undefined` go. */
export function metaWith(members: Readonly<Record<string, unknown>>): object {
  const all = Object.entries(members).map(([key, value]) => [prefix + key, value]);
  return { ...meta, ...Object.fromEntries(all) };
}

/** The id of the stream that a notice is of. */
export function streamOf(message: unknown): unknown {
  const { params } = message as { params?: { _meta?: Record<string, unknown> } };
  return params?._meta?.[`${prefix}subscriptionId`];
}

/** A request of a modern client. */
export function ask(client: TestClient, method: string, params: object = {}) {
  return client.request(method, { ...params, _meta: meta });
}

/** Opens a stream under an id, given as JSON text, and waits for its acknowledgement. */
export async function listen(client: TestClient, idText: string, notifications: object) {
  const params = JSON.stringify({ _meta: meta, notifications });
  client.send(`{"jsonrpc":"2.0","id":${idText},"method":"subscriptions/listen","params":${params}}`);
  return client.next(({ method }) => method === 'notifications/subscriptions/acknowledged');
}

/** The modern server in raw lines; its head says what the options mean. */
export function rawModern(options: object = {}, settings: object = {}): BackendEntry {
  const path = fileURLToPath(new URL('../../fixtures/modern/raw.mjs', import.meta.url));
  return { command: process.execPath, args: [path, JSON.stringify(options)], ...settings };
}
