import { describe, expect, it } from 'vitest';
import { schemasAreMissing } from '../helpers/official-schemas.js';
import { allCapabilities } from './capabilities.js';
import { type Handshake, holdBoth } from './hold.js';
import { publishedServers } from './published-servers.js';
import { invalidFrames } from './schema-validity.js';

/*
 * One conversation is held twice: with the server alone over stdio, and through the gateway over WebSocket. All that
 * the client receives must be the same, but for what follows.
 *
 * - The handshake is the gateway's: its own name and version, more capabilities, the server's instructions under its
 *   name among others'.
 * - Names of tools and prompts carry the namespace, names of loggers the backend's. Both are taken off again.
 * - `list_changed` may be heard less often: the gateway gathers them. Where one matters, the script waits for it.
 * - Names and URIs that no backend has are the gateway's to refuse, so the script uses none.
 * - Arguments that a tool's schema forbids are refused by the gateway in its own words, unless `validateArguments` is
 *   off, as it is in the second variant.
 * - What differs between two runs of the server alone is levelled by its table entry, with the reason.
 */
const revision = '2025-11-25';

/** The longest conversation takes about 10 s on an idle machine, most of it waiting for a tool that takes 4 s. */
const timeout = 60_000;

describe.concurrent.each(publishedServers.map((server) => [server.name, server] as const))(
  '%s',
  (_, server) => {
    it('is the same through the gateway, as a process of its own under qualified names', async () => {
      const settings = { revision, capabilities: allCapabilities(revision) };
      const variant = { sharing: 'per-client', namespace: 'ns', wrongArguments: false } as const;
      const { alone, through, frames } = await holdBoth(server, settings, variant);
      expect(through.transcript).toEqual(alone.transcript);
      expectHandshake(through.handshake, alone.handshake);
      if (schemasAreMissing === undefined) expect(invalidFrames(frames, revision)).toEqual([]);
    });

    it('is the same through the gateway, as a shared process under bare names', async () => {
      const settings = { revision, capabilities: server.sharedCapabilities ?? {} };
      const variant = { sharing: 'shared', namespace: '', wrongArguments: true } as const;
      const { alone, through, frames } = await holdBoth(server, settings, variant);
      expect(through.transcript).toEqual(alone.transcript);
      if (schemasAreMissing === undefined) expect(invalidFrames(frames, revision)).toEqual([]);
    });
  },
);

function expectHandshake(through: Handshake, alone: Handshake): void {
  expect(through.protocolVersion).toBe(alone.protocolVersion);
  expect(through.serverInfo.name).toBe('mcp-switchboard');
  expect(through.capabilities).toMatchObject(alone.capabilities);
  expect(through.instructions ?? '').toContain(alone.instructions ?? '');
}
