import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { CreateTaskResultSchema, McpError, type Result } from '@modelcontextprotocol/sdk/types.js';
import type { Answers } from './answers.js';
import { type Naming, shownName, shownParams } from './naming.js';
import { type AskedMethod, sdkResults } from './result-schemas.js';
import type { Side } from './sides.js';
import { patienceMs, type Tape } from './tape.js';

/** Codes that the SDK's client makes up itself: the socket was closed, nothing came in time. */
const madeByClient = new Set([-32_000, -32_001]);

/** How the titles of steps that make a task begin. */
export const taskTitle = 'tools/call as a task';

/** What is said in either era. Names are the server's own; the gateway's are made from them here. */
export interface Talk {
  /** The server's own folder. */
  readonly folder: string;
  /** How this client knows what the server offers. */
  readonly naming: Naming;
  /**
   * Sends a request and waits for its answer, which is then on the tape, be it a result or an error.
   * @returns the result, or nothing for an error.
   * @throws when the SDK refuses the result, or nothing came.
   */
  ask(
    method: AskedMethod,
    params?: Record<string, unknown>,
    options?: AskOptions,
  ): Promise<Result | undefined>;
  call(tool: string, args?: object, options?: AskOptions): Promise<Result | undefined>;
}

/** What may be wanted of one request. */
type AskOptions = Pick<RequestOptions, 'onprogress' | 'signal'>;

/** One client's part in the script. */
export interface Conversation extends Talk {
  readonly client: Client;
  readonly tape: Tape;
  readonly answers: Answers;
  /** Calls a tool as a task and gives the task's id. */
  callAsTask(tool: string, args: object): Promise<string>;
  /** Tells the server something. */
  tell(method: 'notifications/roots/list_changed'): Promise<void>;
}

export function converse(side: Side, naming: Naming, folder: string): Conversation {
  const { client, tape, answers } = side;

  const ask: Conversation['ask'] = async (method, params, options) => {
    tape.step(`${method} ${JSON.stringify(params ?? {})}`);
    try {
      const request = { method, params: shownParams(naming, params) };
      return await client.request(request, sdkResults[method], { timeout: patienceMs, ...options });
    } catch (error) {
      if (error instanceof McpError && !madeByClient.has(error.code)) return undefined;
      throw error;
    }
  };

  return {
    client,
    tape,
    answers,
    folder,
    naming,
    ask,
    call: (name, args = {}, options) => ask('tools/call', { name, arguments: args }, options),
    async callAsTask(name, args) {
      tape.step(`${taskTitle} ${JSON.stringify({ name, args })}`);
      const params = { name: shownName(naming, name), arguments: args, task: { ttl: 60_000 } };
      const { task } = await client.request({ method: 'tools/call', params }, CreateTaskResultSchema, {
        timeout: patienceMs,
      });
      return task.taskId;
    },
    async tell(method) {
      tape.step(method);
      await client.notification({ method });
    },
  };
}
