import { createRequire } from 'node:module';
import type { ErrorObject, Options, ValidateFunction } from 'ajv';
import { isJsonObject, type Json, type JsonObject } from '../protocol/json.js';
import { withTimeLimit } from './time-limit.js';

/** What a tool's input schema asks of arguments. */
export type ArgumentSchema =
  /** Cannot be used; arguments pass. */
  | { readonly kind: 'unchecked'; readonly reason: string }
  /** Any JSON object will do, so arguments need not be parsed. */
  | { readonly kind: 'any-object' }
  | {
      readonly kind: 'checked';
      /** The errors in `value`; none when it fits. */
      readonly errorsOf: (value: unknown) => readonly ErrorObject[];
      /** How long checking takes can depend on more than the size of the arguments. */
      readonly costly: boolean;
    };

/** Longest schema that is compiled, in bytes: a larger one would hold up everybody for a good second. */
const maxSchemaBytes = 256 * 1024;
/** Longest quotation of a schema or of what is wrong with it in a warning, in characters. */
const maxQuoted = 200;
/** Limit on compiling one schema, in milliseconds; a usual one takes about one. */
const compileLimitMs = 1000;

/**
 * Loads ajv on first use, because it takes 20 ms that the start of the gateway can do without; with `require`,
 * because a call that waits for its check cannot wait for a promise.
 */
const require = createRequire(import.meta.url);

const options: Options = {
  // Backends' schemas hold keywords and formats that ajv does not know; those ask nothing.
  strict: false,
  validateFormats: false,
  logger: false,
  // Compiling refuses bad keywords by itself; the meta-schema would cost 60 ms more.
  meta: false,
  validateSchema: false,
  // A model mends all problems in one go when it hears of all of them, with the values it sent.
  allErrors: true,
  verbose: true,
  // An argument named `toString` is there only if the client sent it.
  ownProperties: true,
  // 1e400 is a number, although here it can only be read as infinity.
  strictNumbers: false,
  // 0.07 is a multiple of 0.01, although the division leaves a rest.
  multipleOfPrecision: 6,
};

/**
 * Reads and compiles the text of an `inputSchema` (`undefined` when the tool has none) on its own, so that equal
 * `$id`s of two tools do not meet. JSON Schema 2020-12 unless `$schema` declares draft-07 (or its subset,
 * draft-06). Nothing is loaded from elsewhere: a `$ref` that leaves the schema makes it unusable. Never throws.
 */
export function compileArgumentSchema(text: Buffer | undefined): ArgumentSchema {
  if (text === undefined) return unchecked('it has no inputSchema');
  if (text.length > maxSchemaBytes) {
    return unchecked(`its inputSchema has ${text.length} bytes, more than ${maxSchemaBytes}`);
  }
  try {
    return read(JSON.parse(text.toString()));
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return unchecked(`its inputSchema does not compile: ${problem.slice(0, maxQuoted)}`);
  }
}

function read(schema: Json): ArgumentSchema {
  if (!isJsonObject(schema)) return unchecked(`its inputSchema is ${quote(schema)}, not an object`);
  const { $schema: dialect, ...rest } = schema;
  if (!allowsObjects(rest)) {
    return unchecked(`its inputSchema is of type ${quote(rest.type)}, and arguments are an object`);
  }
  if (asksNothing(rest)) return { kind: 'any-object' };
  const Validator = validatorFor(dialect);
  if (Validator === undefined) {
    return unchecked(`its inputSchema declares a dialect that is not known here: ${quote(dialect)}`);
  }
  const validate: ValidateFunction = withTimeLimit(compileLimitMs, () =>
    new Validator(options).compile(rest),
  );
  if ('$async' in validate) return unchecked('its inputSchema is asynchronous');
  return {
    kind: 'checked',
    costly: isCostly(rest),
    errorsOf(value) {
      validate(value);
      const errors = validate.errors ?? [];
      // The errors hold the value, which must not stay in memory until the next call.
      validate.errors = null;
      return errors;
    },
  };
}

function validatorFor(dialect: Json | undefined) {
  if (dialect === undefined || /2020-12/.test(String(dialect))) {
    return (require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')).Ajv2020;
  }
  if (/draft-0[67]/.test(String(dialect))) return (require('ajv') as typeof import('ajv')).Ajv;
  return undefined;
}

/** MCP demands `"type": "object"`; without any type it is taken as meant. [MCP 2025-11-25 tools § Tool] */
function allowsObjects({ type }: JsonObject): boolean {
  return type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
}

const annotations = new Set(['type', '$id', '$comment', 'title', 'description', 'examples', 'default']);

/** Whether the schema lets every object through, told from its outermost keywords alone. */
function asksNothing(schema: JsonObject): boolean {
  return Object.entries(schema).every(([keyword, value]) => {
    switch (keyword) {
      case 'properties':
        return isJsonObject(value) && Object.keys(value).length === 0;
      case 'required':
        return Array.isArray(value) && value.length === 0;
      case 'additionalProperties':
        return value === true || (isJsonObject(value) && Object.keys(value).length === 0);
      default:
        return annotations.has(keyword);
    }
  });
}

/** Regular expressions backtrack, `uniqueItems` compares all pairs, references can recurse in every branch. */
function isCostly(schema: JsonObject): boolean {
  return /"(?:pattern|\$ref|\$dynamicRef|\$recursiveRef)":"|"patternProperties":\{|"uniqueItems":true/.test(
    JSON.stringify(schema),
  );
}

function unchecked(reason: string): ArgumentSchema {
  return { kind: 'unchecked', reason };
}

function quote(value: Json | undefined): string {
  return String(JSON.stringify(value)).slice(0, maxQuoted);
}
