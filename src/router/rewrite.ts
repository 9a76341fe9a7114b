import type { NotificationMessage, RequestMessage, ResponseMessage, Span } from '../protocol/message.js';
import { type Edit, splice } from '../protocol/splice.js';
import type { ClientIdText, GatewayId, LocalName, ToBackend, ToClient } from '../shared/ids.js';

/** What changes in a request on its way to a backend, beside the id. */
export interface RequestChanges {
  /** The span of the qualified name and the name that the backend knows. */
  readonly name: { readonly span: Span; readonly local: LocalName } | undefined;
  /** The span of the client's progress token. */
  readonly token: Span | undefined;
}

/**
 * A client's request as its backend gets it: our id, its own names, our progress token, on one line.
 * Everything else stays the bytes that came.
 */
export function requestToBackend(
  message: RequestMessage,
  id: GatewayId,
  { name, token }: RequestChanges,
): ToBackend {
  const edits: Edit[] = [replace(message.id, String(id))];
  if (name !== undefined) edits.push(replace(name.span, JSON.stringify(name.local)));
  if (token !== undefined) edits.push(replace(token, String(id)));
  return oneLine(message, edits);
}

/** A client's `notifications/cancelled` as the backend gets it that has the request under `id`. */
export function cancellationToBackend(
  message: NotificationMessage,
  requestId: Span,
  id: GatewayId,
): ToBackend {
  return oneLine(message, [replace(requestId, String(id))]);
}

/** A backend's answer as the client gets it that asked under `idText`. */
export function responseToClient(message: ResponseMessage, id: Span, idText: ClientIdText): ToClient {
  return splice(message.bytes, [replace(id, idText)]) as ToClient;
}

/** A backend's progress notification as the client gets it that gave `tokenText`. */
export function progressToClient(message: NotificationMessage, token: Span, tokenText: string): ToClient {
  return splice(message.bytes, [replace(token, tokenText)]) as ToClient;
}

function oneLine(message: RequestMessage | NotificationMessage, edits: Edit[]): ToBackend {
  edits.sort((a, b) => a.start - b.start);
  return splice(message.bytes, edits, { flatten: message.multiline, lineEnd: true }) as ToBackend;
}

function replace(span: Span, text: string): Edit {
  return { start: span.start, end: span.end, text };
}
