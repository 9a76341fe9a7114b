import { expect, it } from 'vitest';
import { scripted } from '../helpers/fixture-backend.js';
import { startGateway } from '../helpers/gateway-process.js';
import { openSession } from '../helpers/test-client.js';

it('lists and calls every tool, however odd its schema', async () => {
  const open = { type: 'object' };
  const tools = [
    { name: 'unknown-type', inputSchema: { type: 'unknown' } },
    { name: 'string-type', inputSchema: { type: 'string' } },
    {
      name: 'draft-07',
      inputSchema: open,
      outputSchema: { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' },
    },
    {
      name: 'unknown-format',
      inputSchema: { type: 'object', properties: { ip: { type: 'string', format: 'ipv9' } } },
    },
    {
      name: 'bad-pattern',
      inputSchema: { type: 'object', properties: { s: { type: 'string', pattern: '(' } } },
    },
    { name: 'same-id-1', inputSchema: { $id: 'urn:same', type: 'object' } },
    { name: 'same-id-2', inputSchema: { $id: 'urn:same', type: 'object', title: 'other' } },
    { name: 'remote-ref', inputSchema: { $ref: 'https://schemas.invalid/x.json' } },
    { name: 'no-schema' },
    { name: 'null-schema', inputSchema: null },
    { name: 'good', inputSchema: open },
  ];
  await using gateway = await startGateway({ config: { mcpServers: { b1: scripted({ tools }) } } });
  await using client = await openSession(gateway.url);
  expect(await client.toolNames()).toEqual(tools.map(({ name }) => `b1__${name}`));
  for (const { name } of tools) {
    expect(await client.callText(`b1__${name}`, { s: 'x', ip: 'y' })).toContain(`"called":"${name}"`);
  }
  const told = await gateway.waitForLog(({ tool }) => tool === 'remote-ref');
  expect(told).toMatchObject({ level: 'warn', msg: 'arguments are not checked', backend: 'b1' });
});
