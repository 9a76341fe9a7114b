import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { backendOptions } from '../../../src/config/backend-options.js';
import { configExample } from '../../../src/config/example.js';
import { loadSettings } from '../../../src/config/load.js';
import { options } from '../../../src/config/options.js';
import { isJsonObject } from '../../../src/protocol/json.js';

const file = 'config/example.jsonc';

function namesIn(schema: unknown): string[] {
  if (!isJsonObject(schema) || !isJsonObject(schema.properties)) return [];
  return Object.entries(schema.properties).flatMap(([name, property]) => [name, ...namesIn(property)]);
}

describe(file, () => {
  it('is what the options table says; if not, run "npm run schema"', () => {
    expect(readFileSync(file, 'utf8')).toBe(configExample());
  });

  it('says nothing but the defaults', () => {
    const { backends, ...top } = loadSettings(file, { env: {} });
    const { backends: plain, ...defaults } = loadSettings('config/gateway.json', { env: {} });
    expect(top).toEqual(defaults);
    const own = ({ key, namespace, command, args, cwd, ...rest }: (typeof backends)[number]) => rest;
    expect(backends.map(own)).toEqual(plain.slice(0, 1).map(own));
  });

  it.each([...namesIn(options.schema), ...namesIn(backendOptions.schema)].filter(isShown))(
    'shows "%s"',
    (name) => {
      expect(configExample()).toContain(`"${name}":`);
    },
  );
});

/** What is accepted only because desktop clients' files have it. */
function isShown(name: string): boolean {
  const foreign = [
    'name',
    'description',
    'autoApprove',
    'alwaysAllow',
    'trust',
    'timeout',
    'headers',
    'oauth',
  ];
  return !foreign.includes(name);
}
