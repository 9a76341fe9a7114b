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
 * - The handshake is the gateway's: its own name and version, the newest revision that the client knows even if the
 *   server is older, more capabilities, the server's instructions under its name among others'. Those of a process that
 *   starts for the session are not known yet when the handshake is answered.
 * - Names of tools and prompts carry the namespace, and URIs if that is wanted, names of loggers the backend's. All are
 *   taken off again.
 * - Lists are the gateway's messages, made of the servers' entries: an empty `_meta` beside the entries is lost.
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
    it('is the same through the gateway, as a process of its own under qualified names and URIs', {
      timeout,
    }, async () => {
      const settings = { revision, capabilities: allCapabilities(revision) };
      const variant = {
        sharing: 'per-client',
        namespace: 'ns',
        uris: 'prefixed',
        wrongArguments: false,
      } as const;
      const { alone, through } = await holdBoth(server, settings, variant);
      expect(through.transcript).toEqual(alone.transcript);
      expectHandshake(through.handshake, alone.handshake);
      if (schemasAreMissing === undefined) expect(invalidFrames(through.frames, revision)).toEqual([]);
    });

    it('is the same through the gateway, as a shared process under its own names', { timeout }, async () => {
      const settings = { revision, capabilities: server.sharedCapabilities ?? {} };
      const variant = { sharing: 'shared', namespace: '', uris: 'original', wrongArguments: true } as const;
      const { alone, through } = await holdBoth(server, settings, variant);
      expect(through.transcript).toEqual(alone.transcript);
      expectHandshake(through.handshake, alone.handshake);
      expect(through.handshake.instructions ?? '').toContain(alone.handshake.instructions ?? '');
      if (schemasAreMissing === undefined) expect(invalidFrames(through.frames, revision)).toEqual([]);
    });
  },
);

function expectHandshake(through: Handshake, alone: Handshake): void {
  expect(through.protocolVersion).toBe(revision);
  expect(through.serverInfo.name).toBe('mcp-switchboard');
  expect(through.capabilities).toMatchObject(alone.capabilities);
}
