import type { ArgumentChecker } from '../catalog/argument-check.js';
import type { Catalog } from '../catalog/catalog.js';
import { suggest } from '../catalog/suggest.js';
import { errorToClient, resultToClient } from '../protocol/compose.js';
import { stringAt } from '../protocol/envelope.js';
import { gatewayError, type WireError } from '../protocol/errors.js';
import type { Route } from '../protocol/methods.js';
import { atLeast } from '../protocol/revisions.js';
import type { Clock } from '../shared/clock.js';
import { availability } from './availability.js';
import type { Calls } from './calls.js';
import type { AcceptedRequest } from './conversation.js';
import type { Lane } from './lane.js';
import type { BackendPort } from './ports.js';
import { WaitingRoom } from './waiting-room.js';

type OwnerRoute = Extract<Route, { to: 'owner' }>;

export interface OwnedRequestsOptions {
  readonly catalog: Catalog<Lane>;
  readonly lanes: ReadonlyMap<BackendPort, Lane>;
  readonly calls: Calls;
  readonly checker: ArgumentChecker;
  readonly separator: string;
  readonly clock: Clock;
}

/** Finds the owner of a request that names a tool, and starts the call there. */
export class OwnedRequests {
  readonly #options: OwnedRequestsOptions;
  /** Requests for names of a backend that has never been listed, by that backend. */
  readonly #unlisted = new Map<BackendPort, WaitingRoom>();

  constructor(options: OwnedRequestsOptions) {
    this.#options = options;
  }

  take(request: AcceptedRequest, route: OwnerRoute): void {
    this.#route(request, route, this.#options.clock.now(), 'wait');
  }

  #route(
    request: AcceptedRequest,
    route: OwnerRoute,
    acceptedMs: number,
    otherwise: 'wait' | 'refuse',
  ): void {
    const { bytes, fields } = request.step.message;
    const span = fields[route.field];
    const name = span && stringAt(bytes, span);
    if (name === undefined) {
      this.#refuse(
        request,
        gatewayError(
          'invalidParams',
          `"${request.step.rule.method}" needs params.${route.field} as a string`,
        ),
      );
      return;
    }
    const tool = this.#options.catalog.view.tool(name);
    if (tool === undefined) {
      this.#unknown(request, route, name, acceptedMs, otherwise);
      return;
    }
    if (tool.owner.port.settings.validateArguments) {
      const span = fields.arguments;
      const check = this.#options.checker.check(tool.entry, span && bytes.subarray(span.start, span.end));
      if (!check.ok) {
        this.#badArguments(request, name, check.problems);
        return;
      }
    }
    const { session, step, idText, idKey } = request;
    this.#options.calls.start({
      session,
      message: step.message,
      idText,
      idKey,
      rule: step.rule,
      lane: tool.owner,
      localName: tool.localName,
      acceptedMs,
    });
  }

  /** A backend's start has come to an end, good or bad: those who waited for its names try again. */
  startEnded(port: BackendPort): void {
    const room = this.#unlisted.get(port);
    this.#unlisted.delete(port);
    room?.release();
  }

  /**
   * A name that is in no listing. It may be one of a backend that has none at the moment: then the request
   * waits for its first start, or is refused with that backend's state instead of an unknown name.
   */
  #unknown(
    request: AcceptedRequest,
    route: OwnerRoute,
    name: string,
    acceptedMs: number,
    otherwise: 'wait' | 'refuse',
  ): void {
    const { catalog, clock } = this.#options;
    const port = this.#unlistedBackendOf(name);
    if (port === undefined) {
      const known = catalog.view.entries('tools').map((entry) => entry.shownAs);
      const meant = suggest(name, known);
      const hint = meant === undefined ? '' : `; did you mean "${meant}"?`;
      this.#refuse(
        request,
        gatewayError('invalidParams', `unknown ${route.of} "${name}"${hint}`, { [route.of]: name }),
      );
      return;
    }
    const verdict = availability(port.key, port.state, clock.now());
    if (verdict.kind === 'refuse') {
      port.wake();
      this.#refuse(request, verdict.error);
      return;
    }
    if (otherwise === 'refuse') {
      this.#refuse(request, notReady(port));
      return;
    }
    const leftMs = acceptedMs + port.settings.requestTimeoutMs - clock.now();
    this.#roomOf(port).add(request.session, request.idKey, {
      timeoutMs: Math.max(0, leftMs),
      proceed: () => this.#route(request, route, acceptedMs, 'refuse'),
      late: () => this.#refuse(request, notReady(port)),
    });
  }

  /** Only a guess for the error's sake; nothing is routed by it. */
  #unlistedBackendOf(name: string): BackendPort | undefined {
    for (const port of this.#options.lanes.keys()) {
      const { namespace } = port.settings;
      const fits = namespace === '' || name.startsWith(namespace + this.#options.separator);
      if (fits && !this.#options.catalog.isListed(port.key)) return port;
    }
    return undefined;
  }

  #roomOf(port: BackendPort): WaitingRoom {
    let room = this.#unlisted.get(port);
    if (room === undefined) {
      room = new WaitingRoom(this.#options.clock);
      this.#unlisted.set(port, room);
    }
    return room;
  }

  /** From 2025-11-25 on, bad arguments are for the model to mend. [MCP 2025-11-25 tools § Error Handling] */
  #badArguments(request: AcceptedRequest, name: string, problems: readonly string[]): void {
    const text = `invalid arguments for "${name}": ${problems.join('; ')}`;
    if (atLeast(request.step.context.revision, '2025-11-25')) {
      const result = JSON.stringify({ content: [{ type: 'text', text }], isError: true });
      request.session.port.send(resultToClient(request.idText, result));
    } else {
      this.#refuse(request, gatewayError('invalidParams', text, { tool: name }));
    }
  }

  #refuse({ session, idText }: AcceptedRequest, error: WireError): void {
    session.port.send(errorToClient(idText, error));
  }
}

function notReady({ key, state }: BackendPort): WireError {
  const why = state.kind === 'backing-off' ? ` (${state.lastExit.reason})` : '';
  return gatewayError('backendUnavailable', `backend "${key}" is ${state.kind}${why}; retry in a moment`, {
    backend: key,
    state: state.kind,
    retryAfterMs: 1_000,
  });
}
