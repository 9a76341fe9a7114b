import { isJsonObject, type Json, type JsonObject } from '../protocol/json.js';
import { options } from './options.js';

/** The JSON Schema of the configuration file, for editors, with one example that spells out every default. */
export function configSchema(): JsonObject {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'mcp-switchboard configuration',
    ...options.schema,
    examples: [
      { ...defaultsOf(options.schema), mcpServers: { files: { command: 'node', args: ['server.js'] } } },
    ],
  };
}

/** The defaults that a schema of an object states, as they would be written. */
function defaultsOf(schema: JsonObject): JsonObject {
  const { properties } = schema;
  if (!isJsonObject(properties)) return {};
  const members = Object.entries(properties).flatMap(([name, property]): [string, Json][] => {
    if (!isJsonObject(property)) return [];
    if (isJsonObject(property.properties)) return [[name, defaultsOf(property)]];
    return property.default === undefined ? [] : [[name, property.default]];
  });
  return Object.fromEntries(members);
}
