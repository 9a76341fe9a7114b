import type { GatewayIntroduction } from '../eras/form.js';
import { isJsonObject, type JsonObject } from '../protocol/json.js';
import type { BackendSettings } from '../shared/settings.js';
import { capabilitiesOf } from './capabilities.js';
import type { BackendPeer } from './ports.js';

/** A backend as far as its introduction is known. */
export interface Introduced {
  readonly settings: BackendSettings;
  /** `undefined` for one that has not been ready yet, or has a process for each client. */
  readonly peer: BackendPeer | undefined;
}

/** Longest instructions taken over from one backend, and from all together, in characters. */
const maxInstructions = 4_000;
const maxAllInstructions = 16_000;

/** What a backend may turn out to have. Lists always answer, and changes are always told. */
const always: JsonObject = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true },
};
const possible: JsonObject = {
  resources: { subscribe: true },
  completions: {},
  logging: {},
  tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
};

/**
 * What the gateway says of itself: the union of what its backends have and may gain, since a client that did
 * not see a capability never asks again.
 */
export function introduce(serverInfo: JsonObject, backends: readonly Introduced[]): GatewayIntroduction {
  const usable = backends.filter(({ settings }) => settings.off === undefined);
  const known = usable.flatMap(({ peer }) => (peer === undefined ? [] : [capabilitiesOf(peer)]));
  const unknown = known.length < usable.length ? [possible] : [];
  return {
    serverInfo,
    capabilities: [...known, ...unknown, always].reduce<JsonObject>(union, {}),
    instructions: mergedInstructions(backends),
  };
}

/** Members of both, objects joined member by member; a flag is set when either has it. */
function union(one: JsonObject, other: JsonObject): JsonObject {
  const joined = new Map(Object.entries(one));
  for (const [key, value] of Object.entries(other)) {
    const before = joined.get(key);
    if (isJsonObject(before) && isJsonObject(value)) joined.set(key, union(before, value));
    else if (before === undefined || before === false) joined.set(key, value);
  }
  return Object.fromEntries(joined);
}

function mergedInstructions(backends: readonly Introduced[]): string | undefined {
  const parts = backends.flatMap(({ settings: { key, namespace }, peer }) => {
    const name = namespace === '' ? key : namespace;
    return peer?.instructions === undefined
      ? []
      : [`## ${name}\n\n${cut(peer.instructions, maxInstructions)}`];
  });
  return parts.length === 0 ? undefined : cut(parts.join('\n\n'), maxAllInstructions);
}

/** Never through the middle of a surrogate pair. */
function cut(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
