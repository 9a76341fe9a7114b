/**
 * Options for every HTTP server of the gateway. Node's own time limits leave a client that sends its headers
 * byte by byte more than a minute; nobody who means it needs that long for a few headers without a body.
 */
export const httpHardening = {
  /** Milliseconds for all headers; above: 408. */
  headersTimeout: 10_000,
  /** Milliseconds for the whole request; above: 408. */
  requestTimeout: 15_000,
  /** How often, in milliseconds, the two limits above are looked at: they are this exact. */
  connectionsCheckingInterval: 2_000,
  /** Milliseconds an idle connection is kept for the next request. */
  keepAliveTimeout: 5_000,
  /** Bytes of all headers together; above: 431. */
  maxHeaderSize: 16 * 1024,
  insecureHTTPParser: false,
};
