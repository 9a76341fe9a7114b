import { beforeEach, describe, expect, it } from 'vitest';
import { schemasAreMissing } from '../helpers/official-schemas.js';
import { allCapabilities } from './capabilities.js';
import { holdBoth, openGateway } from './hold.js';
import { publishedServers } from './published-servers.js';
import { invalidFrames } from './schema-validity.js';
import type { Frames } from './sides.js';

beforeEach((context) => {
  context.skip(schemasAreMissing !== undefined, schemasAreMissing);
});

/** The conversation of the newest revision is held, for every server, by the differential test. */
const olderRevisions = ['2024-11-05', '2025-03-26', '2025-06-18'];
/** Which of the servers have something that the revisions differ in. */
const servers = publishedServers.filter(({ name }) => ['everything', 'memory', 'hello-world'].includes(name));
const rows = servers.flatMap((server) =>
  olderRevisions.map((revision) => [server.name, revision, server] as const),
);

/**
 * Content passes unchanged, also what is newer than the revision that the client asked for: server-everything sends
 * links and forms with lists to everybody. So what it says is held to what it says alone.
 */
const problems = (frames: Frames, revision: string) =>
  invalidFrames(frames, revision).map((invalid) => ({ ...invalid, frame: undefined }));

describe('every message from the gateway', () => {
  const variant = { sharing: 'per-client', names: 'qualified', validateArguments: true } as const;

  it.concurrent.each(rows)(
    'is valid for a client of %s on %s, as far as it is from the server alone',
    { timeout: 60_000 },
    async (_, revision, server) => {
      const settings = { revision, capabilities: allCapabilities(revision) };
      await using gateway = await openGateway([server], variant);
      const { alone, through } = await holdBoth(server, settings, gateway);
      expect(through.handshake.protocolVersion).toBe(revision);
      expect(through.transcript).toEqual(alone.transcript);
      expect(problems(through.frames, revision)).toEqual(problems(alone.frames, revision));
    },
  );
});

describe('the check of frames', () => {
  const ask = (id: number, method: string, params = {}) =>
    ({ from: 'client', text: JSON.stringify({ jsonrpc: '2.0', id, method, params }) }) as const;
  const say = (message: object) =>
    ({ from: 'server', text: JSON.stringify({ jsonrpc: '2.0', ...message }) }) as const;
  const link = { type: 'resource_link', uri: 'a://b', name: 'b' };

  it.each<[string, string, Frames]>([
    [
      'content that the revision lacks',
      '2024-11-05',
      [ask(1, 'tools/call'), say({ id: 1, result: { content: [link] } })],
    ],
    [
      'a question that the revision lacks',
      '2025-03-26',
      [say({ id: 1, method: 'elicitation/create', params: {} })],
    ],
    [
      'a notice that the revision lacks',
      '2025-06-18',
      [say({ method: 'notifications/tasks/status', params: {} })],
    ],
    [
      'a result of another method',
      '2025-11-25',
      [ask(1, 'tools/list'), say({ id: 1, result: { prompts: [] } })],
    ],
    [
      'a result in the place of a task',
      '2025-11-25',
      [ask(1, 'tools/call', { task: {} }), say({ id: 1, result: { content: [] } })],
    ],
    ['an answer to nothing', '2025-11-25', [say({ id: 7, result: {} })]],
    ['an error without a message', '2025-11-25', [ask(1, 'ping'), say({ id: 1, error: { code: 1 } })]],
  ])('finds %s', (_, revision, frames) => {
    expect(invalidFrames(frames, revision)).toHaveLength(1);
  });

  it('passes what the revision allows', () => {
    const frames = [ask(1, 'tools/call'), say({ id: 1, result: { content: [link] } })];
    expect(invalidFrames(frames, '2025-06-18')).toEqual([]);
  });
});
