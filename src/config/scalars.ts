import type { JsonObject } from '../protocol/json.js';
import type { Option } from './option.js';
import { DURATION_PATTERN, parseDuration, parseSize, SIZE_PATTERN } from './units.js';
import { type ConfigValue, describeKind, describeValue } from './value.js';

interface Range {
  readonly min: number;
  readonly max?: number;
}

/** Longest delay a timer can hold; above it, it would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const DURATION = 'a duration such as "400ms", "20s", "10m", "1h" or a number of milliseconds';
const SIZE = 'a size such as "512B", "64KiB", "4MiB", "1GiB" or a number of bytes';

/** `true` or `false`. */
export function flag(fallback: boolean, description: string): Option<boolean, ''> {
  return {
    schema: { description, type: 'boolean', default: fallback },
    fallback,
    suffix: '',
    read(value, place, otherwise) {
      if (typeof value === 'boolean') return value;
      place.expected('true or false', value);
      return otherwise;
    },
  };
}

/** A whole number within a range, both ends included. */
export function integer(fallback: number, range: Range, description: string): Option<number, ''> {
  const what = `an integer ${spell(range)}`;
  return {
    schema: { description, type: 'integer', ...bounds(range), default: fallback },
    fallback,
    suffix: '',
    read(value, place, otherwise) {
      if (isWithin(value, range)) return value;
      place.expected(what, value);
      return otherwise;
    },
  };
}

/** A length of time, read as milliseconds. Limits are in milliseconds; without `max` what a timer can hold. */
export function duration(
  fallback: string,
  { min, max = MAX_TIMER_MS }: Range,
  text: string,
): Option<number, 'Ms'> {
  const range = { min, max };
  return {
    ...quantity(fallback, range, DURATION_PATTERN, parseDuration, `${DURATION}, ${spell(range)} ms`, text),
    suffix: 'Ms',
  };
}

/** A number of bytes. */
export function size(fallback: string, range: Range, description: string): Option<number, ''> {
  return {
    ...quantity(fallback, range, SIZE_PATTERN, parseSize, `${SIZE}, ${spell(range)} bytes`, description),
    suffix: '',
  };
}

function quantity(
  written: string,
  range: Range,
  pattern: string,
  parse: (text: string) => number | undefined,
  what: string,
  description: string,
): Omit<Option<number>, 'suffix'> {
  const fallback = parse(written);
  if (!isWithin(fallback, range)) throw new Error(`default ${JSON.stringify(written)} is not ${what}`);
  return {
    schema: {
      description,
      anyOf: [
        { type: 'integer', ...bounds(range) },
        { type: 'string', pattern },
      ],
      default: written,
    },
    fallback,
    read(value, place, otherwise) {
      const amount = typeof value === 'string' ? parse(value) : value;
      if (isWithin(amount, range)) return amount;
      place.expected(what, value);
      return otherwise;
    },
  };
}

/** One of a few words. */
export function choice<const T extends string, F extends T | undefined>(
  words: readonly T[],
  fallback: F,
  description: string,
): Option<T | F, ''> {
  const what = words.map((word) => JSON.stringify(word)).join(' or ');
  return {
    schema: { description, enum: words, ...written(fallback) },
    fallback,
    suffix: '',
    read(value, place, otherwise) {
      const word = words.find((candidate) => candidate === value);
      if (word !== undefined) return word;
      place.expected(what, value);
      return otherwise;
    },
  };
}

/** What a text must look like, and how errors call that. */
export interface TextForm {
  readonly what: string;
  /** A regular expression for the whole text. */
  readonly pattern?: string;
  /** Errors name only the kind of a wrong value, because it may be a password. */
  readonly secret?: boolean;
}

/** A text. */
export function text<F extends string | undefined>(
  fallback: F,
  form: TextForm,
  description: string,
): Option<string | F, ''> {
  return {
    schema: { description, ...textSchema(form), ...written(fallback) },
    fallback,
    suffix: '',
    read(value, place, otherwise) {
      if (isText(value, form)) return value;
      place.expected(form.what, value, form.secret === true ? describeKind : describeValue);
      return otherwise;
    },
  };
}

export function textSchema(form: TextForm): JsonObject {
  return { type: 'string', ...(form.pattern === undefined ? {} : { pattern: form.pattern }) };
}

export function isText(value: ConfigValue, { pattern }: TextForm): value is string {
  return typeof value === 'string' && (pattern === undefined || new RegExp(pattern, 'u').test(value));
}

function written(fallback: string | undefined): JsonObject {
  return fallback === undefined ? {} : { default: fallback };
}

function isWithin(value: ConfigValue | undefined, { min, max }: Range): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= (max ?? value);
}

function bounds({ min, max }: Range): JsonObject {
  return { minimum: min, ...(max === undefined ? {} : { maximum: max }) };
}

function spell({ min, max }: Range): string {
  return max === undefined ? `≥ ${min}` : `from ${min} to ${max}`;
}
