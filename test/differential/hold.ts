import { temporaryFolder } from '../helpers/config-file.js';
import type { BackendEntry } from '../helpers/fixture-backend.js';
import { startGateway } from '../helpers/gateway-process.js';
import { converse } from './conversation.js';
import { type ServerHas, useEverything, useWrongly } from './everything-it-offers.js';
import { type Naming, ownNaming, withLocalNames } from './naming.js';
import { normalised } from './normalise.js';
import type { Scene, ServerUnderTest } from './server-under-test.js';
import { type ClientSettings, type Frames, type Side, straight, throughGateway } from './sides.js';
import type { TapeStep } from './tape.js';

/** What came of a conversation. */
export interface Held {
  /** The result of `initialize`. */
  readonly handshake: Handshake;
  /** Everything else that the client received, step by step, in the server's own names. */
  readonly transcript: readonly unknown[];
  /** All of it as it came. */
  readonly frames: Frames;
}

export interface Handshake {
  readonly protocolVersion: string;
  readonly capabilities: ServerHas & Readonly<Record<string, unknown>>;
  readonly serverInfo: { readonly name: string };
  readonly instructions?: string;
}

/** How the gateway runs the server. */
export interface Variant {
  readonly sharing: 'shared' | 'per-client';
  readonly namespace: string;
  readonly uris: 'original' | 'prefixed';
  /** Also calls tools with arguments that their schemas forbid; the gateway then leaves the check to the server. */
  readonly wrongArguments: boolean;
}

/**
 * Holds the whole conversation with the server alone and, at the same time, through a gateway whose only backend it
 * is. Both follow the capabilities that the server has alone.
 */
export async function holdBoth(
  server: ServerUnderTest,
  settings: ClientSettings,
  variant: Variant,
): Promise<{ alone: Held; through: Held }> {
  using ownFolder = temporaryFolder();
  using backendFolder = temporaryFolder();
  const { sharing, namespace, uris, wrongArguments } = variant;
  const backend = {
    ...entryOf(server, backendFolder.path),
    ...{ sharing, namespace, uris },
    ...(wrongArguments && { validateArguments: false }),
  };
  const [ownFrames, frames]: [Frames, Frames] = [[], []];
  await using one = await straight(
    entryOf(server, ownFolder.path),
    withRoots(settings, server, ownFolder.path),
    ownFrames,
  );
  await using gateway = await startGateway({ config: { mcpServers: { [server.name]: backend } } });
  await using other = await throughGateway(
    gateway.url,
    withRoots(settings, server, backendFolder.path),
    frames,
  );
  const [handshake, gatewayHandshake] = [handshakeOf(one), handshakeOf(other)];
  // The gateway leaves URIs alone where nothing could be read from them.
  const shownUris = handshake.capabilities.resources === undefined ? 'original' : uris;
  const naming = { namespace, uris: shownUris, backend: server.name };
  const script = { server, settings, has: handshake.capabilities, wrongArguments };
  const [ownSteps, gatewaySteps] = await Promise.all([
    hold(one, script, ownNaming, ownFolder.path),
    hold(other, script, naming, backendFolder.path),
  ]);
  const volatile = server.volatile ?? [];
  const localSteps = withLocalNames(gatewaySteps, naming);
  return {
    alone: { handshake, transcript: normalised(ownSteps, volatile), frames: ownFrames },
    through: { handshake: gatewayHandshake, transcript: normalised(localSteps, volatile), frames },
  };
}

function entryOf(server: ServerUnderTest, folder: string): BackendEntry {
  return { ...server.start(folder), cwd: folder };
}

interface Script {
  readonly server: ServerUnderTest;
  readonly settings: ClientSettings;
  readonly has: ServerHas;
  readonly wrongArguments: boolean;
}

async function hold(
  side: Side,
  { server, settings: { capabilities }, has, wrongArguments }: Script,
  naming: Naming,
  folder: string,
): Promise<TapeStep[]> {
  const talk = converse(side, naming, folder);
  const possible = ({ needs }: Scene) => needs === undefined || Boolean(needs(capabilities));
  await side.tape.unrecorded(async () => {
    if (server.opening !== undefined && possible(server.opening)) await server.opening.play(talk);
  });
  await useEverything(talk, server, has);
  if (wrongArguments) await useWrongly(talk);
  for (const scene of (server.scenes ?? []).filter(possible)) await scene.play(talk);
  return withFolder(side.tape.steps, folder);
}

function handshakeOf({ tape }: Side): Handshake {
  const answer = tape.steps[0]?.events.find((event) => 'answer' in event && event.answer === 'initialize');
  if (answer === undefined || !('result' in answer)) throw new Error('no result of initialize');
  return answer.result as Handshake;
}

function withRoots(settings: ClientSettings, { roots }: ServerUnderTest, folder: string): ClientSettings {
  return roots === undefined ? settings : { ...settings, roots: roots(folder) };
}

/** Both sides have a folder of their own, so that one does not see what the other did. */
function withFolder(steps: readonly TapeStep[], folder: string): TapeStep[] {
  return JSON.parse(JSON.stringify(steps).replaceAll(folder, '<folder>')) as TapeStep[];
}
