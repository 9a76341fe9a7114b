import type { JsonObject } from '../../src/protocol/json.js';
import { type LegacyRevision, newestLegacyRevision } from '../../src/protocol/revisions.js';
import { completionFeature } from './completion.js';
import type { Feature } from './feature.js';
import { initializeResult, negotiateRevision } from './handshake.js';
import { type Incoming, type RequestId, readIncoming } from './incoming.js';
import type { Method, RequestContext } from './method.js';
import { progressReporter } from './progress.js';
import { promptFeature } from './prompts.js';
import { quote } from './quote.js';
import { resourceFeature } from './resources.js';
import { RpcError } from './rpc-error.js';
import { type RunningRequest, RunningRequests } from './running-requests.js';
import type { ServerDefinition } from './server-definition.js';
import { toolFeature } from './tools.js';

/** Where a server's messages and logs go. */
export interface ServerOutput {
  /** Sends one message, given as one line without its line end. */
  send(line: string): void;
  log(text: string): void;
}

/** One MCP server on one connection: lines in, lines out. Knows no process and no stream. */
export class Server {
  readonly #output: ServerOutput;
  readonly #methods: ReadonlyMap<string, Method>;
  readonly #running = new RunningRequests();
  #revision: LegacyRevision = newestLegacyRevision;
  /** Whether the client has finished the handshake; before that it is told no news. */
  #initialized = false;

  /** Throws when two tools, prompts or templates have one name. */
  constructor(definition: ServerDefinition, output: ServerOutput) {
    this.#output = output;
    const features = this.#features(definition);
    const capabilities: JsonObject = Object.assign({}, ...features.map((feature) => feature.capabilities));
    this.#methods = new Map<string, Method>([
      ['initialize', (params) => this.#initialize(definition, capabilities, params)],
      ['ping', () => ({})],
      ...features.flatMap(({ methods }) => [...methods]),
    ]);
  }

  /** Takes one line of input without its line end; it is not blank. */
  receive(line: Buffer, validUtf8: boolean): void {
    const incoming = readIncoming(line, validUtf8);
    switch (incoming.kind) {
      case 'request':
        void this.#answer(incoming);
        return;
      case 'notification':
        if (incoming.method === 'notifications/cancelled') this.#running.cancel(incoming.params.requestId);
        if (incoming.method === 'notifications/initialized') this.#initialized = true;
        return;
      case 'malformed':
        this.#sendError(incoming.id, incoming.error);
        return;
      case 'response':
        this.#output.log('ignoring a response to a question that was never asked');
        return;
      default:
        incoming satisfies never;
    }
  }

  /** Answers a line that was dropped for its length; its id is not known. */
  refuseOversize(lengthBytes: number, maxLineBytes: number): void {
    const message = `the line of ${lengthBytes} bytes is longer than the limit of ${maxLineBytes}; send less at once`;
    this.#sendError(null, new RpcError('invalidRequest', message));
  }

  /** Resolves once every request is answered. */
  idle(): Promise<void> {
    return this.#running.idle();
  }

  /** Aborts every running request; none of them is answered any more. */
  cancelAll(): void {
    this.#running.cancelAll();
  }

  #features({ tools, resources, prompts }: ServerDefinition): readonly Feature[] {
    const notify = (method: string, params?: JsonObject) => {
      if (this.#initialized) this.#sendNotification(method, params);
    };
    return [
      ...(tools === undefined ? [] : [toolFeature(tools)]),
      ...(resources === undefined ? [] : [resourceFeature(resources, notify)]),
      ...(prompts === undefined ? [] : [promptFeature(prompts)]),
      ...completionFeature(prompts ?? [], resources?.templates ?? []),
    ];
  }

  #initialize(definition: ServerDefinition, capabilities: JsonObject, params: JsonObject): JsonObject {
    this.#revision = negotiateRevision(params);
    return initializeResult(definition, capabilities, this.#revision);
  }

  async #answer({ id, method, params }: Extract<Incoming, { kind: 'request' }>): Promise<void> {
    const request = this.#running.start(id, method);
    if (request === undefined) {
      const message = `a request with id ${quote(id)} is still running; use a new id for each request`;
      this.#sendError(null, new RpcError('invalidRequest', message));
      return;
    }
    try {
      const run = this.#methods.get(method);
      if (run === undefined) throw new RpcError('methodNotFound', `unknown method ${quote(method)}`);
      const result = await run(params, this.#context(request, params));
      this.#respond(request, JSON.stringify({ jsonrpc: '2.0', id, result }));
    } catch (error) {
      this.#respond(request, errorLine(id, this.#toRpcError(error, method)));
    }
  }

  #context(request: RunningRequest, params: JsonObject): RequestContext {
    return {
      revision: this.#revision,
      signal: request.controller.signal,
      log: (text) => this.#output.log(text),
      progress: progressReporter(params, (report) => {
        if (this.#running.isOpen(request)) this.#sendNotification('notifications/progress', report);
      }),
    };
  }

  #respond(request: RunningRequest, line: string): void {
    if (!this.#running.isOpen(request)) return;
    this.#output.send(line);
    this.#running.finish(request);
  }

  /** What is unexpected is told in full to the log and not at all to the client. */
  #toRpcError(error: unknown, method: string): RpcError {
    if (error instanceof RpcError) return error;
    const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#output.log(`${method} failed unexpectedly: ${trace}`);
    return new RpcError('internalError', `${quote(method)} failed unexpectedly; the server's log says why`);
  }

  #sendNotification(method: string, params: JsonObject | undefined): void {
    this.#output.send(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  #sendError(id: RequestId | null, error: RpcError): void {
    this.#output.send(errorLine(id, error));
  }
}

function errorLine(id: RequestId | null, error: RpcError): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: error.toWire() });
}
