import { type Transport as AnyTransport, Client, ProtocolError } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { BackendEntry } from '../../helpers/fixture-backend.js';
import type { Frame } from '../../helpers/message-validity.js';
import { SecondSdkTransport } from '../../helpers/second-sdk-transport.js';
import type { Talk } from '../conversation.js';
import { type Naming, shownParams } from '../naming.js';
import { sampleArguments } from '../sample-arguments.js';
import { patienceMs, type Tape, taped } from '../tape.js';

export const revision = '2026-07-28';
const prefix = 'io.modelcontextprotocol/';

const roots = [{ uri: 'file:///srv/first', name: 'First' }, { uri: 'file:///srv/second' }];

/** One end of a conversation in the modern era. */
export interface ModernSide extends AsyncDisposable {
  readonly client: Client;
  readonly tape: Tape;
  /** Every message, in order. */
  readonly frames: readonly Frame[];
}

/** A client that starts the server itself. */
export async function straight({ command, args = [], cwd }: BackendEntry): Promise<ModernSide> {
  const frames: Frame[] = [];
  const stdio = new StdioClientTransport({
    command,
    args: [...args],
    stderr: 'ignore',
    ...(cwd !== undefined && { cwd: String(cwd) }),
  });
  return connect(stdio, frames, (from, message) => frames.push({ from, text: JSON.stringify(message) }));
}

/** A client that talks to a gateway over WebSocket. */
export async function throughGateway(url: string): Promise<ModernSide> {
  const frames: Frame[] = [];
  return connect(new SecondSdkTransport(url, (from, text) => frames.push({ from, text })), frames);
}

async function connect(
  inner: AnyTransport,
  frames: readonly Frame[],
  watch?: (from: Frame['from'], message: object) => void,
): Promise<ModernSide> {
  const client = new Client(
    { name: 'differential', version: '1.0.0' },
    {
      capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
      versionNegotiation: { mode: { pin: revision } },
    },
  );
  client.setRequestHandler('elicitation/create', ({ params }) => ({
    action: 'accept' as const,
    content: sampleArguments('requestedSchema' in params ? params.requestedSchema : {}) as Record<
      string,
      string
    >,
  }));
  client.setRequestHandler('sampling/createMessage', () => ({
    model: 'the-model-of-the-test',
    role: 'assistant' as const,
    content: { type: 'text' as const, text: 'As the model of the test I say: seven.' },
  }));
  client.setRequestHandler('roots/list', () => ({ roots }));
  // Both generations of the SDK mean the same by a transport; their types for messages differ in names alone.
  const { transport, tape } = taped(inner as unknown as Transport, revision, watch);
  await client.connect(transport as unknown as AnyTransport);
  return { client, tape, frames, [Symbol.asyncDispose]: () => client.close() };
}

/** One client's part in the script. */
export function converse({ client, tape }: ModernSide, naming: Naming, folder: string): ModernTalk {
  const ask: ModernTalk['ask'] = async (method, params = {}, options) => {
    tape.step(`${method} ${JSON.stringify(params)}`);
    try {
      // Typed as one of its methods; the tape holds what came, whatever the method.
      const request = { method: method as 'tools/call', params: shownParams(naming, params) };
      return await client.request(request, { timeout: patienceMs, ...options });
    } catch (error) {
      if (error instanceof ProtocolError) return undefined;
      throw error;
    }
  };
  return {
    client,
    tape,
    naming,
    folder,
    ask,
    call: (name, args = {}, options) => ask('tools/call', { name, arguments: args }, options),
    logged: (name, level) =>
      ask('tools/call', { name, arguments: {}, _meta: { [`${prefix}logLevel`]: level } }),
  };
}

/** What a script can do in the modern era. */
export interface ModernTalk extends Talk {
  readonly client: Client;
  readonly tape: Tape;
  /** Calls a tool and asks for its log lines from a level on. */
  logged(name: string, level: string): Promise<unknown>;
}
