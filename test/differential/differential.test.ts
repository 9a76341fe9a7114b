import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schemasAreMissing } from '../helpers/official-schemas.js';
import { allCapabilities } from './capabilities.js';
import { type GatewayUnderTest, type Held, holdBoth, openGateway } from './hold.js';
import { publishedServers } from './published-servers.js';
import { invalidFrames } from './schema-validity.js';

/*
 * One conversation is held twice: with the server alone over stdio, and through the gateway over WebSocket. All that
 * the client receives must be the same, but for what follows.
 *
 * - The handshake is the gateway's: its own name and version, the newest revision that the client knows even if the
 *   server is older, more capabilities, the server's instructions under its name among others'. Those of a process that
 *   starts for the session are not known yet when the handshake is answered.
 * - Names of tools and prompts carry the namespace, and URIs if that is wanted, names of loggers the backend's. All are
 *   taken off again.
 * - On a shared process the first status of a new task comes after the answer that names the task, and log lines about
 *   subscriptions reach nobody while there are several sessions.
 * - Lists are the gateway's messages, made of the servers' entries: an empty `_meta` beside the entries is lost.
 * - `list_changed` may be heard less often: the gateway gathers them. Where one matters, the script waits for it.
 * - Names and URIs that no backend has are the gateway's to refuse, so the script uses none.
 * - Arguments that a tool's schema forbids are refused by the gateway in its own words, unless `validateArguments` is
 *   off, as it is in the first variant.
 * - What differs between two runs of the server alone is levelled by its table entry, with the reason.
 */
const revision = '2025-11-25';

/** The longest conversation takes about 10 s on an idle machine, most of it waiting for a tool that takes 4 s. */
const timeout = 60_000;

const rows = publishedServers.map((server) => [server.name, server] as const);

describe('one process for each client, under the names of the server', () => {
  const variant = { sharing: 'per-client', names: 'bare', validateArguments: false } as const;

  it.concurrent.each(rows)('%s is the same through the gateway', { timeout }, async (_, server) => {
    await using gateway = await openGateway([server], variant);
    const settings = { revision, capabilities: allCapabilities(revision) };
    expectSame(await holdBoth(server, settings, gateway));
  });
});

describe('one process for all clients, under qualified names and URIs, beside all the others', () => {
  const variant = { sharing: 'shared', names: 'qualified', validateArguments: true } as const;
  let gateway: GatewayUnderTest;
  beforeAll(async () => {
    gateway = await openGateway(publishedServers, variant);
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  it.concurrent.each(rows)('%s is the same through the gateway', { timeout }, async (_, server) => {
    const settings = { revision, capabilities: server.sharedCapabilities ?? {} };
    const held = await holdBoth(server, settings, gateway);
    expectSame(held);
    expect(held.through.handshake.instructions).toContain(held.alone.handshake.instructions ?? '');
  });
});

function expectSame({ alone, through }: { alone: Held; through: Held }): void {
  expect(through.transcript).toEqual(alone.transcript);
  expect(through.handshake.protocolVersion).toBe(revision);
  expect(through.handshake.serverInfo.name).toBe('mcp-switchboard');
  expect(through.handshake.capabilities).toMatchObject(alone.handshake.capabilities);
  if (schemasAreMissing === undefined) expect(invalidFrames(through.frames, revision)).toEqual([]);
}
