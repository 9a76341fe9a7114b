import { createHash } from 'node:crypto';
import type { ErrorObject } from 'ajv';
import type { Entry } from '../protocol/listing.js';
import { memberSpans } from '../protocol/walk.js';
import type { BackendKey } from '../shared/ids.js';
import { describeProblems, describeValue } from './argument-problems.js';
import { type ArgumentSchema, compileArgumentSchema } from './argument-schema.js';
import { TimeAllowance } from './time-allowance.js';
import { withTimeLimit } from './time-limit.js';

type ArgumentCheck =
  | { readonly ok: true }
  /** One sentence per problem, for a person or a model who has to mend the call. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** A tool whose arguments are not checked, by the backend's name for it, and why. */
export interface Unchecked {
  readonly backend: BackendKey;
  readonly tool: string;
  readonly reason: string;
}

export interface ArgumentChecker {
  /**
   * Holds the arguments of a call against the tool's input schema. Never throws.
   *
   * Passes what it cannot judge: tools whose schema is unusable (with one warning), arguments of more than 256 KiB,
   * and, while a backend's schemas have taken more than a tenth of the time, those that may take long. The backend
   * checks them anyway. Numbers are compared as JavaScript reads them: two integers beyond
   * 2^53 that round to the same number count as equal, which matters to `exclusiveMinimum`, `exclusiveMaximum`
   * and `uniqueItems` alone.
   *
   * @param tool as `backend` listed it.
   * @param argumentsText the exact JSON text of `params.arguments`; missing arguments count as `{}`.
   */
  check(backend: BackendKey, tool: Entry, argumentsText: Buffer | undefined): ArgumentCheck;
  /** Loads the validator, so that the first call need not; for a quiet moment after start-up. */
  warmUp(): void;
}

/** Compiled schemas kept; each holds about 5 to 50 KiB. */
const maxSchemas = 500;
/** Largest arguments that are parsed, in bytes: a megabyte would hold up everybody for 2 ms and more. */
const maxCheckedBytes = 256 * 1024;
/** Arguments up to this size, in bytes, are checked without a time limit unless the schema is costly. */
const maxUnlimitedBytes = 4 * 1024;
/** Limit on one check, in milliseconds; beyond it the schema counts as unusable. A usual one takes microseconds. */
const checkLimitMs = 250;

const openBrace = 0x7b;
const noArguments = Buffer.from('{}');
const passed: ArgumentCheck = { ok: true };

export interface ArgumentCheckerOptions {
  readonly warn: (unchecked: Unchecked) => void;
  readonly now: () => number;
}

/**
 * Makes a checker whose schemas are compiled on first use and cached by their text.
 *
 * @param options.warn hears once of every schema that cannot be used, and why.
 * @param options.now the time in milliseconds
 */
export function createArgumentChecker({ warn, now }: ArgumentCheckerOptions): ArgumentChecker {
  const schemas = new Map<string, ArgumentSchema>();
  const allowances = new Map<BackendKey, TimeAllowance>();
  const schemaKeys = new WeakMap<Entry, string>();

  function schemaOf(backend: BackendKey, tool: Entry, key: string): ArgumentSchema {
    const known = schemas.get(key);
    if (known !== undefined) return known;
    const schema = compileArgumentSchema(schemaText(tool));
    remember(backend, tool, key, schema);
    return schema;
  }

  function remember(backend: BackendKey, tool: Entry, key: string, schema: ArgumentSchema): void {
    if (schema.kind === 'unchecked') warn({ backend, tool: tool.identifier, reason: schema.reason });
    const [oldest] = schemas.keys();
    if (schemas.size >= maxSchemas && oldest !== undefined) schemas.delete(oldest);
    schemas.set(key, schema);
  }

  function keyOf(tool: Entry): string {
    const known = schemaKeys.get(tool);
    if (known !== undefined) return known;
    const key = createHash('sha256')
      .update(schemaText(tool) ?? '')
      .digest('base64');
    schemaKeys.set(tool, key);
    return key;
  }

  /** The errors of a check that may take long; none when the backend's schemas have taken too much time already. */
  function slowErrors(backend: BackendKey, schema: CheckedSchema, value: unknown): readonly ErrorObject[] {
    const allowance = allowances.get(backend) ?? new TimeAllowance();
    allowances.set(backend, allowance);
    const beganMs = now();
    if (!allowance.lasts(beganMs)) return [];
    try {
      return withTimeLimit(checkLimitMs, () => schema.errorsOf(value));
    } finally {
      allowance.spend(beganMs, now());
    }
  }

  return {
    check(backend, tool, argumentsText = noArguments) {
      const key = keyOf(tool);
      const schema = schemaOf(backend, tool, key);
      if (schema.kind === 'unchecked' || argumentsText.length > maxCheckedBytes) return passed;
      if (argumentsText[0] !== openBrace) return refuseNoObject(argumentsText);
      if (schema.kind === 'any-object') return passed;
      try {
        const isSlow = schema.costly || argumentsText.length > maxUnlimitedBytes;
        const parsed: unknown = JSON.parse(argumentsText.toString());
        return verdictOf(isSlow ? slowErrors(backend, schema, parsed) : schema.errorsOf(parsed));
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error);
        remember(backend, tool, key, {
          kind: 'unchecked',
          reason: `checking them against its inputSchema failed: ${problem}`,
        });
        return passed;
      }
    },
    warmUp() {
      compileArgumentSchema(Buffer.from('{"type":"object","required":["any"]}'));
    },
  };
}

type CheckedSchema = Extract<ArgumentSchema, { kind: 'checked' }>;

function verdictOf(errors: readonly ErrorObject[]): ArgumentCheck {
  return errors.length === 0 ? passed : { ok: false, problems: describeProblems(errors) };
}

function refuseNoObject(argumentsText: Buffer): ArgumentCheck {
  const value: unknown = JSON.parse(argumentsText.toString());
  return { ok: false, problems: [`arguments: expected object, got ${describeValue(value)}`] };
}

function schemaText(tool: Entry): Buffer | undefined {
  const span = memberSpans(tool.text, { start: 0, end: tool.text.length }, ['inputSchema']).inputSchema;
  return span === undefined ? undefined : tool.text.subarray(span.start, span.end);
}
