import { once } from 'node:events';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { WebSocket } from 'ws';

/** Told of the text of every message that passes. */
export type FrameWatcher = (from: 'client' | 'server', text: string) => void;

/** A WebSocket transport for the client of the official SDK's second generation, which ships none. */
export class SecondSdkTransport implements Transport {
  onmessage: Transport['onmessage'];
  onclose: Transport['onclose'];
  onerror: Transport['onerror'];
  readonly #url: string;
  readonly #watch: FrameWatcher;
  #socket: WebSocket | undefined;

  constructor(url: string, watch: FrameWatcher = () => undefined) {
    this.#url = url;
    this.#watch = watch;
  }

  async start(): Promise<void> {
    const socket = new WebSocket(this.#url, 'mcp');
    this.#socket = socket;
    socket.on('message', (data) => {
      const text = String(data);
      this.#watch('server', text);
      this.onmessage?.(JSON.parse(text) as JSONRPCMessage);
    });
    socket.on('close', () => this.onclose?.());
    await once(socket, 'open');
    socket.on('error', (error) => this.onerror?.(error));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const text = JSON.stringify(message);
    this.#watch('client', text);
    this.#socket?.send(text);
  }

  async close(): Promise<void> {
    const socket = this.#socket;
    if (socket === undefined || socket.readyState === WebSocket.CLOSED) return;
    socket.close();
    await once(socket, 'close');
  }
}
