import type { Brand } from './brand.js';

/** A backend's key in the configuration's `mcpServers` block. */
export type BackendKey = Brand<string, 'BackendKey'>;

/** Our number for one client connection, unique in this process. */
export type SessionKey = Brand<number, 'SessionKey'>;

/** The id a request carries towards a backend: a small integer from 1, unique in this process. */
export type GatewayId = Brand<number, 'GatewayId'>;

/** A request id exactly as the client wrote it, as JSON text: `7`, `"a"`, `9007199254740993`. */
export type ClientIdText = Brand<string, 'ClientIdText'>;

/** A tool's or prompt's name as its backend calls it. */
export type LocalName = Brand<string, 'LocalName'>;

/** A tool's or prompt's name as clients see it. */
export type QualifiedName = Brand<string, 'QualifiedName'>;

/** One message as byte pieces to be written one after the other, rewritten for a client. */
export type ToClient = Brand<readonly Buffer[], 'ToClient'>;

/** One message as byte pieces with its line end, rewritten for a backend. */
export type ToBackend = Brand<readonly Buffer[], 'ToBackend'>;
