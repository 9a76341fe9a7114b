import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks';
import type { RequestTaskStore } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  type ClientCapabilities,
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  McpError,
  type Result,
  type Root,
} from '@modelcontextprotocol/sdk/types.js';

/** What the person behind a client does with the next questions. */
export interface Answers {
  /** How a form or a page is answered; `fail` answers with an error. */
  elicitation: 'accept' | 'decline' | 'cancel' | 'fail';
  /** What the model behind the client says. */
  sampling: string;
  roots: Root[];
  /** What is filled into a form. */
  form: Record<string, string | number | boolean | string[]>;
}

/** An SDK client that answers every question whose capability it declares, at once and always the same way. */
export function answeringClient(name: string, capabilities: ClientCapabilities, answers: Answers): Client {
  const client = new Client(
    { name, version: '1.0.0' },
    { capabilities, ...(capabilities.tasks && { taskStore: new InMemoryTaskStore() }) },
  );
  if (capabilities.roots) {
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: answers.roots }));
  }
  if (capabilities.sampling) {
    client.setRequestHandler(CreateMessageRequestSchema, ({ params }, { taskStore }) =>
      answered(params, taskStore, {
        model: 'the-model-of-the-test',
        role: 'assistant' as const,
        content: { type: 'text' as const, text: answers.sampling },
        stopReason: 'endTurn',
      }),
    );
  }
  if (capabilities.elicitation) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }, { taskStore }) => {
      const action = answers.elicitation;
      if (action === 'fail') throw new McpError(-32_603, 'The window was closed', { window: 3 });
      const content = action === 'accept' && params.mode !== 'url' ? { content: answers.form } : {};
      return answered(params, taskStore, { action, ...content });
    });
  }
  return client;
}

/** A question with `task` gets a task, which is done at once. */
async function answered<R extends Result>(
  { task }: { task?: { ttl?: number | undefined } | undefined },
  store: RequestTaskStore | undefined,
  result: R,
): Promise<R | { task: Awaited<ReturnType<RequestTaskStore['createTask']>> }> {
  if (task === undefined || store === undefined) return result;
  const created = await store.createTask({ ttl: task.ttl ?? null });
  await store.storeTaskResult(created.taskId, 'completed', result);
  return { task: created };
}
