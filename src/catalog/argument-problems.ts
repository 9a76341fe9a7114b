import type { ErrorObject } from 'ajv';
import { isJsonObject } from '../protocol/json.js';

/** Problems told at once: more than a model needs to mend one call. */
const maxProblems = 10;
/** Longest text of a value that is quoted back, in characters: enough to recognise it. */
const maxValueLength = 60;
/** Values and names enumerated in one sentence. */
const maxEnumerated = 25;

/** One sentence per error, such that a model can mend its call: where, what was expected, what came. */
export function describeProblems(errors: readonly ErrorObject[]): readonly string[] {
  const problems = errors.slice(0, maxProblems).map(describeProblem);
  if (errors.length > maxProblems) problems.push(`and ${errors.length - maxProblems} more problems`);
  return problems;
}

/** `string "five"`, `number 5`, `array of 3`, `null`: the kind of a value and enough to recognise it. */
export function describeValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `array of ${value.length}`;
  if (typeof value === 'object') return 'object';
  return `${typeof value} ${quote(value)}`;
}

function describeProblem(error: ErrorObject): string {
  const path = readPointer(error.instancePath);
  const { data, params } = error;
  switch (error.keyword) {
    case 'required':
      return `${place([...path, params.missingProperty])}: required, but missing`;
    case 'additionalProperties':
      return `${place([...path, params.additionalProperty])}: not known${knownProperties(error)}`;
    case 'unevaluatedProperties':
      return `${place([...path, params.unevaluatedProperty])}: not known`;
    case 'type':
      return `${place(path)}: expected ${[params.type].flat().join(' or ')}, got ${describeValue(data)}`;
    case 'enum':
      return `${place(path)}: expected one of ${enumerate(params.allowedValues)}, got ${describeValue(data)}`;
    case 'const':
      return `${place(path)}: expected ${quote(params.allowedValue)}, got ${describeValue(data)}`;
    default:
      return `${place(path)}: ${error.message}, got ${describeValue(data)}`;
  }
}

function knownProperties(error: ErrorObject): string {
  const known: unknown = error.parentSchema?.properties;
  if (!isJsonObject(known) || Object.keys(known).length === 0) return '';
  return `; known are ${enumerate(Object.keys(known))}`;
}

/** The reference tokens of a JSON pointer. [RFC 6901 § 4] */
function readPointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function place(path: readonly string[]): string {
  return path.length === 0 ? 'arguments' : `property ${quote(path.join('.'))}`;
}

function enumerate(values: readonly unknown[]): string {
  const named = values.slice(0, maxEnumerated).map(quote).join(', ');
  return values.length > maxEnumerated ? `${named}, …` : named;
}

function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text;
}
