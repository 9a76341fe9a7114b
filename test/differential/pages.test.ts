import { describe, expect, it } from 'vitest';
import { startGateway } from '../helpers/gateway-process.js';
import { type Conversation, converse } from './conversation.js';
import { listAll } from './everything-it-offers.js';
import { type Naming, ownNaming } from './naming.js';
import { publishedServers } from './published-servers.js';
import { straight, throughGateway } from './sides.js';

const lists = [
  ['tools/list', 'tools'],
  ['prompts/list', 'prompts'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
] as const;

async function listEverything(talk: Conversation): Promise<object[]> {
  const all: object[] = [];
  for (const [method, member] of lists) all.push(...(await listAll(talk, method, member)));
  return all;
}

describe('lists in pages', () => {
  it('give what the server gives on one page, in the same order', async () => {
    const entry = publishedServers.find(({ name }) => name === 'everything')?.start('');
    if (entry === undefined) throw new Error('the table has no server-everything');
    const settings = { revision: '2025-11-25', capabilities: {} };
    const naming: Naming = { namespace: '', uris: 'original', backend: 'e' };
    const mcpServers = { e: { ...entry, namespace: '', sharing: 'per-client' } };
    await using gateway = await startGateway({ config: { mcpServers, catalog: { pageSize: 3 } } });
    await using one = await straight(entry, settings);
    await using other = await throughGateway(gateway.url, settings);
    expect(await listEverything(converse(other, naming, ''))).toEqual(
      await listEverything(converse(one, ownNaming, '')),
    );
    const pages = (steps: readonly { title: string }[]) =>
      lists.map(([method]) => steps.filter(({ title }) => title.startsWith(method)).length);
    expect(pages(one.tape.steps)).toEqual([1, 1, 1, 1]);
    expect(pages(other.tape.steps)).toEqual([5, 2, 3, 1]);
  });
});
