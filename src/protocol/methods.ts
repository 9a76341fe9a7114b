import type { FieldName } from './fields.js';
import type { ListKind } from './listing.js';
import type { LegacyRevision } from './revisions.js';

/** Where a message goes. */
export type Route =
  /** Answered or noted by the session's era: handshake and liveness. */
  | { readonly to: 'era' }
  /** Answered from the catalog. */
  | { readonly to: 'list'; readonly kind: ListKind }
  /** Forwarded to the backend that owns what `field` names. */
  | { readonly to: 'owner'; readonly of: 'tool'; readonly field: FieldName }
  /** To the backend that holds the request which `field` names. */
  | { readonly to: 'holder'; readonly field: FieldName }
  /** To the session whose call carries the token in `field`, while that call is open. */
  | { readonly to: 'caller'; readonly field: FieldName }
  /** Noted by the supervisor: that backend's lists are read again. */
  | { readonly to: 'listing'; readonly kind: ListKind };

/** All that the gateway knows of one method. */
export interface MethodRule {
  readonly method: string;
  readonly from: 'client' | 'backend';
  readonly kind: 'request' | 'notification';
  /** The legacy revisions that have it; `since` and `until` are inclusive. */
  readonly legacy: { readonly since?: LegacyRevision; readonly until?: LegacyRevision };
  readonly route: Route;
  /** Reads may be sent once more when the process that had them ends; calls with effects never. */
  readonly repeatable?: true;
}

/**
 * The one place that knows methods: what a session's revision lacks here is answered with -32601.
 * On every forwarded request the envelope's `id` and `params._meta.progressToken` are replaced besides.
 */
export const methodRules: readonly MethodRule[] = [
  { method: 'initialize', from: 'client', kind: 'request', legacy: {}, route: { to: 'era' } },
  { method: 'ping', from: 'client', kind: 'request', legacy: {}, route: { to: 'era' } },
  {
    method: 'notifications/initialized',
    from: 'client',
    kind: 'notification',
    legacy: {},
    route: { to: 'era' },
  },
  {
    method: 'tools/list',
    from: 'client',
    kind: 'request',
    legacy: {},
    route: { to: 'list', kind: 'tools' },
  },
  {
    method: 'tools/call',
    from: 'client',
    kind: 'request',
    legacy: {},
    route: { to: 'owner', of: 'tool', field: 'name' },
  },
  {
    method: 'notifications/cancelled',
    from: 'client',
    kind: 'notification',
    legacy: {},
    route: { to: 'holder', field: 'requestId' },
  },
  { method: 'ping', from: 'backend', kind: 'request', legacy: {}, route: { to: 'era' } },
  {
    method: 'notifications/progress',
    from: 'backend',
    kind: 'notification',
    legacy: {},
    route: { to: 'caller', field: 'progressToken' },
  },
  {
    method: 'notifications/tools/list_changed',
    from: 'backend',
    kind: 'notification',
    legacy: {},
    route: { to: 'listing', kind: 'tools' },
  },
];

const byDirection = {
  client: new Map(methodRules.filter((rule) => rule.from === 'client').map((rule) => [rule.method, rule])),
  backend: new Map(methodRules.filter((rule) => rule.from === 'backend').map((rule) => [rule.method, rule])),
};

/** The rule for what a client of a legacy revision says, if that revision has the method. */
export function legacyClientRule(
  method: string,
  kind: MethodRule['kind'],
  revision: string,
): MethodRule | undefined {
  const rule = byDirection.client.get(method);
  if (rule?.kind !== kind) return undefined;
  const { since, until } = rule.legacy;
  if (since !== undefined && revision < since) return undefined;
  if (until !== undefined && revision > until) return undefined;
  return rule;
}

/** The rule for what a backend says; a method of any revision is understood from any backend. */
export function backendRule(method: string, kind: MethodRule['kind']): MethodRule | undefined {
  const rule = byDirection.backend.get(method);
  return rule?.kind === kind ? rule : undefined;
}
