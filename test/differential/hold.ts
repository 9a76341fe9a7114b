import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../helpers/config-file.js';
import type { BackendEntry } from '../helpers/fixture-backend.js';
import { startGateway } from '../helpers/gateway-process.js';
import { converse, taskTitle } from './conversation.js';
import { type ServerHas, useEverything, useWrongly } from './everything-it-offers.js';
import { type Naming, ownNaming, withLocalNames } from './naming.js';
import { normalised } from './normalise.js';
import type { Scene, ServerUnderTest } from './server-under-test.js';
import { type ClientSettings, type Frames, type Side, straight, throughGateway } from './sides.js';
import type { TapeEvent, TapeStep } from './tape.js';

/** What came of a conversation. */
export interface Held {
  /** The result of `initialize`. */
  readonly handshake: Handshake;
  /** Everything else that the client received, step by step, in the server's own names. */
  readonly transcript: readonly unknown[];
  /** All of it as it came. */
  readonly frames: Frames;
}

interface Handshake {
  readonly protocolVersion: string;
  readonly capabilities: ServerHas & Readonly<Record<string, unknown>>;
  readonly serverInfo: { readonly name: string };
  readonly instructions?: string;
}

/** How a gateway runs its servers. */
export interface Variant {
  readonly sharing: 'shared' | 'per-client';
  /** Under the server's name, or without a namespace and with URIs as they are. */
  readonly names: 'qualified' | 'bare';
  /** Whether the gateway checks arguments. Where it does not, the script also uses wrong ones. */
  readonly validateArguments: boolean;
}

/** A gateway with one or more of the servers behind it. */
export interface GatewayUnderTest extends AsyncDisposable {
  readonly url: string;
  readonly variant: Variant;
  /** The folder that a server was started in. */
  folderOf(server: ServerUnderTest): string;
}

export async function openGateway(
  servers: readonly ServerUnderTest[],
  variant: Variant,
): Promise<GatewayUnderTest> {
  const { sharing, names, validateArguments } = variant;
  const naming = names === 'bare' ? { namespace: '' } : { uris: 'prefixed' };
  const root = temporaryFolder();
  const folderOf = ({ name }: ServerUnderTest) => join(root.path, name);
  const backends = servers.map((server): [string, BackendEntry] => {
    mkdirSync(folderOf(server));
    return [server.name, { ...entryOf(server, folderOf(server)), sharing, validateArguments, ...naming }];
  });
  const gateway = await startGateway({ config: { mcpServers: Object.fromEntries(backends) } });
  return {
    url: gateway.url,
    variant,
    folderOf,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      root[Symbol.dispose]();
    },
  };
}

/**
 * Holds the whole conversation with the server alone and, at the same time, through the gateway. Both follow the
 * capabilities that the server has alone.
 */
export async function holdBoth(
  server: ServerUnderTest,
  settings: ClientSettings,
  { url, variant, folderOf }: GatewayUnderTest,
): Promise<{ alone: Held; through: Held }> {
  using ownFolder = temporaryFolder();
  const folder = folderOf(server);
  const [ownFrames, frames]: [Frames, Frames] = [[], []];
  const own = withRoots(settings, server, ownFolder.path);
  await using one = await straight(entryOf(server, ownFolder.path), own, ownFrames);
  await using other = await throughGateway(url, withRoots(settings, server, folder), frames);
  const [handshake, gatewayHandshake] = [handshakeOf(one), handshakeOf(other)];
  const script = { server, settings, has: handshake.capabilities, wrongly: !variant.validateArguments };
  const naming = namingOf(server, variant, handshake);
  const [ownSteps, steps] = await Promise.all([
    hold(one, script, ownNaming, ownFolder.path),
    hold(other, script, naming, folder),
  ]);
  const level = (taped: readonly TapeStep[]) =>
    normalised(variant.sharing === 'shared' ? taped.map(sharedStep) : taped, server.volatile ?? []);
  return {
    alone: { handshake, transcript: level(ownSteps), frames: ownFrames },
    through: { handshake: gatewayHandshake, transcript: level(withLocalNames(steps, naming)), frames },
  };
}

function namingOf({ name }: ServerUnderTest, { names }: Variant, { capabilities }: Handshake): Naming {
  if (names === 'bare') return { namespace: '', uris: 'original', backend: name };
  // The gateway leaves URIs alone where nothing could be read from them.
  const uris = capabilities.resources === undefined ? 'original' : 'prefixed';
  return { namespace: name, uris, backend: name };
}

interface Script {
  readonly server: ServerUnderTest;
  readonly settings: ClientSettings;
  readonly has: ServerHas;
  /** With wrong arguments too. */
  readonly wrongly: boolean;
}

async function hold(side: Side, script: Script, naming: Naming, folder: string): Promise<TapeStep[]> {
  const { server, settings, has, wrongly } = script;
  const talk = converse(side, naming, folder);
  const possible = ({ needs }: Scene) => needs === undefined || Boolean(needs(settings));
  await side.tape.unrecorded(async () => {
    if (server.opening !== undefined && possible(server.opening)) await server.opening.play(talk);
  });
  await useEverything(talk, server, has);
  if (wrongly) await useWrongly(talk);
  for (const scene of (server.scenes ?? []).filter(possible)) await scene.play(talk);
  return withFolder(side.tape.steps, folder);
}

function handshakeOf({ tape }: Side): Handshake {
  const answer = tape.steps[0]?.events.find((event) => 'answer' in event && event.answer === 'initialize');
  if (answer === undefined || !('result' in answer)) throw new Error('no result of initialize');
  return answer.result as Handshake;
}

function entryOf(server: ServerUnderTest, folder: string): BackendEntry {
  return { ...server.start(folder), cwd: folder };
}

function withRoots(settings: ClientSettings, { roots }: ServerUnderTest, folder: string): ClientSettings {
  return roots === undefined ? settings : { ...settings, roots: roots(folder) };
}

/**
 * Takes out where a shared process is heard differently, since nobody knows whom a notice concerns: the first status
 * of a new task waits for the answer that names the task, and a log line about a subscription, which the gateway makes
 * for all, is heard only where there is one session.
 */
function sharedStep({ title, events }: TapeStep): TapeStep {
  if (/^resources\/(un)?subscribe /.test(title)) {
    const isLogLine = (event: TapeEvent) => 'notice' in event && event.notice === 'notifications/message';
    return { title, events: events.filter((event) => !isLogLine(event)) };
  }
  if (!title.startsWith(taskTitle)) return { title, events };
  const isAnswer = (event: TapeEvent) => 'answer' in event;
  return { title, events: [...events.filter(isAnswer), ...events.filter((event) => !isAnswer(event))] };
}

/** Both sides have a folder of their own, so that one does not see what the other did. */
function withFolder(steps: readonly TapeStep[], folder: string): TapeStep[] {
  return JSON.parse(JSON.stringify(steps).replaceAll(folder, '<folder>')) as TapeStep[];
}
