import { expect, it } from 'vitest';
import { Place } from '../../../src/config/place.js';

it('writes paths as one would in a program', () => {
  const root = Place.root('g.json', []);
  expect(root.at('mcpServers').at('text-stats').at('args').at(0).path).toBe('mcpServers.text-stats.args[0]');
  expect(root.at('mcpServers').at('my server').at('cwd').path).toBe('mcpServers["my server"].cwd');
  expect(root.at('a.b').path).toBe('["a.b"]');
});
