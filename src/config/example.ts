import { isJsonObject, type JsonObject } from '../protocol/json.js';
import { backendDefaults } from './backend-options.js';
import { configSchema } from './schema.js';

const intro = [
  '// Every option of mcp-switchboard with its default, made from the same table as gateway.schema.json by',
  '// "npm run schema". Only "mcpServers" has to be there; options without a default are shown as comments.',
];

/** What stands for the one backend of the example. */
const sample: JsonObject = { command: 'node', args: ['server.js'] };

/** A configuration file with every option, its meaning and its default. */
export function configExample(): string {
  const lines = [
    ...intro,
    '{',
    '  "$schema": "./gateway.schema.json",',
    ...members(configSchema(), '  '),
    '}',
  ];
  return `${lines.join('\n')}\n`;
}

function members(schema: JsonObject, indent: string): string[] {
  return propertiesOf(schema).flatMap(([name, property]) => [
    ...comment(property, indent),
    ...member(name, property, indent),
  ]);
}

function member(name: string, property: JsonObject, indent: string): string[] {
  const key = `${indent}${JSON.stringify(name)}:`;
  if (isJsonObject(property.properties))
    return [`${key} {`, ...members(property, `${indent}  `), `${indent}},`];
  if (isJsonObject(property.additionalProperties) && property.default === undefined) {
    const inner = `${indent}    `;
    const own = backendMembers(property.additionalProperties, inner);
    return [`${key} {`, `${indent}  "files": {`, ...own, `${indent}  },`, `${indent}},`];
  }
  if (property.default !== undefined) return [`${key} ${JSON.stringify(property.default)},`];
  return [`${indent}// ${JSON.stringify(name)}: …`];
}

/** A backend's own options; those that also stand at the top level are shown there alone. */
function backendMembers(schema: JsonObject, indent: string): string[] {
  const own = propertiesOf(schema).filter(([name]) => !(name in backendDefaults));
  return [
    ...own.flatMap(([name, property]) => [
      ...comment(property, indent),
      ...(sample[name] === undefined
        ? member(name, property, indent)
        : [`${indent}${JSON.stringify(name)}: ${JSON.stringify(sample[name])},`]),
    ]),
    `${indent}// And ${Object.keys(backendDefaults).join(', ')}, which stand below as the default for all backends.`,
  ];
}

/** The options that do something: those that are accepted only to be ignored have no type. */
function propertiesOf({ properties }: JsonObject): [string, JsonObject][] {
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, property]): [string, JsonObject][] => {
    if (!isJsonObject(property) || name === '$schema') return [];
    return 'type' in property || 'enum' in property || 'anyOf' in property ? [[name, property]] : [];
  });
}

function comment({ description }: JsonObject, indent: string): string[] {
  return typeof description === 'string' ? [`${indent}// ${description}`] : [];
}
