import type { JsonObject } from '../protocol/json.js';
import type { Place } from './place.js';
import type { ConfigValue } from './value.js';

/** What the name of a setting adds to that of its option: `interval` is read as `intervalMs`. */
type Suffix = '' | 'Ms';

/**
 * One thing that may stand in the configuration: how it is read, and how it is described to editors.
 * The table is made of these; the reader, the JSON schema and the example all come from it.
 */
export interface Option<T, S extends Suffix = Suffix> {
  /** JSON Schema with description and, if it can be written down, the default. */
  readonly schema: JsonObject;
  /** What holds where nothing is written. */
  readonly fallback: T;
  readonly suffix: S;
  /** Reads a written value; reports what is wrong with it and then gives `fallback`. */
  read(value: ConfigValue, place: Place, fallback: T): T;
}

/** The options that may stand in one object, by name. */
export type Fields = Readonly<Record<string, Option<unknown>>>;

type Value<O> = O extends Option<infer T, Suffix> ? T : never;

/** What reading an object with these options gives. */
export type Values<F extends Fields> = {
  readonly [Name in keyof F & string as `${Name}${F[Name]['suffix']}`]: Value<F[Name]>;
};
