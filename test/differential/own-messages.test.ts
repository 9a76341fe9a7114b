import { beforeEach, describe, expect, it } from 'vitest';
import { atLeast, legacyRevisions } from '../../src/protocol/revisions.js';
import { startGateway } from '../helpers/gateway-process.js';
import { schemasAreMissing } from '../helpers/official-schemas.js';
import { connectClient } from '../helpers/test-client.js';
import { publishedServers } from './published-servers.js';
import { invalidFrames } from './schema-validity.js';
import type { Frames } from './sides.js';

beforeEach((context) => {
  context.skip(schemasAreMissing !== undefined, schemasAreMissing);
});

/** Requests that the gateway answers itself, mostly because something is wrong with them. */
const requests: readonly (readonly [method: string, params?: object])[] = [
  ['ping'],
  ['initialize', { protocolVersion: '2025-06-18' }],
  ['no/such/method'],
  ['tools/list'],
  ['tools/list', { cursor: 'none of ours' }],
  ['tools/call', { name: 'nothing__here', arguments: {} }],
  ['tools/call', {}],
  ['tools/call', { name: 'everything__get-sum', arguments: { a: 'one' } }],
  ['prompts/list', {}],
  ['prompts/get', { name: 'nothing__here' }],
  ['resources/list'],
  ['resources/templates/list'],
  ['resources/read', { uri: 'nothing://here' }],
  ['resources/read', {}],
  ['resources/subscribe', { uri: 'nothing://here' }],
  ['resources/unsubscribe', { uri: 'nothing://here' }],
  [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'nothing__here' }, argument: { name: 'a', value: '' } },
  ],
  ['completion/complete', {}],
  ['logging/setLevel', { level: 'loud' }],
  ['logging/setLevel', { level: 'debug' }],
  ['tasks/list'],
  ['tasks/get', { taskId: 'nothing' }],
  ['tasks/result', { taskId: 'nothing' }],
  ['tasks/cancel', { taskId: 'nothing' }],
];

/** Messages whose id cannot be read, or that are none. */
const broken = ['{"jsonrpc":', '{"jsonrpc":"2.0","id":null,"method":"ping"}', '7', '[]'];

describe('what the gateway itself says', () => {
  it.each(legacyRevisions)('is valid for a client on %s', async (revision) => {
    const everything = publishedServers.find(({ name }) => name === 'everything');
    if (everything === undefined) throw new Error('the table has no server-everything');
    await using gateway = await startGateway({
      config: { mcpServers: { everything: everything.start('') } },
    });
    await using client = await connectClient(gateway.url);
    const frames: Frames = [];
    const send = (text: string) => {
      frames.push({ from: 'client', text });
      client.send(text);
    };
    client.socket.on('message', (data) => frames.push({ from: 'server', text: String(data) }));
    const ask = async (id: number, method: string, params?: object) => {
      send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      await client.next((message) => message.id === id);
    };

    const clientInfo = { name: 'raw', version: '0' };
    await ask(0, 'initialize', { protocolVersion: revision, capabilities: {}, clientInfo });
    send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    for (const [index, [method, params]] of requests.entries()) await ask(index + 1, method, params);
    // Batches are of one revision alone; the others get an error for them, under no id.
    const hasBatches = revision === '2025-03-26';
    send(
      '[{"jsonrpc":"2.0","id":"b1","method":"ping"},{"jsonrpc":"2.0","id":"b2","method":"no/such/method"}]',
    );
    await client.next(({ raw, method }) => method === undefined && raw.startsWith('[') === hasBatches);
    for (const text of broken) {
      client.send(text);
      await client.next(({ method }) => method === undefined);
    }

    const invalid = invalidFrames(frames, revision);
    expect(invalid.filter(({ frame }) => !frame.includes('"id":null'))).toEqual([]);
    // Before 2025-11-25 an error for a message whose id cannot be read has no valid form.
    const withoutId = broken.length + (hasBatches ? 0 : 1);
    expect(invalid).toHaveLength(atLeast(revision, '2025-11-25') ? 0 : withoutId);
    expect(frames.filter(({ from }) => from === 'server').length).toBeGreaterThanOrEqual(requests.length + 6);
  });
});
