import type { IncomingMessage } from 'node:http';
import type { Handshake } from './handshake-checks.js';
import { normaliseAddress } from './peer-address.js';

/** Picks from a request what the handshake checks look at. */
export function readHandshake(request: IncomingMessage): Handshake {
  const { headers, headersDistinct } = request;
  return {
    method: request.method ?? '',
    httpVersion: request.httpVersion,
    path: pathOf(request.url ?? ''),
    upgrade: headers.upgrade,
    version: headers['sec-websocket-version'],
    webSocketKey: headers['sec-websocket-key'],
    hosts: headersDistinct.host ?? [],
    origin: headers.origin,
    protocols: headers['sec-websocket-protocol'],
    address: normaliseAddress(request.socket.remoteAddress ?? ''),
  };
}

function pathOf(target: string): string {
  const query = target.indexOf('?');
  return query === -1 ? target : target.slice(0, query);
}
