import type { JsonObject } from '../protocol/json.js';
import type { Fields, Option, Values } from './option.js';
import { isText, type TextForm, textSchema } from './scalars.js';
import { suggest } from './suggest.js';
import { type ConfigObject, type ConfigValue, describeKind, describeValue, isConfigObject } from './value.js';

/** What an object of options has besides them. */
interface Extras {
  /** Keys that other programs put there and that mean nothing to us, with the reason why that is harmless. */
  readonly ignored?: Readonly<Record<string, string>>;
  /** Keys that people write and that would be dangerous to ignore, with what to write instead. */
  readonly instead?: Readonly<Record<string, string>>;
  /** Conditions on the whole object, for the schema; the loader checks them itself. */
  readonly schema?: JsonObject;
}

/** An object of named options. What is not written holds its default; an unknown key is a problem. */
export function group<F extends Fields>(
  description: string,
  fields: F,
  extras: Extras = {},
): Option<Values<F>, ''> {
  const options = new Map(Object.entries(fields));
  const ignored = new Map(Object.entries(extras.ignored ?? {}));
  const instead = new Map(Object.entries(extras.instead ?? {}));

  function adviceFor(key: string): string {
    const known = [...options.keys()];
    const nearest = suggest(key, known);
    return nearest === undefined ? `known here: ${known.join(', ')}` : `did you mean "${nearest}"?`;
  }

  return {
    schema: {
      description,
      type: 'object',
      properties: {
        ...Object.fromEntries([...options].map(([name, option]) => [name, option.schema])),
        ...Object.fromEntries(
          [...ignored].map(([name, reason]) => [name, { description: `Ignored: ${reason}.` }]),
        ),
      },
      additionalProperties: false,
      ...extras.schema,
    },
    fallback: collect(options, (option) => option.fallback),
    suffix: '',
    read(value, place, otherwise) {
      if (!isConfigObject(value)) {
        place.expected('an object', value, describeKind);
        return otherwise;
      }
      for (const key of value.keys()) {
        if (!options.has(key) && !ignored.has(key)) {
          place.at(key).report(`unknown option; ${instead.get(key) ?? adviceFor(key)}`);
        }
      }
      const defaults = new Map<string, unknown>(Object.entries(otherwise));
      return collect(options, (option, name) => {
        const fallback = defaults.get(name + option.suffix);
        const written = value.get(name);
        return written === undefined ? fallback : option.read(written, place.at(name), fallback);
      });
    },
  };
}

function collect<F extends Fields>(
  options: ReadonlyMap<string, Option<unknown>>,
  valueFor: (option: Option<unknown>, name: string) => unknown,
): Values<F> {
  const entries = [...options].map(([name, option]) => [name + option.suffix, valueFor(option, name)]);
  return Object.fromEntries(entries) as Values<F>;
}

/** The object that `inner` describes, or `false`, which leaves the thing out. */
export function optional<T>(inner: Option<T, ''>): Option<T | undefined, ''> {
  return {
    schema: { ...inner.schema, type: ['object', 'boolean'], not: { const: true } },
    fallback: inner.fallback,
    suffix: '',
    read(value, place, otherwise) {
      if (value === false) return undefined;
      if (isConfigObject(value)) return inner.read(value, place, otherwise ?? inner.fallback);
      place.expected('an object, or false to leave it out', value, describeKind);
      return otherwise;
    },
  };
}

/** A list of texts. */
export function textList<F extends readonly string[] | undefined>(
  fallback: F,
  form: TextForm & { readonly minItems?: number },
  description: string,
): Option<readonly string[] | F, ''> {
  const { minItems = 0 } = form;
  return {
    schema: {
      description,
      type: 'array',
      items: textSchema(form),
      ...(minItems === 0 ? {} : { minItems }),
      ...(fallback === undefined ? {} : { default: fallback }),
    },
    fallback,
    suffix: '',
    read(value, place, otherwise) {
      if (!isList(value)) {
        place.expected(`a list of which each element is ${form.what}`, value, describeKind);
        return otherwise;
      }
      if (value.length < minItems)
        place.report(`expected a list of at least ${minItems}, got ${value.length}`);
      return value.filter((element, index): element is string => {
        if (isText(element, form)) return true;
        place.at(index).expected(form.what, element, form.secret === true ? describeKind : describeValue);
        return false;
      });
    },
  };
}

/** Texts by key. Neither keys nor values are options of ours; values count as secret. */
export function textMap(
  keyForm: Required<Pick<TextForm, 'what' | 'pattern'>>,
  description: string,
): Option<ReadonlyMap<string, string>, ''> {
  return {
    schema: {
      description,
      type: 'object',
      propertyNames: { pattern: keyForm.pattern },
      additionalProperties: { type: 'string' },
      default: {},
    },
    fallback: new Map(),
    suffix: '',
    read(value, place, otherwise) {
      if (!isConfigObject(value)) {
        place.expected('an object', value, describeKind);
        return otherwise;
      }
      const texts = new Map<string, string>();
      for (const [key, element] of value) {
        if (!isText(key, keyForm)) place.at(key).report(`expected the key to be ${keyForm.what}`);
        if (typeof element === 'string') texts.set(key, element);
        else place.at(key).expected('a text in quotes', element, describeKind);
      }
      return texts;
    },
  };
}

/** Objects by key, each to be read with `inner` later, when the defaults it builds upon are known. */
export function objectMap(
  inner: Option<unknown>,
  schema: JsonObject,
  description: string,
): Option<ConfigObject, ''> {
  return {
    schema: { description, type: 'object', additionalProperties: inner.schema, ...schema },
    fallback: new Map(),
    suffix: '',
    read(value, place, otherwise) {
      if (isConfigObject(value)) return value;
      place.expected('an object', value, describeKind);
      return otherwise;
    },
  };
}

function isList(value: ConfigValue): value is readonly ConfigValue[] {
  return Array.isArray(value);
}
