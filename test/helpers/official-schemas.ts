import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv, type AnySchemaObject, type ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { default as addFormats } from 'ajv-formats';

/** The unions in which the schemas list all messages of one direction and kind. */
export type MessageUnion = 'ClientRequest' | 'ClientNotification' | 'ServerRequest' | 'ServerNotification';

/** The official message schema of one revision. */
export interface OfficialSchema {
  has(definition: string): boolean;
  /** What is wrong with a value by the definition of that name; empty for nothing. */
  problems(definition: string, value: unknown): string[];
  /** The definition of the request or notification of that method. */
  definitionOf(method: string): string | undefined;
  /** The methods of all messages of one direction and kind. */
  methods(union: MessageUnion): string[];
}

const folder =
  process.env.MCP_SCHEMA_DIR ?? fileURLToPath(new URL('../../../shared/mcp-schema', import.meta.url));

/** Why tests that need the schemas cannot run here, or nothing if they can. They are no part of the repository. */
export const schemasAreMissing = existsSync(folder)
  ? undefined
  : `the official message schemas are not at ${folder}; set MCP_SCHEMA_DIR to the folder that holds them`;

const read = new Map<string, OfficialSchema>();

/** @throws when the schemas are missing. */
export function officialSchema(revision: string): OfficialSchema {
  const known = read.get(revision);
  if (known !== undefined) return known;
  const text = readFileSync(join(folder, revision, 'schema.json'), 'utf8');
  const made = fromDocument(JSON.parse(text) as AnySchemaObject);
  read.set(revision, made);
  return made;
}

function fromDocument(document: AnySchemaObject): OfficialSchema {
  // Draft-07 up to 2025-06-18, 2020-12 from then on.
  const place = '$defs' in document ? '$defs' : 'definitions';
  const ajv = place === '$defs' ? new Ajv2020({ strict: false }) : new Ajv({ strict: false });
  addFormats.default(ajv);
  // `byte` stands for base64 there; any text passes, since checking it is not what these tests are about.
  ajv.addFormat('byte', true);
  ajv.addSchema(document, 'mcp');
  const definitions = document[place] as Readonly<Record<string, AnySchemaObject>>;
  return {
    has: (definition) => definition in definitions,
    problems(definition, value) {
      const check = ajv.getSchema(`mcp#/${place}/${definition}`);
      if (check === undefined) return [`the revision has no ${definition}`];
      return check(value) === true ? [] : (check.errors ?? []).map((error) => sentence(definition, error));
    },
    definitionOf: (method) =>
      Object.entries(definitions).find(([, { properties }]) => properties?.method?.const === method)?.[0],
    methods(union) {
      const definition = definitions[union];
      // The one notification of a modern client stands in the place of their union; modern servers ask nothing.
      const members = definition?.anyOf?.map(({ $ref }: { $ref: string }) => definitions[nameOf($ref)]);
      return [...(members ?? [definition])].flatMap((member) => member?.properties.method.const ?? []);
    },
  };
}

function nameOf($ref: string): string {
  return $ref.split('/').at(-1) ?? '';
}

function sentence(definition: string, { instancePath, message, params }: ErrorObject): string {
  return `${definition}${instancePath} ${message} ${JSON.stringify(params)}`;
}
