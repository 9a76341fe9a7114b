import type { TapeEvent, TapeStep } from './tape.js';

/** How the gateway's own part of names is taken off again. Nothing else may differ. */
export interface Naming {
  readonly namespace: string;
  /** The backend's key, which stands before the names of its loggers. */
  readonly backend: string;
}

/** A transcript with the names that the server itself uses. */
export function withLocalNames(steps: readonly TapeStep[], naming: Naming): TapeStep[] {
  return steps.map(({ title, events }) => ({ title, events: events.map((event) => local(event, naming)) }));
}

function local(event: TapeEvent, { namespace, backend }: Naming): TapeEvent {
  if ('result' in event && (event.answer === 'tools/list' || event.answer === 'prompts/list')) {
    return { ...event, result: withEntries(event.result, (name) => without(name, namespace, '__')) };
  }
  if ('notice' in event && event.notice === 'notifications/message') {
    const { logger, ...params } = event.params as { logger?: unknown };
    if (logger === backend) return { ...event, params };
    return { ...event, params: { ...params, logger: without(String(logger), backend, '/') } };
  }
  return event;
}

function withEntries(result: unknown, rename: (name: string) => string): unknown {
  return Object.fromEntries(
    Object.entries(result as object).map(([member, value]) => [
      member,
      Array.isArray(value)
        ? value.map((entry: { name: string }) => ({ ...entry, name: rename(entry.name) }))
        : value,
    ]),
  );
}

function without(name: string, prefix: string, separator: string): string {
  if (prefix === '') return name;
  if (!name.startsWith(prefix + separator))
    throw new Error(`"${name}" does not start with "${prefix}${separator}"`);
  return name.slice(prefix.length + separator.length);
}
