import { isJsonObject, type JsonObject } from '../../src/protocol/json.js';
import { quote } from './quote.js';
import type { ObjectSchema, ValueSchema } from './schema.js';

/**
 * What is wrong with a call's arguments and what the tool takes instead, or `undefined` when nothing is
 * wrong. Names one problem per argument, so that the text stays short however many items a list has.
 */
export function checkArguments(tool: string, schema: ObjectSchema, input: JsonObject): string | undefined {
  const problems = [...membersProblems(schema, input, '')];
  if (problems.length === 0) return undefined;
  return `invalid arguments for tool "${tool}": ${problems.join('; ')}. ${signature(schema)}`;
}

function* membersProblems(schema: ObjectSchema, value: JsonObject, prefix: string): Generator<string> {
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(value, name)) yield `"${prefix}${name}" is missing`;
  }
  for (const [name, property] of Object.entries(schema.properties)) {
    if (!Object.hasOwn(value, name)) continue;
    const problem = valueProblem(property, value[name], `${prefix}${name}`);
    if (problem !== undefined) yield problem;
  }
  if (schema.additionalProperties !== false) return;
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(schema.properties, name));
  if (unknown !== undefined) yield `${quote(`${prefix}${unknown}`)} is not an argument of this tool`;
}

function valueProblem(schema: ValueSchema, value: unknown, path: string): string | undefined {
  const mismatch = () => `"${path}" must be ${expectation(schema)}, got ${quote(value)}`;
  switch (schema.type) {
    case 'string':
      if (typeof value !== 'string') return mismatch();
      return schema.enum === undefined || schema.enum.includes(value) ? undefined : mismatch();
    case 'number':
    case 'integer': {
      const { type, minimum = -Number.MAX_VALUE, maximum = Number.MAX_VALUE } = schema;
      // JSON can spell numbers such as 1e400 that are infinite once read; the bounds exclude them.
      const fits = typeof value === 'number' && value >= minimum && value <= maximum;
      return fits && (type === 'number' || Number.isInteger(value)) ? undefined : mismatch();
    }
    case 'boolean':
      return typeof value === 'boolean' ? undefined : mismatch();
    case 'array':
      if (!Array.isArray(value) || value.length < (schema.minItems ?? 0)) return mismatch();
      return firstItemProblem(schema.items, value, path);
    case 'object': {
      if (!isJsonObject(value)) return mismatch();
      const [problem] = membersProblems(schema, value, `${path}.`);
      return problem;
    }
  }
}

function firstItemProblem(items: ValueSchema, values: readonly unknown[], path: string): string | undefined {
  for (const [index, value] of values.entries()) {
    const problem = valueProblem(items, value, `${path}[${index}]`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function expectation(schema: ValueSchema): string {
  switch (schema.type) {
    case 'string':
      return schema.enum === undefined ? 'a string' : `one of ${schema.enum.map(quote).join(', ')}`;
    case 'number':
    case 'integer':
      return `a finite ${schema.type}${bounds(schema)}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return `an array${schema.minItems === undefined ? '' : ` of at least ${schema.minItems}`}`;
    case 'object':
      return 'an object';
  }
}

function bounds({ minimum, maximum }: { readonly minimum?: number; readonly maximum?: number }): string {
  const from = minimum === undefined ? '' : ` from ${minimum}`;
  return maximum === undefined ? from : `${from} up to ${maximum}`;
}

function signature(schema: ObjectSchema): string {
  const takes = Object.entries(schema.properties).map(([name, property]) => {
    const need = schema.required?.includes(name) ? '' : 'optional, ';
    return `"${name}" (${need}${expectation(property)})`;
  });
  return takes.length === 0 ? 'The tool takes no arguments' : `The tool takes ${takes.join(', ')}`;
}
