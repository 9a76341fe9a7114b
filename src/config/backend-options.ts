import type { Fields } from './option.js';
import { choice, duration, flag, integer, size, text } from './scalars.js';
import { group, textList, textMap } from './structures.js';

/** No timer of ours is meant to fire at once, again and again: such a delay is at least this long. */
const AT_LEAST_1_MS = { min: 1 };
/** A wait that may be left out. */
const ANY_WAIT = { min: 0 };
/** Smallest line that an answer to `initialize` surely fits in, largest text the engine can hold. */
const LINE_RANGE = { min: 1024, max: 512 * 1024 ** 2 };

/** Options of a backend that may also stand at the top level, as the default for all backends. */
export const backendDefaults = {
  requestTimeout: duration('60s', AT_LEAST_1_MS, 'Time a request may take without progress.'),
  maxRequestTime: duration('10m', AT_LEAST_1_MS, 'Time a request may take in all, with progress or without.'),
  startTimeout: duration(
    '120s',
    AT_LEAST_1_MS,
    'Time from spawn to the end of the handshake; a first start that installs the program is slow.',
  ),
  probeTimeout: duration('5s', AT_LEAST_1_MS, 'Time the probe for the newer era waits for an answer.'),
  maxInFlight: integer(256, { min: 1 }, 'Requests under way at the backend at once; the others wait.'),
  maxQueued: integer(1024, { min: 0 }, 'Requests that wait for their turn; more are refused as overload.'),
  maxLineBytes: size(
    '10MiB',
    LINE_RANGE,
    'Longest line accepted from the backend; a longer one is dropped and its call gets an error.',
  ),
  restart: group('When and how fast a process that ended is started again.', {
    base: duration('500ms', AT_LEAST_1_MS, 'Upper bound of the first random delay; doubles with every exit.'),
    cap: duration('30s', AT_LEAST_1_MS, 'Largest upper bound of the delay.'),
    stableAfter: duration('60s', ANY_WAIT, 'Healthy life after which earlier exits are forgotten.'),
    maxExits: integer(5, { min: 1 }, 'Exits within "window" after which the backend counts as failed.'),
    window: duration('60s', AT_LEAST_1_MS, 'The period that "maxExits" looks at.'),
    retryFailed: duration('5m', AT_LEAST_1_MS, 'How often a failed backend is tried again.'),
  }),
  stop: group('How long each stage of stopping a process may take.', {
    endOfInput: duration('2s', ANY_WAIT, 'Wait after closing its stdin before SIGTERM.'),
    terminate: duration('2s', ANY_WAIT, 'Wait after SIGTERM before SIGKILL.'),
  }),
} satisfies Fields;

const VARIABLE_NAME = { what: 'the name of an environment variable', pattern: '^[^=\\u0000]+$' };
const GLOB = { what: 'a tool name, in which * stands for anything', pattern: '.' };
const EXPANDED = 'Variables are expanded.';

const transport = choice(
  ['stdio', 'http', 'streamable-http', 'streamableHttp', 'sse', 'ws'],
  undefined,
  'How desktop clients reach the server. Only "stdio" is started; an entry of another type is left off.',
);
const address = text(
  undefined,
  { what: 'a URL', secret: true },
  'A server that is already running elsewhere. Not supported: the entry is left off.',
);

/** One entry of `mcpServers`, as people have it for desktop clients, and what we add to it. */
export const backendOptions = group(
  'One backend: a program that speaks MCP over stdin and stdout.',
  {
    command: text(
      undefined,
      { what: 'the program to start, such as "node" or "./server.sh"', pattern: '.', secret: true },
      `The program to start, without a shell. With a slash in it, it is relative to this file. ${EXPANDED}`,
    ),
    args: textList(
      [],
      { what: 'a text in quotes', secret: true },
      `Its arguments, each passed as it is. ${EXPANDED}`,
    ),
    env: textMap(
      VARIABLE_NAME,
      `Environment variables to set on top of the short list that every backend inherits. ${EXPANDED}`,
    ),
    inheritEnv: textList(
      [],
      VARIABLE_NAME,
      "Names of further variables to hand on from the gateway's own environment.",
    ),
    cwd: text(
      '.',
      { what: 'a folder', pattern: '.' },
      `Working directory, relative to this file. ${EXPANDED}`,
    ),
    namespace: text(
      undefined,
      {
        what: 'a namespace of A–Z a–z 0–9 _ -, without "__" and without _ or - at the ends, or "" for bare names',
        pattern: '^(?!.*__)([A-Za-z0-9]([A-Za-z0-9_-]*[A-Za-z0-9])?)?$',
      },
      'Prefix of its tool and prompt names; "" leaves them bare. Default: the key, made safe.',
    ),
    sharing: choice(['shared', 'per-client'], 'shared', 'One process for all sessions, or one for each.'),
    maxProcesses: integer(32, { min: 1 }, 'Processes of a "per-client" backend at once.'),
    era: choice(
      ['auto', 'legacy', 'modern'],
      'auto',
      'Family of protocol revisions it speaks; "auto" finds out.',
    ),
    required: flag(false, 'Without this backend the gateway is not ready, and gives up with exit code 69.'),
    disabled: flag(false, 'Keep the entry and do not start it.'),
    tools: group('Which of its tools clients may see and call.', {
      allow: textList(undefined, GLOB, 'Only these, by the names the backend gives them. Default: all.'),
      deny: textList([], GLOB, 'Never these, even if allowed.'),
    }),
    uris: choice(
      ['original', 'prefixed'],
      'original',
      'Show its URIs as they are, or all with "<namespace>+" before them.',
    ),
    logs: choice(
      ['owner', 'broadcast'],
      'owner',
      'Log lines of a shared process go to the one session they can belong to, or to all.',
    ),
    validateArguments: flag(
      true,
      "Check arguments against the tool's input schema before forwarding a call.",
    ),
    type: transport,
    transport,
    transportType: transport,
    url: address,
    serverUrl: address,
    httpUrl: address,
    ...backendDefaults,
  },
  {
    ignored: {
      name: 'a label that desktop clients show',
      description: 'a text that desktop clients show',
      autoApprove: 'approving calls is up to the client',
      alwaysAllow: 'approving calls is up to the client',
      trust: 'approving calls is up to the client',
      timeout: 'desktop clients disagree on its unit; see "requestTimeout"',
      headers: 'it belongs to entries with a URL, which are left off',
      oauth: 'it belongs to entries with a URL, which are left off',
    },
    instead: {
      enabled: 'to keep an entry from being started write "disabled": true',
      isActive: 'to keep an entry from being started write "disabled": true',
      disabledTools: 'write "tools": { "deny": […] }',
      excludeTools: 'write "tools": { "deny": […] }',
      enabledTools: 'write "tools": { "allow": […] }',
      includeTools: 'write "tools": { "allow": […] }',
      envFile: `write its variables into "env", for example as \${file:/path} or \${NAME}`,
      workingDirectory: 'write "cwd"',
    },
    schema: {
      anyOf: [
        { required: ['command'] },
        { required: ['url'] },
        { required: ['serverUrl'] },
        { required: ['httpUrl'] },
      ],
    },
  },
);
