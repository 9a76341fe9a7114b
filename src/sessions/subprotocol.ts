/** The one subprotocol that is ever answered. */
export const mcpSubprotocol = 'mcp';

export type SubprotocolChoice =
  /** `chosen` is what the answer names: nothing when the client offered nothing. */
  | { readonly kind: 'accepted'; readonly chosen: typeof mcpSubprotocol | undefined }
  | { readonly kind: 'unknown' };

/**
 * Chooses from a `Sec-WebSocket-Protocol` header, several header lines already joined by commas.
 * `mcp` wins wherever it stands. Names are compared with their case, so `MCP` is unknown. Others are never
 * chosen, because clients put credentials there. [RFC 6455 § 4.2.2; RFC 9110 § 5.6.1 for empty elements]
 */
export function chooseSubprotocol(header: string | undefined): SubprotocolChoice {
  const offered = (header ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (offered.length === 0) return { kind: 'accepted', chosen: undefined };
  return offered.includes(mcpSubprotocol)
    ? { kind: 'accepted', chosen: mcpSubprotocol }
    : { kind: 'unknown' };
}
