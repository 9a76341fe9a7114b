import { metaKeys } from '../../protocol/fields.js';
import type { JsonObject } from '../../protocol/json.js';
import type { NotificationMessage } from '../../protocol/message.js';
import type { Edit } from '../../protocol/splice.js';
import { kindAt } from '../../protocol/walk.js';
import type { ToClient } from '../../shared/ids.js';
import { insertText } from '../insert.js';

/** The member that marks a notice as one of the stream that a request opened; the id keeps its JSON text. */
function tag(idText: string): string {
  return `${JSON.stringify(metaKeys.subscriptionId)}:${idText}`;
}

/** A notice of the gateway's on a stream. [MCP 2026-07-28 schema: NotificationMetaObject] */
export function noticeOnStream(idText: string, method: string, params: JsonObject = {}): ToClient {
  const rest = JSON.stringify(params).slice(1, -1);
  const text = `{"jsonrpc":"2.0","method":${JSON.stringify(method)},"params":{"_meta":{${tag(idText)}}${rest === '' ? '' : `,${rest}`}}}`;
  return [Buffer.from(text)] as readonly Buffer[] as ToClient;
}

/** What makes a backend's notice one of a client's stream. */
export function tagForStream(
  { bytes, params, fields }: NotificationMessage,
  idText: string,
): readonly Edit[] {
  const { metaSubscriptionId, meta } = fields;
  if (metaSubscriptionId !== undefined) {
    return [{ start: metaSubscriptionId.start, end: metaSubscriptionId.end, text: idText }];
  }
  if (meta !== undefined) {
    return kindAt(bytes, meta) === 'object'
      ? [insertText(bytes, meta, tag(idText))]
      : [{ start: meta.start, end: meta.end, text: `{${tag(idText)}}` }];
  }
  return params === undefined ? [] : [insertText(bytes, params, `"_meta":{${tag(idText)}}`)];
}

/** The end of a stream that the gateway ends. [MCP 2026-07-28 schema: SubscriptionsListenResult] */
export function streamEnded(idText: string): ToClient {
  const result = `{"resultType":"complete","_meta":{${tag(idText)}}}`;
  return [
    Buffer.from(`{"jsonrpc":"2.0","id":${idText},"result":${result}}`),
  ] as readonly Buffer[] as ToClient;
}
