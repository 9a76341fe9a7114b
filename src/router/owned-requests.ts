import type { ArgumentChecker } from '../catalog/argument-check.js';
import { suggest } from '../catalog/suggest.js';
import { errorToClient } from '../protocol/compose.js';
import { stringAt } from '../protocol/envelope.js';
import { gatewayError, type WireError } from '../protocol/errors.js';
import type { Entry } from '../protocol/listing.js';
import { atLeast } from '../protocol/revisions.js';
import type { Clock } from '../shared/clock.js';
import { availability } from './availability.js';
import type { Calls } from './calls.js';
import type { AcceptedRequest } from './conversation.js';
import type { Lane } from './lane.js';
import { findOwner, type Noun, type OwnerRoute, type Ownership } from './owners.js';
import type { Parking } from './parking.js';
import type { Reach } from './reach.js';
import type { Subscriptions } from './subscriptions.js';
import type { Unlisted } from './unlisted.js';

export interface OwnedRequestsOptions {
  readonly reach: Reach;
  readonly calls: Calls;
  readonly subscriptions: Subscriptions;
  readonly parking: Parking;
  readonly checker: ArgumentChecker;
  readonly unlisted: Unlisted;
  readonly clock: Clock;
}

const none: ReadonlySet<Lane> = new Set();

/** One request on its way to an owner. */
interface Search {
  readonly request: AcceptedRequest;
  readonly route: OwnerRoute;
  /** When it was accepted, which is when its deadline began. */
  readonly acceptedMs: number;
  /** The backends it has waited for already. */
  readonly waitedFor: ReadonlySet<Lane>;
}

/** Finds the owner of a request that names a tool, a prompt or a resource, and starts the call or subscription there. */
export class OwnedRequests {
  readonly #options: OwnedRequestsOptions;

  constructor(options: OwnedRequestsOptions) {
    this.#options = options;
  }

  take(request: AcceptedRequest, route: OwnerRoute): void {
    const { parking, clock } = this.#options;
    // The answers in it are for the backend that asked, whoever owns now what the request names.
    if (parking.gave(request) && parking.retry(request)) return;
    const acceptedMs = clock.now();
    this.#search({ request, route, acceptedMs, waitedFor: none });
  }

  #search(search: Search): void {
    const { request, route } = search;
    const { session, step } = request;
    const { reach } = this.#options;
    const ownership = findOwner(step.message, route, {
      catalog: reach.catalogOf(session),
      ownerOfUri: (uri) => reach.ownerOfUri(session, uri),
    });
    switch (ownership.kind) {
      case 'owned':
        this.#start(search, ownership);
        return;
      case 'unknown':
        this.#unknown(search, ownership.noun, ownership.name);
        return;
      case 'malformed':
        this.#refuse(request, gatewayError('invalidParams', ownership.reason));
    }
  }

  #start(
    { request, route, acceptedMs }: Search,
    { lane, shown, local, edits, tool }: Extract<Ownership, { kind: 'owned' }>,
  ): void {
    if (route.to === 'subscription') {
      this.#options.subscriptions.subscribe(request, { lane, shown, local });
      return;
    }
    const { context } = request.step;
    const mayBeRetry = lane.peer !== undefined && lane.translationFor(context).questions === 'in-results';
    if (mayBeRetry && this.#options.parking.retry(request)) return;
    const problems = tool === undefined ? [] : this.#argumentProblems(request, lane, tool);
    if (problems.length > 0) this.#badArguments(request, problems);
    else this.#options.calls.start({ request, lane, edits, acceptedMs });
  }

  #argumentProblems({ step }: AcceptedRequest, { port }: Lane, tool: Entry): readonly string[] {
    if (!port.settings.validateArguments) return [];
    const { bytes, fields } = step.message;
    const span = fields.arguments;
    const check = this.#options.checker.check(port.key, tool, span && bytes.subarray(span.start, span.end));
    return check.ok ? [] : check.problems;
  }

  /**
   * A name in no listing. It may be one of a backend that has none at the moment: then the request waits for
   * that backend's start, or is refused with its state instead of as unknown.
   */
  #unknown(search: Search, noun: Noun, name: string): void {
    const { request, acceptedMs, waitedFor } = search;
    const { unlisted, clock } = this.#options;
    const candidate = unlisted.candidate(request, noun, name, waitedFor);
    if (candidate === undefined) {
      this.#refuse(request, this.#notFound(request, noun, name));
      return;
    }
    if ('code' in candidate) {
      this.#refuse(request, candidate);
      return;
    }
    const { key, settings, state } = candidate.port;
    const verdict = availability(key, state, clock.now());
    if (verdict.kind === 'refuse') {
      candidate.port.wake();
      this.#refuse(request, verdict.error);
      return;
    }
    if (waitedFor.has(candidate)) {
      this.#refuse(request, notReady(candidate));
      return;
    }
    const waited = { ...search, waitedFor: new Set(waitedFor).add(candidate) };
    unlisted.wait(candidate, request, {
      timeoutMs: Math.max(0, acceptedMs + settings.requestTimeoutMs - clock.now()),
      proceed: () => this.#search(waited),
      late: () => this.#refuse(request, notReady(candidate)),
    });
  }

  /** [MCP 2025-11-25 tools § Error Handling; prompts § Error Handling; resources § Error Handling] */
  #notFound({ session, step }: AcceptedRequest, noun: Noun, name: string): WireError {
    if (noun === 'resource') {
      const message = `no backend has a resource "${name}"; resources/list tells which there are`;
      return gatewayError(step.context.dialect.unknownResource, message, { uri: name });
    }
    const { view } = this.#options.reach.catalogOf(session);
    const known = view.entries(noun === 'tool' ? 'tools' : 'prompts').map(({ shownAs }) => shownAs);
    const meant = suggest(name, known);
    const hint = meant === undefined ? '' : `; did you mean "${meant}"?`;
    return gatewayError('invalidParams', `unknown ${noun} "${name}"${hint}`, { [noun]: name });
  }

  /** From 2025-11-25 on, bad arguments are for the model to mend. [MCP 2025-11-25 tools § Error Handling] */
  #badArguments(request: AcceptedRequest, problems: readonly string[]): void {
    const { bytes, fields } = request.step.message;
    const tool = (fields.name && stringAt(bytes, fields.name)) ?? '';
    const text = `invalid arguments for "${tool}": ${problems.join('; ')}`;
    if (atLeast(request.step.context.revision, '2025-11-25')) {
      const result = { content: [{ type: 'text', text }], isError: true };
      request.session.end(request.idKey, request.step.context.dialect.result(request.idText, result));
    } else {
      this.#refuse(request, gatewayError('invalidParams', text, { tool }));
    }
  }

  #refuse({ session, idKey, idText }: AcceptedRequest, error: WireError): void {
    session.end(idKey, errorToClient(idText, error));
  }
}

function notReady({ port: { key, state } }: Lane): WireError {
  const why = state.kind === 'backing-off' ? ` (${state.lastExit.reason})` : '';
  return gatewayError('backendUnavailable', `backend "${key}" is ${state.kind}${why}; retry in a moment`, {
    backend: key,
    state: state.kind,
    retryAfterMs: 1_000,
  });
}
