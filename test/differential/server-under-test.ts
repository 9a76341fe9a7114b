import type { ClientCapabilities, Root } from '@modelcontextprotocol/sdk/types.js';
import type { BackendEntry } from '../helpers/fixture-backend.js';
import type { Conversation } from './conversation.js';
import type { Volatile } from './normalise.js';
import type { ClientSettings } from './sides.js';

/** A part of the script that only one server needs. */
export interface Scene {
  readonly title: string;
  /** What its client must be for it; without that the scene is left out. */
  readonly needs?: (client: ClientSettings) => unknown;
  readonly play: (talk: Conversation) => Promise<void>;
}

/** One server that we did not write, and what cannot be found out by asking it. */
export interface ServerUnderTest {
  readonly name: string;
  /** How it is started; `folder` is a new one of its own, and is called `<folder>` in the transcript. */
  readonly start: (folder: string) => BackendEntry;
  /** Played before all else, when the client has declared enough for it. */
  readonly opening?: Scene;
  /** Arguments for its tools, by name. Default: what the tool's input schema asks for. */
  readonly calls?: (folder: string) => Readonly<Record<string, readonly object[]>>;
  /** Arguments for its prompts, by name. Default: "1" for each argument. */
  readonly prompts?: Readonly<Record<string, object>>;
  /** The roots that its client has. Default: two that do not exist. */
  readonly roots?: (folder: string) => Root[];
  readonly scenes?: readonly Scene[];
  readonly volatile?: readonly Volatile[];
  /** What its client declares when the process is shared: what a gateway declares to a shared one. Default: nothing. */
  readonly sharedCapabilities?: ClientCapabilities;
}
