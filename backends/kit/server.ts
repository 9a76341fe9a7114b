import type { JsonObject } from '../../src/protocol/json.js';
import type { Era } from './eras/era.js';
import { Eras } from './eras/eras.js';
import { featuresOf } from './features.js';
import { type Incoming, type RequestId, readIncoming } from './incoming.js';
import type { RequestContext } from './method.js';
import { progressReporter } from './progress.js';
import { quote } from './quote.js';
import { RpcError } from './rpc-error.js';
import { type RunningRequest, RunningRequests } from './running-requests.js';
import type { ServerDefinition } from './server-definition.js';

/** Where a server's messages and logs go. */
export interface ServerOutput {
  /** Sends one message, given as one line without its line end. */
  send(line: string): void;
  log(text: string): void;
}

/** One MCP server on one connection: lines in, lines out. Knows no process and no stream. */
export class Server {
  readonly #output: ServerOutput;
  readonly #eras: Eras;
  readonly #running = new RunningRequests();

  /** Throws when two tools, prompts or templates have one name. */
  constructor(definition: ServerDefinition, output: ServerOutput) {
    this.#output = output;
    const { resources } = definition;
    this.#eras = new Eras({
      definition,
      features: featuresOf(definition),
      watched: resources?.watch === undefined ? undefined : resources,
      notify: (method, params) => this.#sendNotification(method, params),
    });
    resources?.watch?.(this.#eras.observer);
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
        this.#eras.of(incoming.params).notifications.get(incoming.method)?.();
        return;
      case 'malformed':
        this.#output.send(errorLine(incoming.id, incoming.error.toWire()));
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
    this.#output.send(errorLine(null, new RpcError('invalidRequest', message).toWire()));
  }

  /** Answers the requests that would otherwise last as long as the server; calls go on. */
  endSubscriptions(): void {
    this.#eras.end();
  }

  /** Resolves once every request is answered. */
  idle(): Promise<void> {
    return this.#running.idle();
  }

  /** Aborts every running request; none of them is answered any more. */
  cancelAll(): void {
    this.#running.cancelAll();
  }

  async #answer({ id, method, params }: Extract<Incoming, { kind: 'request' }>): Promise<void> {
    const era = this.#eras.of(params);
    const request = this.#running.start(id, method);
    if (request === undefined) {
      const message = `a request with id ${quote(id)} is still running; use a new id for each request`;
      this.#output.send(errorLine(null, era.toError(new RpcError('invalidRequest', message))));
      return;
    }
    try {
      const result = era.toResult(method, await this.#run(era, request, params));
      this.#respond(request, JSON.stringify({ jsonrpc: '2.0', id, result }));
    } catch (error) {
      this.#respond(request, errorLine(id, era.toError(this.#toRpcError(error, method))));
    }
  }

  async #run(era: Era, request: RunningRequest, params: JsonObject): Promise<JsonObject> {
    const { method } = request;
    const revision = era.revisionOf(params);
    const run = era.methods.get(method);
    if (run === undefined) {
      throw new RpcError('methodNotFound', `unknown method ${quote(method)} in MCP ${revision}`);
    }
    return run(params, this.#context(request, revision, params));
  }

  #context(request: RunningRequest, revision: string, params: JsonObject): RequestContext {
    return {
      id: request.id,
      revision,
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
}

function errorLine(id: RequestId | null, error: JsonObject): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error });
}
