import { backendDefaults, backendOptions } from './backend-options.js';
import { LOG_LEVELS } from './log-levels.js';
import { choice, duration, integer, size, text } from './scalars.js';
import { group, objectMap, optional, textList } from './structures.js';

const HOST = {
  what: 'a host name or an IP address without port and brackets',
  pattern: '^[A-Za-z0-9._:%-]+$',
};
const PATH = {
  what: 'a path that starts with a slash and has no query',
  pattern: '^/[^?#\\s]*$',
  minItems: 1,
};
const ORIGIN = {
  what: 'an origin such as "https://app.example.com", "http://localhost:*", "https://*.example.com" or "null", without a path',
  pattern: '^(null|[a-z][a-z0-9+.-]*://(\\*\\.)?([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])(:([0-9]{1,5}|\\*))?)$',
};
const HOST_NAME = {
  what: 'a host name or an IP address (IPv6 in brackets) without port',
  pattern: '^([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])$',
};
/** Port 0 takes a free port. */
const PORT_RANGE = { min: 0, max: 65_535 };
/** Smallest message that any `initialize` surely fits in, largest text the engine can hold. */
const MESSAGE_RANGE = { min: 1024, max: 512 * 1024 ** 2 };
/** A shortened name needs 9 characters for its hash; below 16 nothing readable would be left. */
const NAME_LENGTH_RANGE = { min: 16, max: 1024 };
/** The envelope, params and capabilities of an `initialize` already nest this deep. */
const DEPTH_RANGE = { min: 8 };

/** Every option of the configuration file. */
export const options = group(
  'Configuration of mcp-switchboard. Durations are "400ms", "20s", "10m", "1h" or a number of milliseconds; sizes "64KiB", "4MiB", "1GiB" or a number of bytes.',
  {
    $schema: text(undefined, { what: 'the address of a JSON schema' }, 'For editors.'),
    listen: group('Where clients connect.', {
      host: text(
        '127.0.0.1',
        HOST,
        'Host to bind to. Beyond loopback is refused, since there is no authentication.',
      ),
      port: integer(8808, PORT_RANGE, 'Port to bind to; 0 takes a free one.'),
      paths: textList(['/mcp', '/mcp/ws'], PATH, 'Paths that accept the WebSocket upgrade.'),
      allowedOrigins: textList(
        undefined,
        ORIGIN,
        'Origins that web pages may connect from. Default: http pages of this machine, any port.',
      ),
      allowedHosts: textList(
        undefined,
        HOST_NAME,
        'Host names that a request may name. Default: the names of this machine.',
      ),
    }),
    admin: optional(
      group('Where probes and status are served; false leaves it out.', {
        host: text(
          '127.0.0.1',
          HOST,
          'Host to bind to. It tells states and names, never secrets; keep it away from the internet.',
        ),
        port: integer(8809, PORT_RANGE, 'Port to bind to; 0 takes a free one.'),
      }),
    ),
    mcpServers: objectMap(
      backendOptions,
      { minProperties: 1 },
      'The backends, by key. Their order decides who owns a name or URI that two of them have.',
    ),
    naming: group('How the names that clients see are made.', {
      separator: text(
        '__',
        { what: 'a text of at least one character', pattern: '.' },
        'Stands between namespace and name.',
      ),
      maxLength: integer(
        64,
        NAME_LENGTH_RANGE,
        'Longest name in characters; model APIs refuse more than 64.',
      ),
      charset: text(
        'A-Za-z0-9_-',
        { what: 'the inside of a character class, such as "A-Za-z0-9_-"', pattern: '^[^\\]\\[\\\\^]+$' },
        'Characters that names may have; model APIs refuse others.',
      ),
    }),
    catalog: group('How lists are answered.', {
      grace: duration(
        '2s',
        { min: 0 },
        'How long the first lists wait for backends that are still starting.',
      ),
      pageSize: integer(
        0,
        { min: 0 },
        'Entries per page; 0 puts everything on one page, because many clients never ask for the second.',
      ),
    }),
    limits: group('What clients may use.', {
      maxMessageBytes: size(
        '4MiB',
        MESSAGE_RANGE,
        'Largest message accepted from a client; above, its socket is closed.',
      ),
      maxDepth: integer(256, DEPTH_RANGE, 'Deepest nesting accepted from a client.'),
      connections: integer(1000, { min: 1 }, 'Open sockets in total.'),
      connectionsPerAddress: integer(
        50,
        { min: 1 },
        'Open sockets per peer address; peers on this machine are not counted.',
      ),
      processes: integer(128, { min: 1 }, 'Processes of all "per-client" backends at once.'),
      inFlightPerSession: integer(64, { min: 1 }, 'Requests of one session that wait for an answer.'),
    }),
    heartbeat: group('How vanished clients are noticed.', {
      interval: duration('20s', { min: 1 }, 'How often an idle client is pinged.'),
      grace: duration('20s', { min: 1 }, 'How long after a ping anything must have been heard.'),
    }),
    slowReader: group('What happens to clients that do not read what they are sent.', {
      pauseBytes: size(
        '1MiB',
        { min: 1 },
        'Unsent bytes above which the gateway stops reading from the client.',
      ),
      maxBytes: size('64MiB', { min: 1 }, 'Unsent bytes above which the socket is ended.'),
      stall: duration(
        '10s',
        { min: 1 },
        'How long unsent bytes may stay without any draining; noticed within twice that.',
      ),
    }),
    drain: group('How the gateway goes down.', {
      timeout: duration(
        '20s',
        { min: 0 },
        'How long requests may still be answered when the gateway is stopped.',
      ),
    }),
    log: group('What is logged.', {
      level: choice(LOG_LEVELS, 'info', 'Least important level that is written.'),
    }),
    ...backendDefaults,
  },
  {
    instead: {
      servers: 'the backends stand under "mcpServers"',
      context_servers: 'the backends stand under "mcpServers"',
      mcp: 'put its "servers" under "mcpServers" at the top level',
      inputs: `values are not asked for; write \${env:NAME} or \${file:/path} where they are used`,
      globalShortcut: 'it is a setting of a desktop client; leave it out',
      preferences: 'it is a setting of a desktop client; leave it out',
      host: 'write "listen": { "host": … }',
      port: 'write "listen": { "port": … }',
    },
    schema: { required: ['mcpServers'] },
  },
);
