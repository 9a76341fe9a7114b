import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { ClientCapabilities, Root } from '@modelcontextprotocol/sdk/types.js';
import { FirstSdkTransport } from '../helpers/first-sdk-transport.js';
import type { BackendEntry } from '../helpers/fixture-backend.js';
import type { FrameWatcher } from '../helpers/second-sdk-transport.js';
import { type Answers, answeringClient } from './answers.js';
import { type Tape, taped, type Watcher } from './tape.js';

/** What a client is and asks for. */
export interface ClientSettings {
  readonly name?: string;
  readonly revision: string;
  readonly capabilities: ClientCapabilities;
  /** Default: two that do not exist. */
  readonly roots?: Root[];
}

/** One end of a conversation: a connected SDK client, what it heard and how it answers. */
export interface Side extends AsyncDisposable {
  readonly client: Client;
  readonly tape: Tape;
  readonly answers: Answers;
}

/** The text of every message that a client received and sent, in order. */
export type Frames = { readonly from: 'client' | 'server'; readonly text: string }[];

const noRoots = [{ uri: 'file:///srv/first', name: 'First' }, { uri: 'file:///srv/second' }];

/** A client that starts the server itself and talks to it over its stdin and stdout; all messages go to `frames`. */
export async function straight(
  entry: BackendEntry,
  settings: ClientSettings,
  frames: Frames = [],
): Promise<Side> {
  const { command, args = [], env = {}, cwd } = entry;
  const stdio = new StdioClientTransport({
    command,
    args: [...args],
    env: { ...env },
    stderr: 'ignore',
    ...(cwd !== undefined && { cwd: String(cwd) }),
  });
  const side = await connect(stdio, settings, (from, message) =>
    frames.push({ from, text: JSON.stringify(message) }),
  );
  return {
    ...side,
    async [Symbol.asyncDispose]() {
      // Servers with open timers do not end with their stdin; nothing is left to lose.
      if (stdio.pid !== null) process.kill(stdio.pid, 'SIGTERM');
      await side.client.close();
    },
  };
}

/** A client that talks to a gateway over WebSocket; the exact text of all frames goes to `frames`. */
export async function throughGateway(
  url: string,
  settings: ClientSettings,
  frames: Frames = [],
): Promise<Side> {
  const watch: FrameWatcher = (from, text) => void frames.push({ from, text });
  const side = await connect(new FirstSdkTransport(url, watch), settings);
  return { ...side, [Symbol.asyncDispose]: () => side.client.close() };
}

async function connect(inner: Transport, settings: ClientSettings, watch?: Watcher) {
  const { name = 'differential', revision, capabilities, roots = noRoots } = settings;
  const answers: Answers = {
    elicitation: 'accept',
    sampling: 'As the model of the test I say: seven.',
    roots,
    form: { name: 'Ada Lovelace', check: true, integer: 7, number: 2.5 },
  };
  const client = answeringClient(name, capabilities, answers);
  const { transport, tape } = taped(inner, revision, watch);
  await client.connect(transport);
  return { client, tape, answers };
}
