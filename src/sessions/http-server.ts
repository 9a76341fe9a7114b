import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { httpHardening } from '../shared/http-hardening.js';
import { cannotBind } from '../shared/listen-error.js';
import type { Address } from '../shared/settings.js';
import { type Refusal, refusal, refusalBody, refusalHeaders, refuse } from './refusal.js';

export interface HttpHandlers {
  /** An upgrade was asked for, whatever to. The socket is the handler's. */
  upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void;
  /** Everything else. */
  plain(request: IncomingMessage): Refusal;
}

/** @param maxConnections sockets accepted at all, those included that will be refused. */
export function createHttpServer(maxConnections: number, handlers: HttpHandlers): Server {
  const server = createServer(httpHardening);
  server.maxConnections = maxConnections;
  server.on('upgrade', (request: IncomingMessage, _: Duplex, head: Buffer) => {
    // Node took its own listener away before this event: a reset now would end the whole process.
    request.socket.on('error', destroyed);
    handlers.upgrade(request, request.socket, head);
  });
  server.on('connect', (request: IncomingMessage) => {
    request.socket.on('error', destroyed);
    refuse(request.socket, handlers.plain(request));
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const answer = handlers.plain(request);
    response.writeHead(answer.status, refusalHeaders(answer)).end(refusalBody(answer));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (socket.writable) refuse(socket, badRequest(error.code));
    else socket.destroy();
  });
  return server;
}

/** @throws {ListenError} (69) when the address cannot be had. */
export function bind(server: Server, address: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error): void => reject(cannotBind('listen', address, error));
    server.once('error', failed);
    server.listen(address.port, address.host, () => {
      server.off('error', failed);
      resolve();
    });
  });
}

/** Knows nothing of the request, which a listener would keep as long as the socket. */
function destroyed(this: Socket): void {
  this.destroy();
}

function badRequest(code: string | undefined): Refusal {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return refusal(431, `The headers are larger than ${httpHardening.maxHeaderSize} bytes.`);
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return refusal(408, 'The request took too long to arrive.');
    default:
      return refusal(400, 'This is no HTTP request.');
  }
}
