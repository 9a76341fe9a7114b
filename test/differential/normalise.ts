import type { TapeEvent, TapeStep } from './tape.js';

/** Something about one server's messages that differs between two runs of that server alone. */
export interface Volatile {
  /** What it is, and why it cannot be the same twice. */
  readonly why: string;
  readonly level: (event: TapeEvent) => TapeEvent;
}

/** Levels every text inside the messages that `pattern` matches, also inside other texts. */
export function texts(why: string, pattern: RegExp, replacement: string): Volatile {
  return {
    why,
    level: (event) => mapTexts(event, (text) => text.replace(pattern, replacement)) as TapeEvent,
  };
}

/** Levels the texts of members called `member`. */
export function members(why: string, member: RegExp, level: (text: string) => string): Volatile {
  return {
    why,
    level: (event) => mapTexts(event, (text, name) => (member.test(name) ? level(text) : text)) as TapeEvent,
  };
}

/** Random ids, as the SDK makes them for tasks and elicitations: 32 hexadecimal digits, or a UUID. */
const randomId = /\b(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b/g;

/**
 * A transcript as it is compared. Random ids become numbers in order of first appearance, so that one id that became
 * two, or two that became one, still are a difference.
 */
export function normalised(steps: readonly TapeStep[], volatile: readonly Volatile[]): unknown[] {
  const numbers = new Map<string, number>();
  const number = (id: string) => {
    if (!numbers.has(id)) numbers.set(id, numbers.size + 1);
    return `<id ${numbers.get(id)}>`;
  };
  return steps.map(({ title, events }) =>
    mapTexts(
      {
        title,
        events: events.map((event) => volatile.reduce((levelled, { level }) => level(levelled), event)),
      },
      (text) => text.replace(randomId, number),
    ),
  );
}

function mapTexts(value: unknown, map: (text: string, member: string) => string, member = ''): unknown {
  if (typeof value === 'string') return map(value, member);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map, member));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapTexts(item, map, name)]));
}
