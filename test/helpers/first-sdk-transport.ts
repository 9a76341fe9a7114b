import { WebSocketClientTransport } from '@modelcontextprotocol/sdk/client/websocket.js';
import { WebSocket } from 'ws';
import type { FrameWatcher } from './second-sdk-transport.js';

/** The WebSocket transport of the first SDK. It takes the global of browsers, which Node 20 lacks; here it gets one. */
export class FirstSdkTransport extends WebSocketClientTransport {
  readonly #watch: FrameWatcher;

  constructor(url: string, watch: FrameWatcher = () => undefined) {
    super(new URL(url));
    this.#watch = watch;
  }

  override start(): Promise<void> {
    const watch = this.#watch;
    class WatchedWebSocket extends WebSocket {
      constructor(url: URL, protocol: string) {
        super(url, protocol);
        this.on('message', (data) => watch('server', String(data)));
      }
      override send(data: string): void {
        watch('client', data);
        super.send(data);
      }
    }
    const before = Object.getOwnPropertyDescriptor(globalThis, 'WebSocket');
    Object.assign(globalThis, { WebSocket: WatchedWebSocket });
    try {
      // The socket is made before the first await, so no other connection sees this global.
      return super.start();
    } finally {
      if (before === undefined) Reflect.deleteProperty(globalThis, 'WebSocket');
      else Object.defineProperty(globalThis, 'WebSocket', before);
    }
  }
}
