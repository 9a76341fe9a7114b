import { type ServerOptions, WebSocketServer } from 'ws';
import { mcpSubprotocol } from './subprotocol.js';

/** Options that `ws` has and its type declarations lack. */
interface UndeclaredOptions {
  /** Milliseconds the closing handshake may take before the socket is destroyed. */
  readonly closeTimeout: number;
  /** Pongs that may wait to be written; a peer that pings without reading is cut off above. */
  readonly maxPendingAutoPongs: number;
}

/** The part of `ws` that finishes upgrades and reads frames, with every limit that it knows. */
export function createWebSocketServer(maxMessageBytes: number): WebSocketServer {
  const options: ServerOptions & UndeclaredOptions = {
    noServer: true,
    // Sessions are kept in our registry.
    clientTracking: false,
    // 20 times the memory for every connection, and an oracle for secrets where they meet chosen text.
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
    // Open fragments pin memory far beyond their bytes; honest clients send one frame, or a handful.
    maxFragments: 256,
    // A message of 4 MiB still fits when it comes in the smallest TCP segments, 536 bytes.
    maxBufferedChunks: 8_192,
    maxPendingAutoPongs: 16,
    closeTimeout: 5_000,
    skipUTF8Validation: false,
    // Left alone, `ws` would echo whatever is offered first, credentials included.
    handleProtocols: (offered) => (offered.has(mcpSubprotocol) ? mcpSubprotocol : false),
  };
  return new WebSocketServer(options);
}
