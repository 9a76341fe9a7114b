import type { TapeEvent, TapeStep } from './tape.js';

/** What a gateway adds to the names and URIs of a backend. */
export interface Naming {
  /** Stands before the names of tools and prompts, and before prefixed URIs. */
  readonly namespace: string;
  readonly uris: 'original' | 'prefixed';
  /** The backend's key, which stands before the names of its loggers. */
  readonly backend: string;
}

/** Nothing: the server is asked itself. */
export const ownNaming: Naming = { namespace: '', uris: 'original', backend: '' };

/** The name under which a client knows a tool or prompt. */
export function shownName({ namespace }: Naming, local: string): string {
  return namespace === '' ? local : `${namespace}__${local}`;
}

export function localName(naming: Naming, shown: string): string {
  return without(shownName(naming, ''), shown);
}

/** The URI, or template, under which a client knows a resource. */
export function shownUri({ namespace, uris }: Naming, local: string): string {
  return uris === 'prefixed' ? `${namespace}+${local}` : local;
}

export function localUri(naming: Naming, shown: string): string {
  return without(shownUri(naming, ''), shown);
}

/** Where a request names a tool, prompt or resource, it names it as this client knows it. */
export function shownParams(naming: Naming, params: Record<string, unknown> = {}): Record<string, unknown> {
  const { name, uri, ref } = params;
  return {
    ...params,
    ...(typeof name === 'string' && { name: shownName(naming, name) }),
    ...(typeof uri === 'string' && { uri: shownUri(naming, uri) }),
    ...(typeof ref === 'object' && ref !== null && { ref: shownParams(naming, { ...ref }) }),
  };
}

/** Of the entries of a list, those of this backend; others of the same gateway carry another namespace. */
export function ownEntries(naming: Naming, entries: readonly ListEntry[]): ListEntry[] {
  return entries.filter(({ name, uri, uriTemplate }) => {
    const shown = uri ?? uriTemplate;
    return shown === undefined
      ? name.startsWith(shownName(naming, ''))
      : shown.startsWith(shownUri(naming, ''));
  });
}

/** An entry of any list: a tool, prompt, resource or template. */
export interface ListEntry {
  readonly name: string;
  readonly uri?: string;
  readonly uriTemplate?: string;
  readonly arguments?: readonly { readonly name: string }[];
  readonly inputSchema?: { readonly required?: readonly string[] };
}

/**
 * A transcript with the names and URIs that the server itself uses: what the gateway added is taken off where it
 * must stand, and must stand nowhere else.
 */
export function withLocalNames(steps: readonly TapeStep[], naming: Naming): TapeStep[] {
  return steps.map(({ title, events }) => ({ title, events: events.map((event) => local(event, naming)) }));
}

function local(event: TapeEvent, naming: Naming): TapeEvent {
  if ('result' in event) return { ...event, result: localResult(event.answer, event.result, naming) };
  if ('error' in event || 'question' in event) return event;
  const params = event.params as { logger?: unknown; uri?: string };
  switch (event.notice) {
    case 'notifications/message':
      return { ...event, params: withLocalLogger(params, naming.backend) };
    case 'notifications/subscriptions/acknowledged':
      return { ...event, params: withLocalFilter(params, naming) };
    case 'notifications/resources/updated':
      return { ...event, params: withLocalUris(params, naming) };
    default:
      return event;
  }
}

function localResult(method: string, result: unknown, naming: Naming): unknown {
  switch (method) {
    case 'tools/list':
    case 'prompts/list':
      return mapEntries(result, naming, (entry) => ({ ...entry, name: localName(naming, entry.name) }));
    case 'resources/list':
    case 'resources/templates/list':
      return mapEntries(result, naming, (entry) => withLocalUris(entry, naming));
    case 'tasks/list':
      // The SDK's servers put an empty one beside the entries; the gateway's list is its own message.
      return { _meta: {}, ...(result as object) };
    default:
      return withLocalUris(result, naming);
  }
}

/** A list of this backend's entries alone, with whatever else stands in it. */
function mapEntries(result: unknown, naming: Naming, map: (entry: ListEntry) => unknown): unknown {
  return mapMembers(result, (value) =>
    Array.isArray(value) ? ownEntries(naming, value as ListEntry[]).map(map) : value,
  );
}

/** URIs stand in members of these names, but what a tool gives as structured content is nobody's to change. */
function withLocalUris(value: unknown, naming: Naming): unknown {
  if (Array.isArray(value)) return value.map((item) => withLocalUris(item, naming));
  return mapMembers(value, (item, name) => {
    if (name === 'structuredContent') return item;
    if ((name === 'uri' || name === 'uriTemplate') && typeof item === 'string') return localUri(naming, item);
    return withLocalUris(item, naming);
  });
}

function withLocalFilter(params: object, naming: Naming): unknown {
  return mapMembers(params, (notifications, name) =>
    name !== 'notifications'
      ? notifications
      : mapMembers(notifications, (uris) =>
          Array.isArray(uris) ? uris.map((uri) => localUri(naming, String(uri))) : uris,
        ),
  );
}

function withLocalLogger({ logger, ...params }: { logger?: unknown }, backend: string): object {
  if (backend === '') return logger === undefined ? params : { ...params, logger };
  return logger === backend ? params : { ...params, logger: without(`${backend}/`, String(logger)) };
}

function mapMembers(value: unknown, map: (item: unknown, name: string) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, map(item, name)]));
}

function without(prefix: string, text: string): string {
  if (!text.startsWith(prefix)) throw new Error(`"${text}" does not start with "${prefix}"`);
  return text.slice(prefix.length);
}
