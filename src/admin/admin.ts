import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { authority, isLoopbackName } from '../shared/host.js';
import { httpHardening } from '../shared/http-hardening.js';
import { cannotBind } from '../shared/listen-error.js';
import type { Log } from '../shared/log.js';
import type { Address } from '../shared/settings.js';
import type { Probe } from './probe.js';
import { type AdminRules, objectionTo } from './request-checks.js';

export interface AdminOptions {
  readonly address: Address;
  /** Host names besides the loopback names (and addresses, beyond loopback) that requests may name. */
  readonly allowedHosts?: readonly string[] | undefined;
  readonly probes: {
    /** Whether the program works at all; never depends on backends. */
    live(): Probe;
    /** Whether new clients should be sent here. */
    ready(): Probe;
    /** Whether the start is over. */
    started(): Probe;
  };
  /** The body of `/status`. */
  readonly status: () => object;
  readonly log: Log;
}

/** The listener for probes and status. It changes nothing, and has no secrets to tell. */
export interface Admin {
  /** `http://127.0.0.1:8809`, with the port that is really bound. */
  readonly url: string;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Probes and people need a handful of connections; a flood shall not take the sessions' descriptors. */
const maxConnections = 100;

/**
 * Opens the admin listener.
 * @throws {ListenError} (69) when the address cannot be had.
 */
export async function startAdmin(options: AdminOptions): Promise<Admin> {
  const { address, probes, log } = options;
  const rules: AdminRules = {
    beyondLoopback: !isLoopbackName(address.host),
    allowedHosts: new Set((options.allowedHosts ?? []).map((name) => name.toLowerCase())),
  };
  const routes = new Map<string, () => Answer>([
    ['/livez', () => probeAnswer(probes.live())],
    ['/readyz', () => probeAnswer(probes.ready())],
    ['/startupz', () => probeAnswer(probes.started())],
    ['/status', () => ({ status: 200, body: options.status() })],
  ]);

  function answerTo(request: IncomingMessage): Answer {
    const objection = objectionTo(
      {
        method: request.method ?? '',
        hosts: request.headersDistinct.host ?? [],
        origin: request.headers.origin,
      },
      rules,
    );
    if (objection !== undefined) {
      const { error, ...rest } = objection;
      return { ...rest, body: { error } };
    }
    const [path = ''] = (request.url ?? '').split('?', 1);
    const route = routes.get(path);
    if (route === undefined) {
      return { status: 404, body: { error: `not found; there are ${[...routes.keys()].join(', ')}` } };
    }
    try {
      return route();
    } catch (error) {
      log.error({ err: error, path }, 'admin answer failed');
      return { status: 500, body: { error: 'internal error; the log says more' } };
    }
  }

  const server = createServer(httpHardening, (request, response) => reply(response, answerTo(request)));
  server.maxConnections = maxConnections;
  await bind(server, address);
  server.on('error', (error) => log.error({ err: error }, 'admin listener failed'));
  // Bound to an IP address, never to a pipe.
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://${authority(address.host, port)}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function probeAnswer(probe: Probe): Answer {
  return { status: probe.ok ? 200 : 503, body: probe };
}

function reply(response: ServerResponse, { status, body, headers }: Answer): void {
  const text = `${JSON.stringify(body)}\n`;
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  });
  // Node leaves the body of an answer to HEAD out.
  response.end(text);
}

function bind(server: Server, address: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error): void => reject(cannotBind('admin', address, error));
    server.once('error', failed);
    server.listen(address.port, address.host, () => {
      server.off('error', failed);
      resolve();
    });
  });
}
