import type { GatewayId, ToBackend, ToClient } from '../shared/ids.js';
import type { WireError } from './errors.js';
import type { JsonObject } from './json.js';

/** A request of the gateway's own to a backend, as one line. */
export function requestToBackend(id: GatewayId, method: string, params: JsonObject | undefined): ToBackend {
  return line(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
}

/** A notification of the gateway's own to a backend, as one line. */
export function notificationToBackend(method: string, params: JsonObject | undefined): ToBackend {
  return line(JSON.stringify({ jsonrpc: '2.0', method, params }));
}

/** A result to a backend's request; `idText` is the id's exact text. */
export function resultToBackend(idText: string, result: JsonObject): ToBackend {
  return line(`{"jsonrpc":"2.0","id":${idText},"result":${JSON.stringify(result)}}`);
}

/** An error to a backend's request; `idText` is the id's exact text. */
export function errorToBackend(idText: string, error: WireError): ToBackend {
  return line(`{"jsonrpc":"2.0","id":${idText},"error":${JSON.stringify(error)}}`);
}

/** A result made by the gateway; `result` is its JSON text. */
export function resultToClient(idText: string, result: string): ToClient {
  return [
    Buffer.from(`{"jsonrpc":"2.0","id":${idText},"result":${result}}`),
  ] as readonly Buffer[] as ToClient;
}

/** A result whose text was prepared once, in pieces: everything from the result on, with the closing brace. */
export function preparedToClient(idText: string, prepared: readonly Buffer[]): ToClient {
  return [
    Buffer.from(`{"jsonrpc":"2.0","id":${idText},"result":`),
    ...prepared,
  ] as readonly Buffer[] as ToClient;
}

/** An error made by the gateway; without `idText` the message has no `id` member. */
export function errorToClient(idText: string | undefined, error: WireError): ToClient {
  const id = idText === undefined ? '' : `"id":${idText},`;
  return [
    Buffer.from(`{"jsonrpc":"2.0",${id}"error":${JSON.stringify(error)}}`),
  ] as readonly Buffer[] as ToClient;
}

/** A notification made by the gateway. */
export function notificationToClient(method: string, params?: JsonObject): ToClient {
  return [Buffer.from(JSON.stringify({ jsonrpc: '2.0', method, params }))] as readonly Buffer[] as ToClient;
}

function line(text: string): ToBackend {
  return [Buffer.from(`${text}\n`)] as readonly Buffer[] as ToBackend;
}
