import type { FieldName } from './fields.js';
import type { ListKind } from './listing.js';
import { type ResultRule, resultRules } from './result-rules.js';
import type { LegacyRevision } from './revisions.js';

/** What a backend may ask of a client; the client declares it in its capabilities. */
export type Question = 'sampling' | 'elicitation' | 'roots';

/** Where a message goes. */
export type Route =
  /** Answered or noted by the session's era: handshake and liveness. */
  | { readonly to: 'era' }
  /** Answered from the catalog. */
  | { readonly to: 'list'; readonly kind: ListKind }
  /** Forwarded to the backend that owns what `field` names. */
  | { readonly to: 'owner'; readonly of: 'tool' | 'prompt' | 'resource'; readonly field: FieldName }
  /** Forwarded to the backend that owns the prompt or template in `params.ref`. */
  | { readonly to: 'reference' }
  /** Counted here; the first for a URI reaches its backend. */
  | { readonly to: 'subscription' }
  /** The last for a URI reaches its backend. */
  | { readonly to: 'unsubscription' }
  /** Kept per session; the most verbose level reaches the backends. */
  | { readonly to: 'log-level' }
  /** Forwarded to the backend on which this session made the task. */
  | { readonly to: 'task' }
  /** Gathered from all backends, as far as the tasks are this session's. */
  | { readonly to: 'task-list' }
  /** To the backend that holds the request which `field` names, or the client that was asked it. */
  | { readonly to: 'holder'; readonly field: FieldName }
  /** To whom the token in `field` belongs, while what it was given for is open. */
  | { readonly to: 'caller'; readonly field: FieldName }
  /** To the processes that serve this session alone. */
  | { readonly to: 'own-backends' }
  /** Noted by the supervisor: that backend's lists are read again. */
  | { readonly to: 'listing'; readonly kind: ListKind }
  /** To the one session that a log line can belong to. */
  | { readonly to: 'log-reader' }
  /** To the sessions that subscribed to the URI. */
  | { readonly to: 'subscribers' }
  /** To the one session that can be meant and that can answer. */
  | { readonly to: 'asked-client'; readonly question: Question }
  /** To the session that works on the task which a question became. */
  | { readonly to: 'asked-task' }
  /** To the session that made the task, or the backend that asked for it. */
  | { readonly to: 'task-owner' }
  /** Held open: what changes is told on it. */
  | { readonly to: 'listen' }
  /** To the session that was asked to open the page. */
  | { readonly to: 'elicited' };

/** All that the gateway knows of one method. */
export interface MethodRule {
  readonly method: string;
  readonly from: 'client' | 'backend';
  readonly kind: 'request' | 'notification';
  /** The legacy revisions that have it; both ends are inclusive. */
  readonly legacy: { readonly since?: LegacyRevision; readonly until?: LegacyRevision } | 'none';
  /** Modern revisions have it. */
  readonly modern?: true;
  /** The extension that a modern client has to declare for it. [MCP 2026-07-28 schema: ClientCapabilities] */
  readonly extension?: string;
  /** Its result may ask for input instead of being complete. [MCP 2026-07-28 basic/patterns] */
  readonly mayAsk?: true;
  readonly route: Route;
  /**
   * The capability without which no backend can serve it, as the path of keys to it. Not given where the
   * gateway answers for itself or where what is named decides: that is then unknown.
   */
  readonly needs?: readonly string[];
  /** Where the result holds URIs, or the ids of new tasks. */
  readonly result?: readonly ResultRule[];
  /** Reads may be sent once more when the process that had them ends; calls with effects never. */
  readonly repeatable?: true;
  /** Waits for something that takes its own time, so that only the longest request time limits it. */
  readonly patient?: true;
}

type Traits = Omit<MethodRule, 'method' | 'from' | 'kind' | 'route' | 'legacy'> & {
  readonly legacy?: MethodRule['legacy'];
};

const ask = (method: string, route: Route, traits: Traits = {}): MethodRule => ({
  method,
  from: 'client',
  kind: 'request',
  legacy: {},
  route,
  ...traits,
});
const tell = (method: string, route: Route, traits: Traits = {}): MethodRule => ({
  ...ask(method, route, traits),
  kind: 'notification',
});
const backendAsks = (method: string, route: Route, traits: Traits = {}): MethodRule => ({
  ...ask(method, route, traits),
  from: 'backend',
});
const backendTells = (method: string, route: Route, traits: Traits = {}): MethodRule => ({
  ...tell(method, route, traits),
  from: 'backend',
});

const inBoth = { modern: true } as const;
const modernAlone = { legacy: 'none', modern: true } as const;
/** Tasks of the modern era. [MCP extension io.modelcontextprotocol/tasks] */
export const tasksExtension = 'io.modelcontextprotocol/tasks';
const asExtension = { modern: true, extension: tasksExtension } as const;
const withTasks = { legacy: { since: '2025-11-25' } } as const;

/**
 * The one place that knows methods: what a session's revision lacks here is answered with -32601.
 * On every forwarded request the envelope's `id` and `params._meta.progressToken` are replaced besides.
 */
