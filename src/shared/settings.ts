import type { BackendKey } from './ids.js';

/** Where a listener binds. Port 0 takes a free port. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface ListenSettings extends Address {
  /** Paths that accept the WebSocket upgrade. Default `/mcp` and `/mcp/ws`. */
  readonly paths: readonly string[];
  /**
   * Origins a browser page may come from: full serialised origins, `http://localhost:*` for any port,
   * `https://*.example.com` for one left label, or `null`. Default on a loopback bind: any port of
   * `localhost`, `127.0.0.1` and `[::1]` over http; elsewhere none.
   */
  readonly allowedOrigins: readonly string[] | undefined;
  /** Host names (without port) a request may name. Default on a loopback bind: the loopback names. */
  readonly allowedHosts: readonly string[] | undefined;
}

export interface LimitSettings {
  /** Largest message accepted from a client, in bytes. Default 4 MiB. Above: close 1009. */
  readonly maxMessageBytes: number;
  /** Deepest nesting accepted from a client. Default 256. Above: -32600. */
  readonly maxDepth: number;
  /** Open sockets in total. Default 1000. Above: 503. */
  readonly connections: number;
  /** Open sockets per peer address; loopback peers are not counted. Default 50. Above: 429. */
  readonly connectionsPerAddress: number;
  /** Processes of all `per-client` backends at once. Default 128. Above: -31005. */
  readonly processes: number;
  /** Requests of one session that wait for an answer. Default 64. Above: -31005. */
  readonly inFlightPerSession: number;
}

export interface HeartbeatSettings {
  /** How often an idle client is pinged, in milliseconds. Default 20 s. */
  readonly intervalMs: number;
  /** How long after a ping anything must have been heard, in milliseconds. Default 20 s. */
  readonly graceMs: number;
}

export interface SlowReaderSettings {
  /** Unsent bytes above which the gateway stops reading from the client. Default 1 MiB. */
  readonly pauseBytes: number;
  /** Unsent bytes above which the socket is ended. Default 64 MiB. */
  readonly maxBytes: number;
  /** How long unsent bytes may stay without any draining, in milliseconds; noticed within twice that. Default 10 s. */
  readonly stallMs: number;
}

export interface NamingSettings {
  /** Stands between namespace and name. Default `__`. */
  readonly separator: string;
  /** Longest qualified name, in characters. Default 64: model APIs refuse longer ones. */
  readonly maxLength: number;
  /** Characters allowed in a qualified name, as the inside of a character class. Default `A-Za-z0-9_-`. */
  readonly charset: string;
}

interface CatalogSettings {
  /** How long the first lists wait for backends that are starting, in milliseconds. Default 2 s. */
  readonly graceMs: number;
  /** Entries per page of a list; 0 (the default) gives everything on one page. */
  readonly pageSize: number;
}

export interface RestartSettings {
  /** First upper bound of the random delay, in milliseconds; doubles with every exit. Default 500 ms. */
  readonly baseMs: number;
  /** Largest upper bound of the delay, in milliseconds. Default 30 s. */
  readonly capMs: number;
  /** Healthy life after which earlier exits are forgotten, in milliseconds. Default 60 s. */
  readonly stableAfterMs: number;
  /** Exits within `windowMs` after which the backend counts as failed. Default 5. */
  readonly maxExits: number;
  /** The period `maxExits` looks at, in milliseconds. Default 60 s. */
  readonly windowMs: number;
  /** How often a failed backend is tried again, in milliseconds. Default 5 min. */
  readonly retryFailedMs: number;
}

export interface StopSettings {
  /** Wait after closing stdin before SIGTERM, in milliseconds. Default 2 s. */
  readonly endOfInputMs: number;
  /** Wait after SIGTERM before SIGKILL, in milliseconds. Default 2 s. */
  readonly terminateMs: number;
}

/** One backend of the configuration, with its variables expanded and its defaults filled in. */
export interface BackendSettings {
  readonly key: BackendKey;
  /** Prefix of its qualified names, already made safe; empty leaves names bare. */
  readonly namespace: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Variables set on top of the inherited allow list. */
  readonly env: Readonly<Record<string, string>>;
  /** Names of further variables that the process inherits from the gateway. Default none. */
  readonly inheritEnv: readonly string[];
  /** Absolute working directory. Default: the configuration file's folder. */
  readonly cwd: string;
  /** `shared` (default): one process for all sessions. `per-client`: one per session. */
  readonly sharing: 'shared' | 'per-client';
  /** Processes of a `per-client` backend at once. Default 32. Above: -31005. */
  readonly maxProcesses: number;
  /** Which family of revisions the backend speaks. Default `auto`: found out by probing. */
  readonly era: 'auto' | 'legacy' | 'modern';
  /** The gateway is not ready, and gives up with exit code 69, without it. Default false. */
  readonly required: boolean;
  /** Why this backend is not started: `disabled` in the file, or an unset variable. */
  readonly off: string | undefined;
  /** Globs on local tool names: only allowed ones are listed and callable; denied ones never. */
  readonly tools: { readonly allow: readonly string[] | undefined; readonly deny: readonly string[] };
  /** `prefixed` shows all of its URIs as `<namespace>+<uri>`. Default `original`. */
  readonly uris: 'original' | 'prefixed';
  /** Who hears log lines of a shared process. Default `owner`: only the session they can belong to. */
  readonly logs: 'owner' | 'broadcast';
  /** Check arguments against the tool's input schema before forwarding. Default true. */
  readonly validateArguments: boolean;
  /** Time a request may take without progress, in milliseconds. Default 60 s. */
  readonly requestTimeoutMs: number;
  /** Time a request may take in all, in milliseconds. Default 10 min. */
  readonly maxRequestTimeMs: number;
  /** Time from spawn to the end of the handshake, in milliseconds. Default 120 s: cold installs are slow. */
  readonly startTimeoutMs: number;
  /** Time the era probe waits for an answer, in milliseconds. Default 5 s. */
  readonly probeTimeoutMs: number;
  /** Requests under way at the backend at once. Default 256. */
  readonly maxInFlight: number;
  /** Requests that wait for their turn. Default 1024. Above: -31005. */
  readonly maxQueued: number;
  /** Longest line accepted from the backend, in bytes. Default 10 MiB. Above: dropped, -31009. */
  readonly maxLineBytes: number;
  readonly restart: RestartSettings;
  readonly stop: StopSettings;
}

/** Everything the configuration file and the command line say, checked and complete. */
export interface Settings {
  readonly listen: ListenSettings;
  /** `undefined` leaves the admin listener out. */
  readonly admin: Address | undefined;
  readonly naming: NamingSettings;
  readonly catalog: CatalogSettings;
  readonly limits: LimitSettings;
  readonly heartbeat: HeartbeatSettings;
  readonly slowReader: SlowReaderSettings;
  /** How long requests may still be answered when the gateway is stopped, in milliseconds. Default 20 s. */
  readonly drain: { readonly timeoutMs: number };
  readonly log: { readonly level: string };
  /** In the order of the file, which decides ownership of colliding names. */
  readonly backends: readonly BackendSettings[];
}
