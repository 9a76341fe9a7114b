import type { RequestMessage } from '../../protocol/message.js';
import type { ToClient } from '../../shared/ids.js';

/** A question as its backend asked it, under the key that its answer comes back under. */
export interface InputRequest {
  readonly key: string;
  readonly message: RequestMessage;
}

/** The answer to a request that needs input first. [MCP 2026-07-28 schema: InputRequiredResult] */
export function inputRequired(idText: string, requests: readonly InputRequest[], state: string): ToClient {
  const pieces: Buffer[] = [
    Buffer.from(`{"jsonrpc":"2.0","id":${idText},"result":{"resultType":"input_required","inputRequests":{`),
  ];
  requests.forEach(({ key, message: { bytes, method, params } }, index) => {
    const comma = index === 0 ? '' : ',';
    pieces.push(Buffer.from(`${comma}${JSON.stringify(key)}:{"method":${JSON.stringify(method)}`));
    if (params !== undefined)
      pieces.push(Buffer.from(',"params":'), bytes.subarray(params.start, params.end));
    pieces.push(Buffer.from('}'));
  });
  pieces.push(Buffer.from(`},"requestState":${JSON.stringify(state)}}}`));
  return pieces as readonly Buffer[] as ToClient;
}
