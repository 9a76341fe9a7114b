import type { CatalogView } from '../catalog/merge.js';
import type { ListKind } from '../protocol/listing.js';
import type { BackendKey } from '../shared/ids.js';
import type { Lane } from './lane.js';

/** A backend's part of what the router holds, for the status. */
export interface BackendShare {
  readonly inFlight: number;
  readonly queued: number;
  readonly tools: number;
  readonly prompts: number;
  readonly resources: number;
  /** What of its listing was left out, renamed or cut short. */
  readonly warnings: readonly string[];
}

export function shareOf(key: BackendKey, lane: Lane | undefined, view: CatalogView<Lane>): BackendShare {
  const count = (kind: ListKind) => view.entries(kind).filter(({ backend }) => backend === key).length;
  return {
    inFlight: lane?.inFlight ?? 0,
    queued: lane?.queued ?? 0,
    tools: count('tools'),
    prompts: count('prompts'),
    resources: count('resources'),
    warnings: view.warnings.filter(({ backend }) => backend === key).map(({ text }) => text),
  };
}
