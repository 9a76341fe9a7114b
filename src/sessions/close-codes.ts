/** Close codes that sessions use on their own account. [RFC 6455 § 7.4.1] */
export const closeCodes = {
  /** A binary message: every MCP message is text. */
  unsupportedData: 1003,
  /** Never on the wire: the socket ended without a close frame. */
  abnormal: 1006,
  /** Malformed messages again and again. */
  policyViolation: 1008,
  /** A bug of the gateway, met while it served this client. */
  internalError: 1011,
} as const;
