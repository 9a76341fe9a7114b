import {
  type ClientOptions,
  type ClientCapabilities as SecondCapabilities,
  Client as SecondClient,
} from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { eventually } from '../../helpers/eventually.js';
import { FirstSdkTransport } from '../../helpers/first-sdk-transport.js';
import { type FrameWatcher, SecondSdkTransport } from '../../helpers/second-sdk-transport.js';

/** What may be said with a call. */
interface CallOptions {
  readonly onProgress?: (progress: number) => void;
  readonly signal?: AbortSignal;
}

/** A client of some SDK in some mode; what it hears reads the same in all of them. */
export interface Talker extends AsyncDisposable {
  readonly era: 'legacy' | 'modern';
  readonly serverName: string | undefined;
  toolNames(): Promise<string[]>;
  /** @returns the text of the result */
  call(name: string, args?: Record<string, string>, options?: CallOptions): Promise<string>;
  read(uri: string): Promise<unknown>;
  /** From here on it wants to hear of changed tools, and of this resource. */
  watch(uri: string): Promise<void>;
  unwatch(uri: string): Promise<void>;
  /** From here on it wants to hear log lines from this level on. */
  listenToLogs(level: 'debug' | 'warning'): Promise<void>;
  /** URIs of the updates that it heard of. */
  readonly updates: readonly string[];
  /** How often it heard that the tools have changed. */
  changes(): number;
  /** What the log lines said that it heard. */
  readonly lines: readonly unknown[];
}

/** What every client here declares, and how it answers. */
const capabilities = { elicitation: { form: {} }, sampling: {}, roots: {} };
const answers = {
  form: { action: 'accept' as const, content: { name: 'Ada' } },
  model: { model: 'm', role: 'assistant' as const, content: { type: 'text' as const, text: 'seven' } },
  roots: { roots: [{ uri: 'file:///srv/first' }, { uri: 'file:///srv/second' }] },
};
const whoIAm = { name: 'talker', version: '1.0.0' };

function textOf(result: unknown): string {
  const { content, isError } = result as { content: { text: string }[]; isError?: boolean };
  if (isError === true) throw new Error(`the tool failed: ${content[0]?.text}`);
  return content[0]?.text ?? '';
}

/** The client of the first generation. */
export async function firstSdk(url: string, watch?: FrameWatcher): Promise<Talker> {
  const client = new FirstClient(whoIAm, { capabilities });
  client.setRequestHandler(ElicitRequestSchema, () => answers.form);
  client.setRequestHandler(CreateMessageRequestSchema, () => answers.model);
  client.setRequestHandler(ListRootsRequestSchema, () => answers.roots);
  const updates: string[] = [];
  const lines: unknown[] = [];
  let changes = 0;
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    updates.push(params.uri);
  });
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    lines.push(params.data);
  });
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    changes += 1;
  });
  await client.connect(new FirstSdkTransport(url, watch));
  return {
    era: 'legacy',
    serverName: client.getServerVersion()?.name,
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args = {}, { onProgress, signal } = {}) =>
      textOf(
        await client.callTool({ name, arguments: args }, undefined, {
          ...(onProgress && { onprogress: ({ progress }) => onProgress(progress) }),
          ...(signal && { signal }),
        }),
      ),
    read: async (uri) => (await client.readResource({ uri })).contents,
    watch: async (uri) => void (await client.subscribeResource({ uri })),
    unwatch: async (uri) => void (await client.unsubscribeResource({ uri })),
    listenToLogs: async (level) => void (await client.setLoggingLevel(level)),
    updates,
    lines,
    changes: () => changes,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** The client of the second generation, in one of its modes. */
export async function secondSdk(
  url: string,
  options: ClientOptions,
  watch?: FrameWatcher,
  declared: SecondCapabilities = capabilities,
): Promise<Talker> {
  const client = new SecondClient(whoIAm, { ...options, capabilities: declared });
  client.setRequestHandler('elicitation/create', () => answers.form);
  client.setRequestHandler('sampling/createMessage', () => answers.model);
  client.setRequestHandler('roots/list', () => answers.roots);
  const updates: string[] = [];
  const lines: unknown[] = [];
  let changes = 0;
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    updates.push(params.uri);
  });
  client.setNotificationHandler('notifications/message', ({ params }) => {
    lines.push(params.data);
  });
  client.setNotificationHandler('notifications/tools/list_changed', () => {
    changes += 1;
  });
  await client.connect(new SecondSdkTransport(url, watch));
  const era = client.getProtocolEra() === 'modern' ? 'modern' : 'legacy';
  let stream: Awaited<ReturnType<typeof client.listen>> | undefined;
  let meta = {};
  return {
    era,
    serverName: client.getServerVersion()?.name,
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args = {}, { onProgress, signal } = {}) =>
      textOf(
        await client.callTool(
          { name, arguments: args, _meta: meta },
          {
            ...(onProgress && { onprogress: ({ progress }) => onProgress(progress) }),
            ...(signal && { signal }),
          },
        ),
      ),
    read: async (uri) => (await client.readResource({ uri })).contents,
    async watch(uri) {
      if (era === 'legacy') await client.subscribeResource({ uri });
      else stream = await client.listen({ toolsListChanged: true, resourceSubscriptions: [uri] });
    },
    async unwatch(uri) {
      if (era === 'legacy') await client.unsubscribeResource({ uri });
      else await stream?.close();
    },
    async listenToLogs(level) {
      if (era === 'legacy') await client.setLoggingLevel(level);
      else meta = { 'io.modelcontextprotocol/logLevel': level };
    },
    updates,
    lines,
    changes: () => changes,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** Waits until a list of what was heard has as many entries. */
export async function heard(what: string, list: readonly unknown[], count: number): Promise<void> {
  await eventually(`${count} ${what}`, () => list.length >= count);
}
