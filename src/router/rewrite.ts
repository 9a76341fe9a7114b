import type { NotificationMessage, RequestMessage, ResponseMessage, Span } from '../protocol/message.js';
import { type Edit, splice } from '../protocol/splice.js';
import { kindAt } from '../protocol/walk.js';
import type { ClientIdText, GatewayId, ToBackend, ToClient } from '../shared/ids.js';

/**
 * A client's request as its backend gets it: our id, our progress token, its own names, on one line.
 * Everything else stays the bytes that came.
 */
export function requestToBackend(
  message: RequestMessage,
  id: GatewayId,
  names: readonly Edit[],
  token: Span | undefined,
): ToBackend {
  const edits: Edit[] = [replace(message.id, String(id)), ...names];
  if (token !== undefined) edits.push(replace(token, String(id)));
  return toBackend(message, edits);
}

/** A client's `notifications/cancelled` as the backend gets it that has the request under `id`. */
export function cancellationToBackend(
  message: NotificationMessage,
  requestId: Span,
  id: GatewayId,
  about: readonly Edit[],
): ToBackend {
  return toBackend(message, [replace(requestId, String(id)), ...about]);
}

/** A backend's answer as the client gets it that asked under `idText`. */
export function responseToClient(
  message: ResponseMessage,
  id: Span,
  idText: ClientIdText,
  edits: readonly Edit[] = [],
): ToClient {
  return toClient(message, edits.length === 0 ? [replace(id, idText)] : [replace(id, idText), ...edits]);
}

/** A backend's progress notification as the client gets it that gave `tokenText`. */
export function progressToClient(
  message: NotificationMessage,
  token: Span,
  tokenText: string,
  edits: readonly Edit[] = [],
): ToClient {
  return toClient(message, [replace(token, tokenText), ...edits]);
}

/** A message of a backend with some of its spans replaced, for a client. */
export function toClient({ bytes }: { bytes: Buffer }, edits: Edit[]): ToClient {
  return splice(bytes, inOrder(edits)) as ToClient;
}

/** A message of a client with some of its spans replaced, on one line, for a backend. */
export function toBackend(message: { bytes: Buffer; multiline: boolean }, edits: Edit[]): ToBackend {
  const options = { flatten: message.multiline, lineEnd: true };
  return splice(message.bytes, inOrder(edits), options) as ToBackend;
}

/** A part of a message as it can stand in a line for a backend. */
export function oneLine(part: Buffer, multiline: boolean): Buffer {
  return multiline ? (splice(part, [], { flatten: true })[0] ?? part) : part;
}

export function replace(span: Span, text: string): Edit {
  return { start: span.start, end: span.end, text };
}

/** Most are in order already; to sort them would cost more than all the rest of the way. */
function inOrder(edits: Edit[]): Edit[] {
  let last = 0;
  for (const { start } of edits) {
    if (start < last) return edits.sort(byPlace);
    last = start;
  }
  return edits;
}

function byPlace(a: Edit, b: Edit): number {
  return a.start - b.start;
}

/** Where a usable progress token stands: a string or a number; anything else is left alone. [MCP 2025-11-25 progress] */
export function progressToken({ bytes, fields }: RequestMessage): Span | undefined {
  const span = fields.metaProgressToken;
  if (span === undefined) return undefined;
  const kind = kindAt(bytes, span);
  return kind === 'string' || kind === 'number' ? span : undefined;
}
