import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/config-file.js';
import { eventually } from '../../helpers/eventually.js';
import { type GatewayProcess, startGateway } from '../../helpers/gateway-process.js';
import { invalidMessages } from '../../helpers/message-validity.js';
import { schemasAreMissing } from '../../helpers/official-schemas.js';
import { tapped, tappedFrames } from '../../helpers/tapped.js';
import { type ServerHas, useEverything, useWrongly } from '../everything-it-offers.js';
import { type Naming, ownNaming, shownUri, withLocalNames } from '../naming.js';
import { members, normalised, type Volatile } from '../normalise.js';
import { ownServers } from '../published-servers.js';
import type { ServerUnderTest } from '../server-under-test.js';
import type { TapeEvent, TapeStep } from '../tape.js';
import { converse, type ModernTalk, revision, straight, throughGateway } from './sides.js';

/*
 * One conversation is held twice in the modern era: with the server alone over stdio, and through the gateway. All that
 * the client receives must be the same, but for what follows.
 *
 * - `server/discover` is the gateway's, and so are lists: it names itself there, and says that they must not be kept.
 * - Names and URIs as in the legacy era.
 * - `list_changed` may be heard less often: the gateway gathers them. Where one matters, the script waits for it.
 */
const path = fileURLToPath(new URL('../../fixtures/modern/everything.mjs', import.meta.url));
const watched = 'test://watched-resource';
const levels = ['debug', 'info', 'notice', 'error'];

const everything: ServerUnderTest & { readonly play?: (talk: ModernTalk) => Promise<void> } = {
  name: 'everything',
  start: () => ({ command: process.execPath, args: [path] }),
  calls: () => ({
    // Changes what others hear of; the scene waits for it.
    test_trigger_tool_change: [],
    test_trigger_prompt_change: [],
    // Asks again and again whoever knows no tasks.
    test_tool_with_task: [],
    json_schema_2020_12_tool: [
      { name: 'Ada', email: 'a@example.com' },
      { contactMethod: 'phone', phone: '1' },
    ],
  }),
  prompts: { test_prompt_with_embedded_resource: { resourceUri: 'test://static-text' } },
  play,
};
const servers: readonly (typeof everything)[] = [everything, ...ownServers];

const volatile: readonly Volatile[] = [
  members('states are sealed with a key of each process', /^requestState$/, () => '<state>'),
  {
    why: 'lists are the gateway’s own messages',
    level: (event) =>
      'result' in event && /(\/list|server\/discover)$/.test(event.answer) ? withoutMakers(event) : event,
  },
];

function withoutMakers(event: TapeEvent & { result: unknown }): TapeEvent {
  const { ttlMs: _ttl, cacheScope: _scope, _meta, ...rest } = event.result as Record<string, unknown>;
  return { ...event, result: rest };
}

async function play(talk: ModernTalk): Promise<void> {
  const { tape, client, naming } = talk;
  for (const level of levels) await talk.logged('test_logging_tool', level);
  await talk.call('test_tool_with_progress', {}, { onprogress: () => undefined });

  const stop = new AbortController();
  const held = talk.call('hold', {}, { signal: stop.signal, onprogress: () => stop.abort('enough') });
  await expect(held).rejects.toThrow();
  await tape.unrecorded(() =>
    eventually('the cancellation', async () => {
      const { content } = (await talk.call('fates')) as { content: { text: string }[] };
      return content[0]?.text === '1';
    }).then(() => undefined),
  );

  tape.step('two streams');
  const uri = shownUri(naming, watched);
  const changes = tape.changes('tools');
  const stream = await client.listen({ toolsListChanged: true, resourceSubscriptions: [uri] });
  const other = await client.listen({ promptsListChanged: true });
  await talk.call('touch', { uri: 'test://static-text' });
  await talk.call('touch', { uri: watched });
  await tape.until(
    'the update',
    (event) => 'notice' in event && event.notice === 'notifications/resources/updated',
  );
  await talk.call('test_trigger_tool_change');
  await tape.changed('tools', changes);
  await talk.ask('tools/list');
  await talk.call('test_trigger_prompt_change');
  await tape.changed('prompts', 0);
  await other.close();
  await stream.close();
  await talk.call('touch', { uri: watched });
}

async function hold(talk: ModernTalk, server: typeof everything, has: ServerHas, wrongly: boolean) {
  await useEverything(talk, server, has);
  if (wrongly) await useWrongly(talk);
  await server.play?.(talk);
  return JSON.parse(JSON.stringify(talk.tape.steps).replaceAll(talk.folder, '<folder>')) as TapeStep[];
}

const variants = [
  { sharing: 'per-client', names: 'bare', validateArguments: false },
  { sharing: 'shared', names: 'qualified', validateArguments: true },
] as const;

describe.each(variants)('$sharing, under $names names', ({ sharing, names, validateArguments }) => {
  const root = temporaryFolder();
  const folderOf = ({ name }: ServerUnderTest, side: string) => join(root.path, side, name);
  const tapOf = ({ name }: ServerUnderTest) => join(root.path, `${name}.tap`);
  const naming = names === 'bare' ? { namespace: '' } : { uris: 'prefixed' };
  let gateways: Map<string, GatewayProcess>;

  const gatewayFor = (some: readonly ServerUnderTest[]) =>
    startGateway({
      config: {
        mcpServers: Object.fromEntries(
          some.map((server) => {
            const cwd = folderOf(server, 'through');
            const entry = tapped(tapOf(server), { ...server.start(cwd), cwd });
            return [server.name, { ...entry, sharing, validateArguments, ...naming }];
          }),
        ),
      },
    });

  beforeAll(async () => {
    for (const server of servers) {
      for (const side of ['alone', 'through']) mkdirSync(folderOf(server, side), { recursive: true });
    }
    // Bare names would meet, so each server has a gateway of its own then.
    if (names === 'bare') {
      const started = servers.map(async (server) => [server.name, await gatewayFor([server])] as const);
      gateways = new Map(await Promise.all(started));
    } else {
      const one = await gatewayFor(servers);
      gateways = new Map(servers.map(({ name }) => [name, one]));
    }
  });
  afterAll(async () => {
    for (const gateway of new Set(gateways.values())) await gateway[Symbol.asyncDispose]();
    root[Symbol.dispose]();
  });

  it.each(servers.map((server) => [server.name, server] as const))(
    '%s is the same through the gateway',
    { timeout: 60_000 },
    async (name, server) => {
      const alone = folderOf(server, 'alone');
      await using one = await straight({ ...server.start(alone), cwd: alone });
      await using other = await throughGateway(gateways.get(name)?.url ?? '');
      const { resources, logging: _logging, ...others } = one.client.getServerCapabilities() ?? {};
      const has = { ...others, ...(resources && { resources: {} }), ping: false };
      const shown: Naming = {
        namespace: names === 'bare' ? '' : name,
        uris: names === 'bare' || resources === undefined ? 'original' : 'prefixed',
        backend: name,
      };
      const [ownSteps, steps] = await Promise.all([
        hold(converse(one, ownNaming, alone), server, has, !validateArguments),
        hold(converse(other, shown, folderOf(server, 'through')), server, has, !validateArguments),
      ]);
      const level = (taped: readonly TapeStep[]) => normalised(taped.slice(1), volatile);
      expect(level(withLocalNames(steps, shown))).toEqual(level(ownSteps));
      if (schemasAreMissing !== undefined) return;
      expect(invalidMessages(other.frames, revision, 'server')).toEqual([]);
      expect(invalidMessages(tappedFrames(tapOf(server)), revision, 'client')).toEqual([]);
    },
  );
});