export const methodRules: readonly MethodRule[] = [
  ask('initialize', { to: 'era' }),
  ask('ping', { to: 'era' }),
  ask('server/discover', { to: 'era' }, modernAlone),
  ask('subscriptions/listen', { to: 'listen' }, modernAlone),
  ask('tools/list', { to: 'list', kind: 'tools' }, inBoth),
  ask('prompts/list', { to: 'list', kind: 'prompts' }, inBoth),
  ask('resources/list', { to: 'list', kind: 'resources' }, inBoth),
  ask('resources/templates/list', { to: 'list', kind: 'resourceTemplates' }, inBoth),
  ask(
    'tools/call',
    { to: 'owner', of: 'tool', field: 'name' },
    { ...inBoth, mayAsk: true, result: resultRules.toolCall },
  ),
  ask(
    'prompts/get',
    { to: 'owner', of: 'prompt', field: 'name' },
    { ...inBoth, mayAsk: true, result: resultRules.promptGet, repeatable: true },
  ),
  ask(
    'resources/read',
    { to: 'owner', of: 'resource', field: 'uri' },
    { ...inBoth, mayAsk: true, result: resultRules.resourceRead, repeatable: true },
  ),
  ask('completion/complete', { to: 'reference' }, { ...inBoth, needs: ['completions'], repeatable: true }),
  ask('resources/subscribe', { to: 'subscription' }, { needs: ['resources', 'subscribe'] }),
  ask('resources/unsubscribe', { to: 'unsubscription' }, { needs: ['resources', 'subscribe'] }),
  ask('logging/setLevel', { to: 'log-level' }, { needs: ['logging'] }),
  ask('tasks/get', { to: 'task' }, { ...withTasks, ...asExtension, needs: ['tasks'] }),
  ask('tasks/update', { to: 'task' }, { ...modernAlone, ...asExtension }),
  ask(
    'tasks/result',
    { to: 'task' },
    { ...withTasks, needs: ['tasks'], result: resultRules.toolCall, patient: true },
  ),
  ask('tasks/cancel', { to: 'task' }, { ...withTasks, ...asExtension, needs: ['tasks', 'cancel'] }),
  ask('tasks/list', { to: 'task-list' }, { ...withTasks, needs: ['tasks', 'list'] }),
  tell('notifications/initialized', { to: 'era' }),
  tell('notifications/cancelled', { to: 'holder', field: 'requestId' }, inBoth),
  tell('notifications/progress', { to: 'caller', field: 'progressToken' }),
  tell('notifications/roots/list_changed', { to: 'own-backends' }),
  tell('notifications/tasks/status', { to: 'task-owner' }, withTasks),

  backendAsks('ping', { to: 'era' }),
  backendAsks('sampling/createMessage', { to: 'asked-client', question: 'sampling' }),
  backendAsks(
    'elicitation/create',
    { to: 'asked-client', question: 'elicitation' },
    { legacy: { since: '2025-06-18' } },
  ),
  backendAsks('roots/list', { to: 'asked-client', question: 'roots' }),
  backendAsks('tasks/get', { to: 'asked-task' }, withTasks),
  backendAsks('tasks/result', { to: 'asked-task' }, withTasks),
  backendAsks('tasks/cancel', { to: 'asked-task' }, withTasks),
  backendAsks('tasks/list', { to: 'asked-task' }, withTasks),
  backendTells('notifications/cancelled', { to: 'holder', field: 'requestId' }, inBoth),
  backendTells('notifications/progress', { to: 'caller', field: 'progressToken' }, inBoth),
  backendTells('notifications/message', { to: 'log-reader' }, inBoth),
  backendTells('notifications/resources/updated', { to: 'subscribers' }, inBoth),
  backendTells('notifications/tools/list_changed', { to: 'listing', kind: 'tools' }, inBoth),
  backendTells('notifications/prompts/list_changed', { to: 'listing', kind: 'prompts' }, inBoth),
  backendTells('notifications/resources/list_changed', { to: 'listing', kind: 'resources' }, inBoth),
  backendTells('notifications/tasks/status', { to: 'task-owner' }, withTasks),
  backendTells('notifications/elicitation/complete', { to: 'elicited' }, withTasks),
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
  return rule?.kind === kind && isIn(rule, revision) ? rule : undefined;
}

/** What modern clients may say. The capabilities that legacy rules need have other names there, or none. */
const modernRules = new Map(
  methodRules
    .filter(({ from, modern }) => from === 'client' && modern === true)
    .map(({ needs, ...rule }) => [
      rule.method,
      rule.extension === undefined && needs !== undefined ? { ...rule, needs } : rule,
    ]),
);

/** The rule for what a modern client says, if the era has the method. */
export function modernClientRule(method: string, kind: MethodRule['kind']): MethodRule | undefined {
  const rule = modernRules.get(method);
  return rule?.kind === kind ? rule : undefined;
}

/** The rule for what a backend says; a method of any revision is understood from any backend. */
export function backendRule(method: string, kind: MethodRule['kind']): MethodRule | undefined {
  const rule = byDirection.backend.get(method);
  return rule?.kind === kind ? rule : undefined;
}

/** Whether a legacy revision has what a rule is about. */
export function isIn({ legacy }: MethodRule, revision: string): boolean {
  if (legacy === 'none') return false;
  const { since, until } = legacy;
  return (since === undefined || revision >= since) && (until === undefined || revision <= until);
}
